#include "hub/hub_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "hub/hub_test_support.h"
#include "parallel/communicator_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/hub.h"

namespace wordbridge::hub_runner_test {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

const std::vector<std::string> kResults = {"manifest.json", "languages/de.wbmap", "languages/es.wbmap",
                                           "languages/fr.wbmap"};

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

HubManifest run(const LanguageList& list, const std::string& folder, RememberingHubObserver& observer) {
  return HubRunner(list, {.folder = folder}, observer).run();
}

HubManifest run(const LanguageList& list, const std::string& folder) {
  RememberingHubObserver observer;
  return run(list, folder, observer);
}

TEST(HubRunner, AlignsAndMeasuresAllPairs) {
  const HubExample example;
  RememberingHubObserver observer;
  const HubManifest manifest = run(example.list(), example.output(), observer);
  EXPECT_THAT(observer.failures, IsEmpty());
  EXPECT_EQ(manifest.languages.size(), 4u);
  const HubManifest::Scores& scores = manifest.scores.at(HubMaps::star);
  EXPECT_EQ(scores.size(), 12u);
  for (const auto& [pair, record] : scores) {
    EXPECT_TRUE(record.measured()) << pair.first << " " << pair.second << ": " << record.problem;
    EXPECT_GT(record.precision[0], 80) << pair.first << " " << pair.second;
    EXPECT_EQ(record.hubness.has_value(), pair.first == "en" || pair.second == "en");
  }
  EXPECT_EQ(scores.at({"es", "en"}).origin, "given");
  EXPECT_EQ(scores.at({"en", "es"}).origin, "reversed");
  EXPECT_EQ(scores.at({"es", "fr"}).origin, "joined");
  EXPECT_EQ(scores.at({"es", "de"}).origin, "reversed, held out");
  EXPECT_EQ(scores.at({"es", "en"}).covered, 40u);
}

TEST(HubRunner, TheSameBytesForAnyNumberOfThreadsAndAnyMemory) {
  const HubExample example;
  for (const int threads : {1, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    RememberingHubObserver observer;
    HubRunner(example.list(), {.folder = example.output(std::to_string(threads)), .memory = threads == 1 ? 1u : 0u},
              observer)
        .run();
  }
  for (const std::string& name : kResults)
    EXPECT_EQ(bytes_of(example.output("1") + "/" + name), bytes_of(example.output("3") + "/" + name)) << name;
}

TEST(HubRunner, WhatIsFinishedIsNotDoneAgain) {
  const HubExample example;
  run(example.list(), example.output());
  const auto time = fs::last_write_time(example.output() + "/languages/es.wbmap");
  RememberingHubObserver observer;
  run(example.list(), example.output(), observer);
  EXPECT_THAT(observer.notes, ElementsAre("3 languages finished before"));
  EXPECT_EQ(fs::last_write_time(example.output() + "/languages/es.wbmap"), time);
  // Another lexicon: that language is aligned again, and no other.
  example.folder().write("es-en.train.txt", "es0 en0\nes1 en1\nes2 en2\nes3 en3\nes4 en4\nes5 en5\n");
  run(example.list(), example.output(), observer);
  EXPECT_THAT(observer.notes, Contains("2 languages finished before"));
  EXPECT_THAT(observer.notes, Contains(HasSubstr("es: aligned")));
}

TEST(HubRunner, GoesOnWhereAnythingIsMissingOrDamaged) {
  const HubExample example;
  run(example.list(), example.output());
  const std::string folder = example.output() + "/", before = bytes_of(folder + "manifest.json");
  std::vector<std::string> names = {"languages/es.wbmap", "vectors/es.wbvec",   "vectors/en.wbvec",
                                    "work/es.star.json",  "work/es.table.json", "work/en+es.star.json",
                                    "manifest.json"};
  for (const auto& entry : fs::directory_iterator(folder + "work/digests"))
    names.push_back("work/digests/" + entry.path().filename().string());
  for (const std::string& name : names) {
    const std::string content = bytes_of(folder + name);
    ASSERT_FALSE(content.empty()) << name;
    fs::remove(folder + name);
    run(example.list(), example.output());
    EXPECT_EQ(bytes_of(folder + "manifest.json"), before) << name;
    std::string damaged = content;
    damaged[damaged.size() / 2] ^= 0x10;
    std::ofstream(folder + name, std::ios::binary) << damaged;
    run(example.list(), example.output());
    EXPECT_EQ(bytes_of(folder + "manifest.json"), before) << name;
    std::ofstream(folder + name, std::ios::binary) << content;
  }
}

TEST(HubRunner, ALanguageThatFailsStopsNoOther) {
  const HubExample example;
  LanguageList list = example.list();
  list.languages.push_back({"xx", example.folder().write("xx.vec", "2 10\nx 1 2\n")});  // damaged
  list.lexicons[{"xx", "en"}] = list.lexicons[{"es", "en"}];
  list.languages.push_back({"yy", example.folder().path("missing.vec")});
  list.lexicons[{"yy", "en"}] = list.lexicons[{"es", "en"}];
  list.languages.push_back({"zz", example.folder().path("es.vec")});  // no lexicon
  list.check();
  RememberingHubObserver observer;
  const HubManifest manifest = run(list, example.output(), observer);
  EXPECT_EQ(manifest.languages.size(), 4u);
  EXPECT_EQ(manifest.failed.size(), 3u);
  EXPECT_THAT(manifest.failed.at("xx"), HasSubstr("xx.vec:1"));
  EXPECT_THAT(manifest.failed.at("yy"), HasSubstr("missing.vec"));
  EXPECT_THAT(manifest.failed.at("zz"), HasSubstr("there is no train lexicon zz-en or en-zz"));
  EXPECT_EQ(observer.failures.size(), 3u);
  // Mended, it joins the others, which stay.
  example.folder().write("xx.vec", example.folder().read("es.vec"));
  list.languages[4].vectors = example.folder().path("xx.vec");
  observer.notes.clear();
  EXPECT_EQ(run(list, example.output(), observer).languages.size(), 5u);
  EXPECT_THAT(observer.notes, Contains("3 languages finished before"));
}

TEST(HubRunner, LanguagesAlignedApartAreJoinedToTheSameBytes) {
  const HubExample example;
  LanguageList list = example.list();
  list.joint = true;
  list.languages.push_back({"xx", example.folder().write("xx.vec", "2 10\nx 1 2\n")});  // damaged
  list.lexicons[{"xx", "en"}] = list.lexicons[{"es", "en"}];
  list.languages.push_back({"zz", example.folder().path("es.vec")});  // no lexicon
  list.check();
  run(list, example.output("whole"));

  const HubOptions options{.folder = example.output()}, joining{.folder = example.output(), .align = false};
  RememberingHubObserver observer;
  const HubTasks all = HubRunner(list, options, observer).open_tasks();
  EXPECT_TRUE(all.pivot);
  EXPECT_THAT(all.languages, ElementsAre("de", "es", "fr", "xx"));
  EXPECT_THAT(observer.failures, ElementsAre(HasSubstr("zz: there is no train lexicon")));
  EXPECT_THAT(HubRunner(list, options, observer).align_only({"en"}), IsEmpty());
  EXPECT_TRUE(fs::exists(example.output() + "/vectors/en.wbvec"));
  EXPECT_THAT(HubRunner(list, options, observer).align_only({"fr", "de"}), IsEmpty());
  EXPECT_EQ(HubRunner(list, options, observer).align_only({"xx"}).count("xx"), 1u);
  const HubTasks open = HubRunner(list, options, observer).open_tasks();
  EXPECT_FALSE(open.pivot);
  EXPECT_THAT(open.languages, ElementsAre("es", "xx"));

  const HubManifest incomplete = HubRunner(list, joining, observer).run();
  EXPECT_EQ(incomplete.failed.at("es"), "it has not been aligned yet");
  EXPECT_THAT(incomplete.failed.at("xx"), HasSubstr("xx.vec:1"));
  EXPECT_FALSE(fs::exists(example.output() + "/languages/es.wbmap"));
  HubRunner(list, options, observer).align_only({"es"});
  HubRunner(list, joining, observer).run();
  for (const std::string name : {"manifest.json", "languages/de.wbmap", "languages/es.wbmap", "languages/fr.wbmap",
                                 "joint/de.wbmap", "joint/es.wbmap", "joint/fr.wbmap", "vectors/en.wbvec"})
    EXPECT_EQ(bytes_of(example.output() + "/" + name), bytes_of(example.output("whole") + "/" + name)) << name;
  EXPECT_THROW(HubRunner(list, options, observer).align_only({"nn"}), UsageError);
}

TEST(HubRunner, ATestLexiconThatCannotBeReadIsToldWithTheScores) {
  const HubExample example;
  LanguageList list = example.list();
  list.lexicons[{"es", "en"}].test = example.folder().path("missing.txt");
  list.lexicons[{"fr", "en"}].test = example.folder().write("bad.txt", "a b c\n");
  const HubManifest manifest = run(list, example.output());
  EXPECT_EQ(manifest.languages.size(), 4u);
  const HubManifest::Scores& scores = manifest.scores.at(HubMaps::star);
  EXPECT_THAT(scores.at({"es", "en"}).problem, HasSubstr("missing.txt: cannot be read"));
  EXPECT_THAT(scores.at({"fr", "en"}).problem, HasSubstr("bad.txt:1"));
  EXPECT_TRUE(scores.at({"de", "en"}).measured());
  EXPECT_EQ(manifest.score("es", "en"), nullptr);
}

TEST(HubRunner, SettingsThatCannotBeAreRefusedBeforeAnythingIsRead) {
  const HubExample example;
  LanguageList list = example.list();
  list.options.emplace("learning-rate", 3);
  RememberingHubObserver observer;
  EXPECT_THROW(HubRunner(list, {.folder = example.output()}, observer), UsageError);
  list = example.list();
  list.method = "rcsls";
  list.options.emplace("log", "log.jsonl");
  EXPECT_THROW(HubRunner(list, {.folder = example.output()}, observer), UsageError);
  list = example.list();
  list.languages[2].vectors = example.output() + "/vectors/../vectors/es.wbvec";
  EXPECT_THROW(HubRunner(list, {.folder = example.output()}, observer), UsageError);  // it would be overwritten
  EXPECT_FALSE(fs::exists(example.output()));
  list = example.list();
  list.find("en");
  list.languages[1].vectors = example.folder().path("missing.vec");
  EXPECT_THROW(run(list, example.output()), IoError);  // without the pivot there is nothing to do
}

TEST(HubRunner, MethodsOfLanguagesMayDiffer) {
  const HubExample example;
  LanguageList list = example.list();
  list.languages[0].method = "smith";  // moves both sides
  list.languages[2].method = "unsupervised";
  const HubManifest manifest = run(list, example.output());
  EXPECT_EQ(manifest.find("de")->method, "smith");
  EXPECT_GT(manifest.score("de", "fr")->precision[0], 80);
  EXPECT_GT(manifest.score("fr", "de")->precision[0], 80);
  EXPECT_THAT(manifest.failed, testing::Not(Contains(testing::Key("fr"))));
}

TEST(HubRunner, JointMapsAreComparedWithTheStarOnHeldOutWords) {
  const HubExample example;
  LanguageList list = example.list();
  list.joint = true;
  RememberingHubObserver observer;
  const HubManifest manifest = run(list, example.output(), observer);
  ASSERT_TRUE(manifest.comparison.has_value());
  EXPECT_EQ(manifest.comparison->directions, 12u);
  EXPECT_EQ(manifest.comparison->pivot_directions, 6u);
  EXPECT_GT(manifest.comparison->joint, 80);
  EXPECT_EQ(manifest.recommended,
            manifest.comparison->joint > manifest.comparison->star ? HubMaps::joint : HubMaps::star);
  const std::string before = bytes_of(example.output() + "/manifest.json");
  // A round that is missing is learned again, to the same bytes; so is everything on one thread.
  fs::remove(example.output() + "/joint/es.wbmap");
  fs::remove(example.output() + "/work/es.round1.wbmap");
  run(list, example.output());
  EXPECT_EQ(bytes_of(example.output() + "/manifest.json"), before);
  Context context({.threads = 1});
  const Context::Scope scope(context);
  run(list, example.output("other"));
  EXPECT_EQ(bytes_of(example.output("other") + "/manifest.json"), before);
  for (const std::string name : {"/joint/de.wbmap", "/joint/es.wbmap"})
    EXPECT_EQ(bytes_of(example.output() + name), bytes_of(example.output("other") + name)) << name;
}

TEST(HubRunner, SeveralProcessesMakeTheSameFilesTogether) {
  const HubExample example;
  LanguageList list = example.list();
  list.joint = true;
  list.languages.push_back({"xx", example.folder().write("xx.vec", "2 10\nx 1 2\n")});  // damaged
  list.lexicons[{"xx", "en"}] = list.lexicons[{"es", "en"}];
  run(list, example.output());
  for (const int size : {2, 3}) {
    const std::string folder = example.output(std::to_string(size));
    std::vector<std::string> manifests(static_cast<std::size_t>(size));
    run_ranks(size, [&](Communicator& communicator) {
      RememberingHubObserver observer;
      manifests[static_cast<std::size_t>(communicator.rank())] =
          to_json(HubRunner(list, {.folder = folder}, observer, communicator).run());
      EXPECT_EQ(observer.failures.size(), 1u);
    });
    EXPECT_THAT(manifests, testing::Each(bytes_of(example.output() + "/manifest.json")));
    for (const std::string name : {"manifest.json", "languages/de.wbmap", "joint/es.wbmap", "joint/fr.wbmap"})
      EXPECT_EQ(bytes_of(folder + "/" + name), bytes_of(example.output() + "/" + name)) << name;
    for (const auto& entry : fs::directory_iterator(folder + "/work"))
      EXPECT_THAT(entry.path().string(), testing::Not(HasSubstr("claims")));  // none is left
  }
}

}  // namespace wordbridge::hub_runner_test
