#include "wordbridge/context.h"

namespace wordbridge {

namespace {
class Silent final : public Progress {
 public:
  void update(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  void finish(std::string_view) override {}
};
}  // namespace

Progress& Progress::none() {
  static Silent silent;
  return silent;
}

}  // namespace wordbridge
