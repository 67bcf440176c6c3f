#include "align/unsupervised/discriminator.h"

#include <cmath>

#include "linalg/blas.h"

namespace wordbridge {

namespace {

/// log(1 + exp(z)) without overflow.
double softplus(double z) { return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z)); }

void rectify(Matrix& values, float leak) {
  for (float& value : values.elements()) value = value < 0 ? leak * value : value;
}

/// Multiplies by the slope of the rectifier, which the sign of its output tells.
void rectify_back(Matrix& gradient, const Matrix& output, float leak) {
  for (std::size_t i = 0; i < gradient.size(); ++i)
    if (output.data()[i] < 0) gradient.data()[i] *= leak;
}

void descend(Matrix& weights, std::vector<float>& bias, const Matrix& weight_gradient,
             const std::vector<float>& bias_gradient, float rate) {
  for (std::size_t i = 0; i < weights.size(); ++i) weights.data()[i] -= rate * weight_gradient.data()[i];
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] -= rate * bias_gradient[i];
}

std::vector<float> column_sums(const Matrix& m) {
  std::vector<float> sums(m.cols(), 0.0f);
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) sums[j] += m(i, j);
  return sums;
}

}  // namespace

Discriminator::Discriminator(std::size_t dimension, DiscriminatorOptions options, Random& random) : options_(options) {
  const auto layer = [&](std::size_t outputs, std::size_t inputs) {
    Layer result{Matrix(outputs, inputs), std::vector<float>(outputs)};
    const double bound = 1 / std::sqrt(static_cast<double>(inputs));
    for (float& value : result.weights.elements()) value = static_cast<float>((2 * random.uniform() - 1) * bound);
    for (float& value : result.bias) value = static_cast<float>((2 * random.uniform() - 1) * bound);
    return result;
  };
  first_ = layer(options.hidden, dimension);
  second_ = layer(options.hidden, options.hidden);
  last_ = layer(1, options.hidden);
}

Discriminator::Activations Discriminator::forward(ConstMatrixView rows) const {
  const auto apply = [](const Layer& layer, ConstMatrixView inputs) {
    Matrix outputs = multiply_abt(inputs, layer.weights);
    for (std::size_t i = 0; i < outputs.rows(); ++i)
      for (std::size_t j = 0; j < outputs.cols(); ++j) outputs(i, j) += layer.bias[j];
    return outputs;
  };
  Activations result;
  result.first = apply(first_, rows);
  rectify(result.first, static_cast<float>(options_.leak));
  result.second = apply(second_, result.first);
  rectify(result.second, static_cast<float>(options_.leak));
  const Matrix logits = apply(last_, result.second);
  result.logits.assign(logits.elements().begin(), logits.elements().end());
  return result;
}

double Discriminator::backward(ConstMatrixView rows, const Activations& activations, std::span<const float> wanted,
                               bool learning, bool into_rows, Gradients& gradients) const {
  const std::size_t n = rows.rows();
  const float leak = static_cast<float>(options_.leak);
  // Cross-entropy of a sigmoid: softplus(z) - y z, with slope sigmoid(z) - y in the logit z.
  double loss = 0;
  Matrix logit_gradient(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const double z = activations.logits[i];
    loss += (softplus(z) - wanted[i] * z) / static_cast<double>(n);
    logit_gradient(i, 0) = static_cast<float>((1 / (1 + std::exp(-z)) - wanted[i]) / static_cast<double>(n));
  }
  Matrix second = multiply(logit_gradient, last_.weights);
  rectify_back(second, activations.second, leak);
  Matrix first = multiply(second, second_.weights);
  rectify_back(first, activations.first, leak);
  if (learning) {
    gradients.last = {multiply(transpose(logit_gradient), activations.second), column_sums(logit_gradient)};
    gradients.second = {multiply(transpose(second), activations.first), column_sums(second)};
    gradients.first = {multiply(transpose(first), rows), column_sums(first)};
  }
  if (into_rows) gradients.rows = multiply(first, first_.weights);
  return loss;
}

double Discriminator::train(ConstMatrixView rows, std::span<const float> wanted, double learning_rate, Random& random) {
  Matrix kept = Matrix::copy_of(rows);
  if (options_.input_dropout > 0) {
    const float scale = static_cast<float>(1 / (1 - options_.input_dropout));
    for (float& value : kept.elements()) value = random.uniform() < options_.input_dropout ? 0.0f : value * scale;
  }
  Gradients gradients;
  const double mean_loss = backward(kept, forward(kept), wanted, true, false, gradients);
  const float rate = static_cast<float>(learning_rate);
  descend(first_.weights, first_.bias, gradients.first.weights, gradients.first.bias, rate);
  descend(second_.weights, second_.bias, gradients.second.weights, gradients.second.bias, rate);
  descend(last_.weights, last_.bias, gradients.last.weights, gradients.last.bias, rate);
  return mean_loss;
}

Discriminator::InputGradient Discriminator::input_gradient(ConstMatrixView rows, std::span<const float> wanted) const {
  Gradients gradients;
  const double mean_loss = backward(rows, forward(rows), wanted, false, true, gradients);
  return {mean_loss, std::move(gradients.rows)};
}

double Discriminator::loss(ConstMatrixView rows, std::span<const float> wanted) const {
  const Activations activations = forward(rows);
  double sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    sum += softplus(activations.logits[i]) - static_cast<double>(wanted[i]) * activations.logits[i];
  return sum / static_cast<double>(wanted.size());
}

std::vector<MatrixD> Discriminator::state() const {
  std::vector<MatrixD> result;
  for (const Layer* layer : {&first_, &second_, &last_}) {
    result.push_back(to_double(layer->weights));
    result.push_back(to_double(ConstMatrixView(layer->bias.data(), 1, layer->bias.size())));
  }
  return result;
}

void Discriminator::restore(std::span<const MatrixD> state) {
  std::size_t at = 0;
  for (Layer* layer : {&first_, &second_, &last_}) {
    layer->weights = to_float(state[at++]);
    const Matrix bias = to_float(state[at++]);
    layer->bias.assign(bias.elements().begin(), bias.elements().end());
  }
}

}  // namespace wordbridge
