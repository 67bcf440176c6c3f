#include "cli/commands/command.h"

#ifdef WORDBRIDGE_WITHOUT_STUDIO
#define WORDBRIDGE_STUDIO_COMMANDS
#else
#define WORDBRIDGE_STUDIO_COMMANDS COMMAND(studio) COMMAND(serve)
#endif

// One line a command, in the order of --help: COMMAND(x) stands for the entry x_command() of x_command.cc.
#define WORDBRIDGE_COMMANDS     \
  COMMAND(align)                \
  COMMAND(adapt)                \
  COMMAND(prepare)              \
  COMMAND(translate)            \
  COMMAND(neighbors)            \
  COMMAND(induce)               \
  COMMAND(evaluate_translation) \
  COMMAND(evaluate_analogy)     \
  COMMAND(evaluate_similarity)  \
  COMMAND(evaluate_hubness)     \
  COMMAND(evaluate_sentences)   \
  COMMAND(evaluate_retrieval)   \
  COMMAND(evaluate_all)         \
  COMMAND(drift)                \
  COMMAND(report)               \
  COMMAND(reproduce)            \
  COMMAND(download)             \
  COMMAND(hub)                  \
  WORDBRIDGE_STUDIO_COMMANDS    \
  COMMAND(apply)                \
  COMMAND(convert)              \
  COMMAND(inspect)              \
  COMMAND(export)               \
  COMMAND(encoder)              \
  COMMAND(invert)               \
  COMMAND(compose)              \
  COMMAND(import)               \
  COMMAND(completion)

namespace wordbridge::cli {

#define COMMAND(name) CommandEntry name##_command();
WORDBRIDGE_COMMANDS
#undef COMMAND

std::span<const CommandEntry> all_commands() {
  static const CommandEntry commands[] = {
#define COMMAND(name) name##_command(),
      WORDBRIDGE_COMMANDS
#undef COMMAND
  };
  return commands;
}

}  // namespace wordbridge::cli
