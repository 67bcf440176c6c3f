#pragma once
#include <span>
#include <vector>

#include "base/random.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

struct DiscriminatorOptions {
  std::size_t hidden = 256;    // h
  double leak = 0.2;           // slope of the rectifiers below 0
  double input_dropout = 0.1;  // share of input values set to 0 in training, the others scaled up
};

/// A network d - h - h - 1 that tells mapped source vectors from target vectors: leaky rectifiers between the layers, a
/// sigmoid at the end, trained by plain stochastic gradient descent on the mean cross-entropy.
class Discriminator {
 public:
  /// Weights and biases start uniform in ±1/sqrt(inputs of the layer).
  Discriminator(std::size_t dimension, DiscriminatorOptions options, Random& random);

  /// One step on rows with the wanted probabilities, with dropout; returns the mean loss before the step.
  double train(ConstMatrixView rows, std::span<const float> wanted, double learning_rate, Random& random);

  struct InputGradient {
    double loss;      // mean over rows
    Matrix gradient;  // of the mean loss, one row for each input row
  };
  /// Without dropout and without learning: how the loss changes with the rows.
  InputGradient input_gradient(ConstMatrixView rows, std::span<const float> wanted) const;

  /// All that training changes, to be put back by restore().
  std::vector<MatrixD> state() const;
  void restore(std::span<const MatrixD> state);

  /// Mean cross-entropy without dropout.
  double loss(ConstMatrixView rows, std::span<const float> wanted) const;

 private:
  friend class DiscriminatorTest;
  /// y = W x + b
  struct Layer {
    Matrix weights;  // outputs x inputs
    std::vector<float> bias;
  };
  struct Activations {
    Matrix first, second;       // after the rectifiers, n x h
    std::vector<float> logits;  // n
  };
  struct Gradients {
    Layer first, second, last;
    Matrix rows;
  };

  Activations forward(ConstMatrixView rows) const;
  /// The loss and, from the activations, its gradients; those of the layers only if `learning`.
  double backward(ConstMatrixView rows, const Activations& activations, std::span<const float> wanted, bool learning,
                  bool into_rows, Gradients& gradients) const;

  DiscriminatorOptions options_;
  Layer first_, second_, last_;
};

}  // namespace wordbridge
