#pragma once
#include <string>
#include <vector>

#include "base/temporary_folder_test_support.h"
#include "hub/hub_runner.h"
#include "hub/language_list.h"

namespace wordbridge {

/// Four small languages in a folder: word i of "en" is "en<i>", and its translation in "es" is "es<i>", a rotation of
/// its vector with some noise. Lexicons with the pivot "en": words 0 to 79 to learn from, 80 to 119 to test on; one
/// between "de" and "es".
class HubExample {
 public:
  HubExample();

  LanguageList list() const;
  std::string output(const std::string& name = "space") const { return folder_.path(name); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

/// Remembers what it was told.
class RememberingHubObserver final : public HubObserver {
 public:
  void note(const std::string& line) override { notes.push_back(line); }
  void failed(const std::string& language, const std::string& reason) override {
    failures.push_back(language + ": " + reason);
  }

  std::vector<std::string> notes, failures;
};

}  // namespace wordbridge
