#include "cli/training_options.h"

#include "cli/arguments.h"

namespace wordbridge::cli {

void TrainingOptions::declare(Arguments& arguments) {
  arguments.heading(kHeading);
  arguments.text("--validation", validation, "FILE",
                 "Lexicon on which rcsls selects, instead of a split; methods without a lexicon only report on it");
  arguments.text("--log", log, "FILE", "Write the course of training, one JSON object a line");
  arguments.text("--checkpoint", checkpoint, "FOLDER", "Save the state there as training goes on");
  arguments.flag("--resume", resume, "Go on from the checkpoint, where there is one");
}

void RestartChoice::declare(Arguments& arguments) {
  arguments.heading(kHeading);
  arguments.number("--restarts", restarts, 1, 1'000'000,
                   "Tries at most, with one seed after the other, until one is evidently right (default: 3)");
  arguments.number("--min-evidence", min_evidence,
                   "Fail where one half of the pairs found predicts the other by less than this share of the way from "
                   "chance to certainty (default: 0.3; -1: never)");
}

}  // namespace wordbridge::cli
