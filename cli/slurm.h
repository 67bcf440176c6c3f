#pragma once
#include <string>
#include <vector>

namespace wordbridge::cli {

/// A hub that Slurm is to make: one task a language, then one job that joins them.
struct SlurmHub {
  std::string program;                    // an absolute path, as the one below
  std::string working_folder;             // in which the arguments are meant
  std::vector<std::string> arguments;     // of the program: "hub", "languages.toml", "-o", "space"
  std::string pivot;                      //
  bool pivot_first = false;               // a task of its own keeps its table before all others start
  std::vector<std::string> languages;     // a task each
  std::vector<std::string> options;       // of sbatch for all jobs, without dashes: "partition=long", "exclusive"
  std::vector<std::string> join_options;  // of the last job, over the others
  bool threads_given = false, memory_given = false;  // among the arguments: else they are those of the allocation
};

/// The contents of the files that make it, all for one folder.
struct JobScripts {
  static constexpr const char* kLanguages = "languages.sh";
  static constexpr const char* kJoin = "join.sh";
  static constexpr const char* kSubmit = "submit.sh";

  std::string languages;  // a task of the array; its number tells which language
  std::string join;
  std::string submit;  // hands both to sbatch, and prints "languages 12", "join 13"
};

JobScripts job_scripts(const SlurmHub& hub);

/// UsageError for invalid options of sbatch.
void check_sbatch_options(const std::vector<std::string>& options);

/// A word as the shell reads it back: in quotes where it must be.
std::string shell_word(const std::string& text);

/// Error where there is no sbatch in the path.
void require_slurm();

/// Writes the scripts into a folder, which is made where it is missing, and gives the path of the one that submits.
std::string write_scripts(const JobScripts& scripts, const std::string& folder);

/// Runs it, and gives what it prints: the numbers of the jobs. Error where sbatch refuses; what it says goes to
/// standard error, and nothing stays submitted.
std::string submit_jobs(const std::string& script);

}  // namespace wordbridge::cli
