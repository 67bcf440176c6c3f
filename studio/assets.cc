#include "studio/assets.h"

#include <algorithm>
#include <array>

// The assembler takes the files as they are: compilers need minutes and gigabytes for long texts.
#define WORDBRIDGE_EMBED(name, file)                 \
  asm(".pushsection .rodata\n"                       \
      ".global wordbridge_asset_" #name              \
      "\n"                                           \
      "wordbridge_asset_" #name                      \
      ":\n"                                          \
      ".incbin \"" WORDBRIDGE_STUDIO_ASSETS "/" file \
      "\"\n"                                         \
      ".global wordbridge_asset_" #name              \
      "_end\n"                                       \
      "wordbridge_asset_" #name                      \
      "_end:\n"                                      \
      ".byte 0\n"                                    \
      ".popsection\n");                              \
  extern "C" const char wordbridge_asset_##name[], wordbridge_asset_##name##_end[]

WORDBRIDGE_EMBED(page, "web/dist/index.html");
WORDBRIDGE_EMBED(script, "web/dist/studio.js");
WORDBRIDGE_EMBED(style, "web/dist/studio.css");
WORDBRIDGE_EMBED(openapi, "studio/openapi.json");

namespace wordbridge::studio {

std::span<const Asset> assets() {
  static const auto text = [](const char* begin, const char* end) {
    return std::string_view(begin, static_cast<std::size_t>(end - begin));
  };
  static const std::array<Asset, 4> all = {{
      {"/", "text/html; charset=utf-8", text(wordbridge_asset_page, wordbridge_asset_page_end)},
      {"/studio.js", "text/javascript; charset=utf-8", text(wordbridge_asset_script, wordbridge_asset_script_end)},
      {"/studio.css", "text/css; charset=utf-8", text(wordbridge_asset_style, wordbridge_asset_style_end)},
      {"/api/v1/openapi.json", "application/json", text(wordbridge_asset_openapi, wordbridge_asset_openapi_end)},
  }};
  return all;
}

const Asset* find_asset(std::string_view path) {
  const auto found = std::ranges::find(assets(), path, &Asset::path);
  return found == assets().end() ? nullptr : &*found;
}

}  // namespace wordbridge::studio
