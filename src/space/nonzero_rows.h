#pragma once
#include "linalg/rows.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// The rows of a table that are not zero: a view of it, or a copy where some must be left out.
class NonzeroRows {
 public:
  /// The table must outlive this.
  explicit NonzeroRows(const UnitRows& table) : rows_(table.rows()) {
    if (table.nonzero() == table.size()) return;
    std::vector<WordId> ids;
    for (WordId i = 0; i < table.size(); ++i)
      if (!table.is_zero(i)) ids.push_back(i);
    copy_ = gather_rows(table.rows(), ids);
    rows_ = copy_;
  }
  NonzeroRows(const NonzeroRows&) = delete;
  NonzeroRows& operator=(const NonzeroRows&) = delete;

  ConstMatrixView rows() const { return rows_; }

 private:
  Matrix copy_;
  ConstMatrixView rows_;
};

}  // namespace wordbridge
