#pragma once
#include <string>

#include "cli/slurm/job_scripts.h"

namespace wordbridge::cli {

/// Error where there is no sbatch in the path.
void require_slurm();

/// Writes the scripts into a folder, which is made where it is missing, and gives the path of the one that submits.
std::string write_scripts(const JobScripts& scripts, const std::string& folder);

/// Runs it, and gives what it prints: the numbers of the jobs. Error where sbatch refuses; what it says goes to
/// standard error, and nothing stays submitted.
std::string submit_jobs(const std::string& script);

}  // namespace wordbridge::cli
