#include "space/lazy_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

/// Products are cut there, so a block has the same bits alone and among all rows.
constexpr std::size_t kRowsOfBlock = kProductRows;

}  // namespace

LazyRows::LazyRows(UnitRows rows) : size_(rows.size()), dimension_(rows.dimension()), rows_(std::move(rows)) {
  made_.store(&rows_);
}

LazyRows::LazyRows(Matrix raw, std::size_t dimension, Bring bring)
    : size_(raw.rows()),
      dimension_(dimension),
      bring_(std::move(bring)),
      raw_(std::make_shared<Matrix>(std::move(raw))),
      done_(blocks()),
      lengths_(blocks()) {}

std::size_t LazyRows::blocks() const { return (size_ + kRowsOfBlock - 1) / kRowsOfBlock; }

const UnitRows& LazyRows::all() const {
  if (const UnitRows* made = made_.load()) return *made;
  const std::lock_guard lock(mutex_);
  if (made_.load() == nullptr) {
    bring_all();
    RowLengths lengths;
    for (const RowLengths& of_block : lengths_) lengths.append(of_block);
    rows_ = UnitRows::view(*table_, table_, lengths);
    raw_.reset();
    made_.store(&rows_);
  }
  return rows_;
}

/// A block is written when it is whole, so that what ends this early loses nothing.
void LazyRows::bring_all() const {
  if (!table_)
    table_ = raw_->cols() == dimension_ ? raw_ : std::make_shared<Matrix>(Matrix::uninitialized(size_, dimension_));
  ThreadPool::current().for_chunks(size_, kRowsOfBlock, [&](std::size_t begin, std::size_t, int) {
    const std::size_t block = begin / kRowsOfBlock;
    if (done_[block] != 0) return;
    const Matrix rows = brought(block);
    lengths_[block] = RowLengths::of(rows, begin);  // as long as they are in the cache
    std::ranges::copy(rows.elements(), table_->row(begin).data());
    done_[block] = 1;
  });
}

Matrix LazyRows::brought(std::size_t block) const {
  const std::size_t begin = block * kRowsOfBlock, end = std::min(size_, begin + kRowsOfBlock);
  if (done_[block] != 0) return Matrix::copy_of(table_->view().slice(begin, end));
  return bring_(Matrix::copy_of(raw_->view().slice(begin, end)));
}

Matrix LazyRows::some(std::span<const WordId> words) const {
  if (made_.load() == nullptr) {
    std::map<std::size_t, Matrix> wanted;
    for (const WordId word : words) wanted.try_emplace(word / kRowsOfBlock);
    const std::lock_guard lock(mutex_);
    if (asked_ + wanted.size() < blocks() / 2 && made_.load() == nullptr) {
      asked_ += wanted.size();
      for (auto& [block, rows] : wanted) rows = brought(block);
      Matrix result = Matrix::uninitialized(words.size(), dimension_);
      for (std::size_t i = 0; i < words.size(); ++i)
        std::ranges::copy(wanted.at(words[i] / kRowsOfBlock).row(words[i] % kRowsOfBlock), result.row(i).data());
      return result;
    }
  }
  return all().gather(words);
}

}  // namespace wordbridge
