#include "wordbridge/hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "hub/hub_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/translate.h"

namespace wordbridge::hub_test {

using testing::ElementsAre;

TEST(Hub, TranslatesBetweenAllLanguages) {
  const HubExample example;
  RememberingHubObserver observer;
  HubRunner(example.list(), {.folder = example.output()}, observer).run();
  const Hub hub(example.output());
  EXPECT_EQ(hub.pivot(), "en");
  EXPECT_THAT(hub.languages(), ElementsAre("de", "en", "es", "fr"));
  EXPECT_TRUE(hub.failed().empty());
  for (const std::string& source : hub.languages())
    for (const std::string& target : hub.languages()) {
      if (source == target) continue;
      const Translator translator(hub.space(source, target));
      EXPECT_EQ(translator.translate(source + "3", 1).candidates.at(0).word, target + "3") << source;
      EXPECT_GT(hub.precision(source, target).value_or(0), 80);
    }
}

TEST(Hub, AllLanguagesMeetInThePivotsSpace) {
  const HubExample example;
  RememberingHubObserver observer;
  HubRunner(example.list(), {.folder = example.output()}, observer).run();
  const Hub hub(example.output());
  const CommonSpace space(hub.mapping("es").apply(hub.vectors("es"), Side::source, true),
                          hub.mapping("de").apply(hub.vectors("de"), Side::source, true));
  EXPECT_EQ(Translator(space).translate("es7", 1).candidates.at(0).word, "de7");
  EXPECT_EQ(hub.mapping("en").source_map(), Matrix::identity(10));
}

TEST(Hub, SaysWhatItDoesNotHave) {
  const HubExample example;
  LanguageList list = example.list();
  list.languages.push_back({"xx", example.folder().path("missing.vec")});
  RememberingHubObserver observer;
  HubRunner(list, {.folder = example.output()}, observer).run();
  const Hub hub(example.output());
  EXPECT_THROW(hub.vectors("pt"), UsageError);
  EXPECT_THROW(hub.mapping("es", "xx"), UsageError);  // it failed
  EXPECT_THROW(hub.mapping("es", "es"), UsageError);
  EXPECT_EQ(hub.failed().size(), 1u);
  EXPECT_THROW(Hub(example.folder().path("missing")), IoError);
  std::filesystem::create_directory(example.folder().path("empty"));
  example.folder().write("empty/manifest.json", "{}");
  EXPECT_THROW(Hub(example.folder().path("empty")), InputError);
}

}  // namespace wordbridge::hub_test
