#include "cli/text_output.h"

#include "cli/session.h"

namespace wordbridge::cli {

TextOutput::TextOutput(Session& session, const std::string& path) : session_(session) {
  if (!path.empty() && path != "-" && !session.options().is_mute) file_.emplace(path);
}

void TextOutput::write(std::string_view text) {
  if (file_)
    file_->write(text);
  else
    session_.print(text);
}

void TextOutput::flush() {
  if (!file_) session_.flush();
}

void TextOutput::finish() {
  if (file_) file_->commit();
}

}  // namespace wordbridge::cli
