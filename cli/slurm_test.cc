#include "cli/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::cli::slurm_test {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

SlurmHub example() {
  return {.program = "/usr/bin/wordbridge",
          .working_folder = "/home/a b",
          .arguments = {"hub", "list.toml", "-o", "it's"},
          .pivot = "en",
          .pivot_first = true,
          .languages = {"de", "es"},
          .options = {"partition=long", "exclusive", "comment=two words"},
          .join_options = {"time=1-0"}};
}

TEST(JobScripts, ATaskTakesTheLanguageOfItsNumber) {
  const std::string script = job_scripts(example()).languages;
  EXPECT_THAT(script, HasSubstr("#SBATCH --partition=long\n#SBATCH --exclusive\n#SBATCH --comment=\"two words\"\n"));
  EXPECT_THAT(script, Not(HasSubstr("--time")));
  EXPECT_THAT(script, HasSubstr("set -- en de es\nshift \"${SLURM_ARRAY_TASK_ID:?}\"\ncd '/home/a b' || exit\n"));
  EXPECT_THAT(script, EndsWith("exec /usr/bin/wordbridge hub list.toml -o 'it'\\''s' --language \"$1\" --threads "
                               "\"${SLURM_CPUS_ON_NODE:-1}\"\n"));
}

TEST(JobScripts, TheLastJobJoinsWithWhatItIsGiven) {
  SlurmHub hub = example();
  EXPECT_THAT(job_scripts(hub).join, HasSubstr("#SBATCH --comment=\"two words\"\n#SBATCH --time=1-0\nmemory="));
  EXPECT_THAT(job_scripts(hub).join, EndsWith(" --join --threads \"${SLURM_CPUS_ON_NODE:-1}\" "
                                              "${memory:+--memory \"$memory\"}\n"));
  hub.threads_given = hub.memory_given = true;
  EXPECT_THAT(job_scripts(hub).join, EndsWith("exec /usr/bin/wordbridge hub list.toml -o 'it'\\''s' --join\n"));
}

TEST(JobScripts, EachJobWaitsForThoseBefore) {
  SlurmHub hub = example();
  EXPECT_THAT(job_scripts(hub).submit, HasSubstr("submit pivot --array=0 languages.sh\n"
                                                 "after=afterok:$job\n"
                                                 "submit languages --array=1-2 languages.sh\n"
                                                 "after=afterany:$job\n"
                                                 "submit join join.sh\n"));
  hub.pivot_first = false;
  EXPECT_THAT(job_scripts(hub).submit, Not(HasSubstr("pivot")));
  hub.languages.clear();
  EXPECT_THAT(job_scripts(hub).submit, Not(HasSubstr("--array")));
}

TEST(JobScripts, OptionsThatCannotBe) {
  for (const std::string option : {"", "=long", "--partition=long", "Partition=long", "comment=a\nb", "comment=\"a",
                                   "array=1-3", "dependency=singleton", "a b=c"}) {
    SlurmHub hub = example();
    hub.join_options = {option};
    EXPECT_THROW(job_scripts(hub), UsageError) << option;
  }
}

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("a/b-c_1.vec"), "a/b-c_1.vec");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a$(b) 'c'\n"), "'a$(b) '\\''c'\\''\n'");
}

}  // namespace

}  // namespace wordbridge::cli::slurm_test
