#include "cli/slurm/submission.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/atomic_file.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace fs = std::filesystem;

void require_slurm() {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    if (::access(fmt::format("{}/sbatch", folder.empty() ? "." : folder).c_str(), X_OK) == 0) return;
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
  }
  throw Error(
      "--slurm: sbatch is not in the path, so this is no machine of Slurm; --no-submit only writes the scripts");
}

std::string write_scripts(const JobScripts& scripts, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder, "cannot make the folder", error.value());
  const fs::path in(folder);
  write_kept_file((in / JobScripts::kLanguages).string(), scripts.languages);
  write_kept_file((in / JobScripts::kJoin).string(), scripts.join);
  std::string submit = (in / JobScripts::kSubmit).string();
  write_kept_file(submit, scripts.submit);
  return submit;
}

std::string submit_jobs(const std::string& script) {
  std::FILE* output = ::popen(("exec sh " + shell_word(script)).c_str(), "r");
  if (output == nullptr) throw IoError(script, "cannot run", errno);
  std::string text;
  std::array<char, 4096> buffer;
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), output)) > 0;)
    text.append(buffer.data(), got);
  const int status = ::pclose(output);
  if (status != 0) throw Error(fmt::format("sbatch refused {}, for the reason above: no job is submitted", script));
  return text;
}

}  // namespace wordbridge::cli
