#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "optimize/objective.h"
#include "parallel/communicator.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What a block of words adds to the loss, one number a word, and to the gradient.
struct BlockSum {
  std::vector<double> losses;
  MatrixD gradient;
};
/// Of the words [begin, end) of an evaluation; for many threads at once.
using SumOfBlock = std::function<BlockSum(std::size_t begin, std::size_t end)>;

/// The sum over so many words, with a gradient of rows x cols. They are cut into blocks of kProductRows words, each for
/// one thread, so that only a few blocks at a time hold rows in double; the processes take the blocks in turn. What
/// they give is added in the order of the words: the bits are the same for any number of threads and processes.
ObjectiveValue sum_over_blocks(std::size_t words, std::size_t rows, std::size_t cols, Communicator& communicator,
                               const SumOfBlock& sum_of);

}  // namespace wordbridge
