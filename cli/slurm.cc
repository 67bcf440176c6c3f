#include "cli/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

namespace {

/// What the scripts themselves say to sbatch.
constexpr std::array<std::string_view, 7> kOwnOptions = {"array",     "dependency", "parsable",           "wait",
                                                         "test-only", "wrap",       "kill-on-invalid-dep"};

constexpr const char* kLanguagesScript = R"sh(#!/bin/sh
# A task of the array: aligns one language to the pivot; task 0 keeps the vectors of the pivot, which all others read.
# A language that is finished already ends at once.
#SBATCH --job-name=hub-languages
#SBATCH --output=%x-%A_%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
{options}set -- {languages}
shift "${{SLURM_ARRAY_TASK_ID:?}}"
cd {folder} || exit
exec {command} --language "$1"{threads}
)sh";

constexpr const char* kJoinScript = R"sh(#!/bin/sh
# The last job: measures all pairs, and writes the manifest and the report; joint maps are learned here, too.
# It aligns nothing: languages whose task failed or was killed are reported.
#SBATCH --job-name=hub-join
#SBATCH --output=%x-%j.log
#SBATCH --open-mode=append
#SBATCH --requeue
{options}{memory}cd {folder} || exit
exec {command} --join{threads}{memory_option}
)sh";

// Nine tenths of what the job was given, in MiB: not everything is a table.
constexpr const char* kMemoryOfJob =
    R"sh(memory=$((${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_ON_NODE:-1}))} * 9 / 10))
[ "$memory" -gt 0 ] && memory=${memory}M || memory=
)sh";

constexpr const char* kSubmitScript = R"sh(#!/bin/sh
# Submits the scripts of this folder: sh submit.sh. The jobs of the last submission, where there are some, end first.
# A language that fails does not stop the last job.
set -e
cd "$(dirname "$0")"
after=
if [ -s jobs ]; then
  after=$(squeue --noheader --format=%F --jobs="$(cat jobs)" 2>/dev/null | sort -u | paste -s -d : -)
  after=${{after:+afterany:$after}}
fi
jobs=
trap '[ $? = 0 ] || [ -z "$jobs" ] || scancel $jobs' EXIT
trap 'exit 1' HUP INT TERM
submit() {{
  name=$1
  shift
  job=$(sbatch --parsable --kill-on-invalid-dep=yes ${{after:+--dependency="$after"}} "$@")
  job=${{job%%;*}}
  jobs="$jobs $job"
  echo "$name $job"
}}
{steps}echo $jobs | tr ' ' ',' >jobs
)sh";

bool is_plain(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
         std::string_view("_-./=+:,@%").find(c) != std::string_view::npos;
}

std::string option_name(const std::string& option) { return option.substr(0, option.find('=')); }

/// "#SBATCH --partition=long", a line for each.
std::string option_lines(const std::vector<std::string>& options) {
  check_sbatch_options(options);
  std::string lines;
  for (const std::string& option : options) {
    const std::string name = option_name(option), value = option.substr(name.size());  // with '='
    lines += fmt::format("#SBATCH --{}{}\n", name,
                         std::ranges::all_of(value, is_plain) ? value : fmt::format("=\"{}\"", value.substr(1)));
  }
  return lines;
}

std::string words(const std::vector<std::string>& some) {
  std::string text;
  for (const std::string& word : some) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

/// The lines that submit, each job after those before it.
std::string submission_steps(const SlurmHub& hub) {
  std::string steps;
  if (hub.pivot_first) steps += fmt::format("submit pivot --array=0 {}\nafter=afterok:$job\n", JobScripts::kLanguages);
  if (!hub.languages.empty())
    steps += fmt::format("submit languages --array=1-{} {}\nafter=afterany:$job\n", hub.languages.size(),
                         JobScripts::kLanguages);
  return steps + fmt::format("submit join {}\n", JobScripts::kJoin);
}

}  // namespace

void check_sbatch_options(const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    const std::string name = option_name(option);
    const bool is_name = !name.empty() && name.front() != '-' &&
                         std::ranges::all_of(name, [](char c) { return ('a' <= c && c <= 'z') || c == '-'; });
    const bool is_line = std::ranges::none_of(option, [](unsigned char c) { return c < ' ' || c == '"'; });
    if (!is_name || !is_line)
      throw UsageError(fmt::format("--sbatch {}: NAME=VALUE is wanted, as partition=long or time=12:00:00", option));
    if (std::ranges::find(kOwnOptions, name) != kOwnOptions.end())
      throw UsageError(
          fmt::format("--sbatch {}: the hub sets --{} itself; --no-submit writes scripts to be edited", option, name));
  }
}

std::string shell_word(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

JobScripts job_scripts(const SlurmHub& hub) {
  std::vector<std::string> command = {hub.program}, languages = {hub.pivot};
  command.insert(command.end(), hub.arguments.begin(), hub.arguments.end());
  languages.insert(languages.end(), hub.languages.begin(), hub.languages.end());
  const std::string threads = hub.threads_given ? "" : R"( --threads "${SLURM_CPUS_ON_NODE:-1}")";
  const std::string options = option_lines(hub.options);
  JobScripts scripts;
  scripts.languages =
      fmt::format(kLanguagesScript, fmt::arg("options", options), fmt::arg("languages", words(languages)),
                  fmt::arg("folder", shell_word(hub.working_folder)), fmt::arg("command", words(command)),
                  fmt::arg("threads", threads));
  scripts.join = fmt::format(kJoinScript, fmt::arg("options", options + option_lines(hub.join_options)),
                             fmt::arg("memory", hub.memory_given ? "" : kMemoryOfJob),
                             fmt::arg("memory_option", hub.memory_given ? "" : " ${memory:+--memory \"$memory\"}"),
                             fmt::arg("folder", shell_word(hub.working_folder)), fmt::arg("command", words(command)),
                             fmt::arg("threads", threads));
  scripts.submit = fmt::format(kSubmitScript, fmt::arg("steps", submission_steps(hub)));
  return scripts;
}

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
