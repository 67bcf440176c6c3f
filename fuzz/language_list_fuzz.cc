// Any bytes are a list of languages or an InputError.
#include <cstdint>
#include <string>

#include "hub/language_list.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    wordbridge::LanguageList list =
        wordbridge::parse_language_list(std::string(reinterpret_cast<const char*>(data), size), "folder/list.toml");
    list.check();  // it was checked already
    for (const wordbridge::LanguageEntry& language : list.languages) list.options_of(language);
  } catch (const wordbridge::InputError&) {
  }
  return 0;
}
