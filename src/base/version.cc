#include "wordbridge/version.h"

namespace wordbridge {

std::string_view version() { return WORDBRIDGE_VERSION; }

}  // namespace wordbridge
