#include "cli/download/curl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "wordbridge/error.h"

// Macros of its header would check the types of calls that do not go through pointers.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace wordbridge::cli {

namespace {

template <class Function>
void load_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw Error(fmt::format("libcurl has no {}: version 7.85 or newer is wanted", name));
}

}  // namespace

CurlLibrary::CurlLibrary() {
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"})
    if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Error("downloading takes libcurl, which this system does not have (Debian: apt-get install libcurl4)");
  decltype(&curl_global_init) global_init = nullptr;
  load_symbol(library, "curl_global_init", global_init);
  load_symbol(library, "curl_easy_init", init);
  load_symbol(library, "curl_easy_setopt", setopt);
  load_symbol(library, "curl_easy_perform", perform);
  load_symbol(library, "curl_easy_getinfo", getinfo);
  load_symbol(library, "curl_easy_cleanup", cleanup);
  load_symbol(library, "curl_easy_strerror", strerror);
  load_symbol(library, "curl_slist_append", append);
  load_symbol(library, "curl_slist_free_all", free_all);
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Error("libcurl cannot be used");
}

const CurlLibrary& CurlLibrary::get() {
  static const CurlLibrary library;
  return library;
}

CurlLibrary::Handle CurlLibrary::handle() const {
  Handle handle(init());
  if (!handle) throw Error("libcurl cannot be used");
  return handle;
}

void CurlLibrary::refuse(CURLcode code) const {
  throw Error(fmt::format("this libcurl cannot do what a safe download takes ({}): version 7.85 or newer is wanted",
                          text_of(code)));
}

}  // namespace wordbridge::cli
