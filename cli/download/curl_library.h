#pragma once
#include <curl/curl.h>

#include <memory>
#include <string>

namespace wordbridge::cli {

/// libcurl, opened when something is to be downloaded: nothing else of the program needs it, or waits for it and all
/// that it brings along when it starts.
class CurlLibrary {
 public:
  /// Error, with what helps, where the system has none.
  static const CurlLibrary& get();

  struct Cleanup {
    void operator()(CURL* handle) const { get().cleanup(handle); }
  };
  using Handle = std::unique_ptr<CURL, Cleanup>;
  Handle handle() const;
  /// CURLOPT_...; Error where this libcurl does not take it: what is not set might not be safe.
  template <class T>
  void set(const Handle& handle, CURLoption option, T value) const {
    if (const CURLcode code = setopt(handle.get(), option, value); code != CURLE_OK) refuse(code);
  }
  std::string text_of(CURLcode code) const { return strerror(code); }

  decltype(&curl_easy_perform) perform = nullptr;
  decltype(&curl_easy_getinfo) getinfo = nullptr;
  decltype(&curl_slist_append) append = nullptr;
  decltype(&curl_slist_free_all) free_all = nullptr;

 private:
  CurlLibrary();
  [[noreturn]] void refuse(CURLcode code) const;

  decltype(&curl_easy_init) init = nullptr;
  decltype(&curl_easy_setopt) setopt = nullptr;
  decltype(&curl_easy_cleanup) cleanup = nullptr;
  decltype(&curl_easy_strerror) strerror = nullptr;
};

}  // namespace wordbridge::cli
