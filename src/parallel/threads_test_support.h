#pragma once
#include "wordbridge/context.h"

namespace wordbridge {

/// While it lives, work of this thread runs on so many threads.
struct WithThreads {
  explicit WithThreads(int threads) : context({.threads = threads}), scope(context) {}

  Context context;
  Context::Scope scope;
};

}  // namespace wordbridge
