#include "base/result_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::result_cache_test {
namespace {

using ::testing::Optional;

struct ResultCacheTest : ::testing::Test {
  ~ResultCacheTest() override { std::filesystem::remove_all(folder.path("cache")); }
  TemporaryFolder folder;
};

TEST_F(ResultCacheTest, WhatWasStoredIsFoundLater) {
  const std::string key = ResultCache::key_of({{"a", "1"}});
  {
    ResultCache cache(folder.path("cache"), false);
    EXPECT_FALSE(cache.find(key));
    cache.store(key, "{}");
    EXPECT_THAT(cache.find(key), Optional(std::string("{}")));
  }
  EXPECT_TRUE(ResultCache(folder.path("cache"), false).find(key));
}

TEST_F(ResultCacheTest, AFreshOneFindsOnlyItsOwn) {
  const std::string old = ResultCache::key_of({{"a", "1"}}), young = ResultCache::key_of({{"a", "2"}});
  ResultCache(folder.path("cache"), false).store(old, "1");
  ResultCache fresh(folder.path("cache"), true);
  EXPECT_FALSE(fresh.find(old));
  fresh.store(young, "2");
  EXPECT_TRUE(fresh.find(young));
}

TEST_F(ResultCacheTest, KeysTellEveryPartApart) {
  EXPECT_EQ(ResultCache::key_of({{"a", "1"}, {"b", "2"}}), ResultCache::key_of({{"b", "2"}, {"a", "1"}}));
  EXPECT_NE(ResultCache::key_of({{"a", "1"}}), ResultCache::key_of({{"a", "2"}}));
  EXPECT_NE(ResultCache::key_of({{"a", "1"}}), ResultCache::key_of({{"b", "1"}}));
  EXPECT_NE(ResultCache::key_of({{"a", "1\nb 1 2"}}), ResultCache::key_of({{"a", "1"}, {"b", "2"}}));
}

TEST_F(ResultCacheTest, DigestsFollowTheContent) {
  const std::string path = folder.write("x", "one");
  ResultCache cache(folder.path("cache"), false);
  const std::string one = cache.digest(path);
  EXPECT_EQ(one, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");  // echo -n one | sha256sum
  EXPECT_EQ(cache.digest(folder.write("y", "one")), one);
  folder.write("x", "three");
  EXPECT_NE(cache.digest(path), one);
  EXPECT_THROW(cache.digest(folder.path("nothing")), IoError);
  folder.write("x", "one");
  EXPECT_EQ(ResultCache(folder.path("cache"), false).digest(path), one);
}

TEST_F(ResultCacheTest, DigestsAreKnownWithoutReadingAndNotLostByOthers) {
  const std::string x = folder.write("x", "one"), y = folder.write("y", "two");
  const ResultCache cache(folder.path("cache"), false), other(folder.path("cache"), false);
  EXPECT_EQ(cache.known_digest(x), std::nullopt);
  EXPECT_THROW(cache.known_digest(folder.path("nothing")), IoError);
  const std::string digest = cache.digest(x);
  other.digest(y);
  EXPECT_EQ(other.known_digest(x), digest);
  EXPECT_EQ(ResultCache(folder.path("cache"), false).known_digest(x), digest);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("cache/digests")))
    std::ofstream(entry.path()) << "damaged";
  EXPECT_EQ(cache.known_digest(x), std::nullopt);
  EXPECT_EQ(cache.digest(x), digest);
}

TEST_F(ResultCacheTest, FilesBesideResults) {
  ResultCache cache(folder.path("cache"), true);
  const std::string key = ResultCache::key_of({});
  EXPECT_FALSE(cache.has(key, ".wbmap"));
  folder.write("cache/" + key + ".wbmap", "x");
  EXPECT_FALSE(cache.has(key, ".wbmap")) << "from before";
  cache.made(key);
  EXPECT_TRUE(cache.has(key, ".wbmap"));
}

TEST_F(ResultCacheTest, AFolderThatCannotBe) {
  EXPECT_THROW(ResultCache(folder.write("file", "") + "/cache", false), IoError);
}

}  // namespace
}  // namespace wordbridge::result_cache_test
