#include "align/registry.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "align/alignment_plan.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"

namespace wordbridge::registry_test {
namespace {

using ::testing::ElementsAre;

TEST(Registry, NamesAreUniqueAndTheDefaultIsFirst) {
  std::set<std::string> names;
  for (const AlignMethod& method : align_methods()) EXPECT_TRUE(names.insert(method.name).second) << method.name;
  EXPECT_EQ(align_methods().front().name, AlignOptions().method);
  EXPECT_EQ(&align_method("smith"), &*std::ranges::find(align_methods(), "smith", &AlignMethod::name));
  EXPECT_THROW(align_method("best"), UsageError);
}

TEST(Registry, EveryMethodHasSoundDefaults) {
  for (const AlignMethod& method : align_methods()) {
    EXPECT_FALSE(method.summary.empty()) << method.name;
    EXPECT_NO_THROW(Normalizer::parse(method.normalization)) << method.name;
    EXPECT_EQ(std::ranges::count(vector_criterion_names(), method.criterion), 1) << method.name;
    AlignSettings settings;
    if (method.load != nullptr) {
      EXPECT_FALSE(method.load(settings).has_value());
    }
    EXPECT_NE(method.make(settings), nullptr) << method.name;
  }
}

TEST(Registry, NoMethodTakesTwoOptionsOfOneName) {
  for (const AlignMethod& method : align_methods()) {
    std::set<std::string> names;
    for (const std::string& name : options_of(method).names())
      EXPECT_TRUE(names.insert(name).second) << method.name << " " << name;
  }
  EXPECT_THAT(methods_with("ridge"), ElementsAre("least-squares", "mikolov", "dinu"));
  EXPECT_THAT(methods_with("dimensions"), ElementsAre("vecmap", "smith"));
  EXPECT_THAT(methods_with("reweight"), ElementsAre("vecmap"));
  EXPECT_TRUE(methods_with("refine").empty());
}

TEST(Registry, OptionsOfOneNameAreTheSame) {
  std::map<std::string, OptionInfo> known;
  for (const AlignMethod& method : align_methods()) {
    const AlignOptionList options = options_of(method);
    for (const auto& option : options.all()) {
      const OptionInfo info = option.info(), first = known.try_emplace(info.name, info).first->second;
      EXPECT_EQ(info.help_with_default(), first.help_with_default()) << info.name;
      EXPECT_EQ(info.value_name, first.value_name) << info.name;
      EXPECT_EQ(info.min, first.min) << info.name;
      EXPECT_EQ(info.max, first.max) << info.name;
      EXPECT_FALSE(info.help.empty() || info.help.ends_with('.')) << info.name;
    }
  }
}

std::map<std::string, std::string> description(const AlignMethod& method, const AlignSettings& settings) {
  return method.make(settings)->options();
}

TEST(Registry, SettingAnOptionToTheDefaultThatIsShownChangesNothing) {
  for (const AlignMethod& method : align_methods()) {
    const AlignOptionList options = options_of(method);
    for (const auto& option : options.all()) {
      AlignSettings settings;
      ASSERT_NO_THROW(option.set(settings, option.info().default_text)) << option.name();
      for (const auto& other : options.all())
        EXPECT_EQ(other.get(settings), other.info().default_text) << option.name() << " " << other.name();
      EXPECT_EQ(description(method, settings), description(method, {})) << method.name << " " << option.name();
    }
  }
}

/// A legal value that is not the default.
std::string another_value(const OptionInfo& option) {
  std::vector<std::string> candidates = option.choices;
  for (const char* number : {"3", "0.25", "1", "2", "0.75"}) candidates.emplace_back(number);
  if (option.name == "init") candidates = {"identity"};
  AlignSettings scratch;
  for (const std::string& candidate : candidates) try {
      for (const AlignMethod& method : align_methods())
        if (const auto* found = method.options.find(option.name)) found->set(scratch, candidate);
      if (candidate != option.default_text) return candidate;
    } catch (const UsageError&) {
    }
  ADD_FAILURE() << "no other value for " << option.name;
  return {};
}

TEST(Registry, EveryOptionOfAMethodShowsInItsDescription) {
  // What an option is mentioned with only.
  const std::map<std::string, std::pair<std::string, std::string>> needed = {
      {"temperature", {"loss", "logsumexp"}}, {"select-words", {"select", "unsupervised"}}};
  for (const AlignMethod& method : align_methods())
    for (const auto& option : method.options.all()) {
      AlignSettings before;
      if (option.name() == "choose") continue;  // the report of the choice tells
      if (const auto found = needed.find(option.name()); found != needed.end())
        method.options.set(before, found->second.first, found->second.second);
      AlignSettings after = before;
      option.set(after, another_value(option.info()));
      EXPECT_NE(description(method, after), description(method, before)) << method.name << " " << option.name();
    }
}

TEST(Registry, AllOptionsAreThoseOfAllMethodsEachOnce) {
  const AlignOptionList all = all_align_options();
  std::set<std::string> names, wanted;
  for (const std::string& name : all.names()) EXPECT_TRUE(names.insert(name).second) << name;
  for (const AlignMethod& method : align_methods()) {
    const std::vector<std::string> own = options_of(method).names();
    wanted.insert(own.begin(), own.end());
  }
  EXPECT_EQ(names, wanted);
}

// Whoever takes options from strangers refuses these; a new one that names a file is a file to read, or it writes.
TEST(Registry, OptionsThatWriteSaySo) {
  const AlignOptionList all = all_align_options();
  for (const auto& option : all.all()) {
    const OptionInfo info = option.info();
    const bool names_file = info.value_name == "FILE" || info.value_name == "FOLDER";
    EXPECT_TRUE(!names_file || info.is_file != info.writes) << info.name;
  }
  for (const char* name : {"log", "checkpoint", "resume"}) EXPECT_TRUE(all.find(name)->info().writes) << name;
  EXPECT_FALSE(all.find("validation")->info().writes);
}

TEST(Registry, SharedOptionsShowInTheDescriptionToo) {
  AlignSettings settings;
  settings.refine = 2;
  for (const auto& [name, value] : std::vector<std::pair<std::string, OptionValue>>{{"refine-direction", "union"},
                                                                                    {"refine-rank", 7},
                                                                                    {"refine-threshold", 0.5},
                                                                                    {"refine-min", 3},
                                                                                    {"refine-max", 9},
                                                                                    {"restarts", 8},
                                                                                    {"min-evidence", 0.75}}) {
    const auto& list = name.starts_with("refine") ? shared_refinement_options() : shared_restart_options();
    AlignSettings with = settings;
    list.options.set(with, name, value);
    std::string key = name;
    std::ranges::replace(key, '-', '_');
    const auto refined = refinement_options().describe(with.refinement);
    const auto restarted = restart_options().describe(with.restarts);
    EXPECT_EQ((name.starts_with("refine") ? refined : restarted).at(key), value.text());
  }
}

}  // namespace
}  // namespace wordbridge::registry_test
