#include "studio/project.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {
namespace project_test {

const ProjectIdentity kIdentity{"digest of a", "digest of b", "a", "b"};

class ProjectTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  static void run(const std::string& path, const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  /// The message of the error that opening it is.
  static std::string error_of(const std::string& path, const ProjectIdentity& identity = kIdentity) {
    try {
      Project project(path, identity);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(ProjectTest, KeepsDecisionsAndWhatStands) {
  {
    Project project(path("p"), kIdentity);
    const Decision first = project.decide({.source = "night", .target = "noche", .author = "me"});
    EXPECT_EQ(first.id, 1);
    EXPECT_EQ(first.time.size(), 24U);
    project.decide({.source = "night", .target = "noche", .verdict = Verdict::rejected, .author = "you"});
    project.decide({.source = "<b>'\"", .target = "\xe5\xa4\x9c", .author = "me"});
    project.decide({.source = "the", .verdict = Verdict::skipped, .author = "me"});
  }
  Project project(path("p"), kIdentity);
  auto standing = project.standing();
  ASSERT_EQ(standing.size(), 3U);
  EXPECT_EQ(standing[0].verdict, Verdict::rejected);
  EXPECT_EQ(standing[1].source, "<b>'\"");
  EXPECT_EQ(standing[2].target, "");
  EXPECT_EQ(project.undo(2)->verdict, Verdict::rejected);
  EXPECT_FALSE(project.undo(2).has_value());
  EXPECT_FALSE(project.undo(99).has_value());
  EXPECT_EQ(project.standing("night", "noche")->verdict, Verdict::accepted);
  EXPECT_FALSE(project.standing("night", "dia").has_value());
  const auto all = project.decisions(0, 10);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all.front().id, 4);
  EXPECT_TRUE(all[2].undone);
  EXPECT_EQ(project.decisions(3, 1).front().id, 2);
}

TEST_F(ProjectTest, ManyAtOnceAreAllOrNone) {
  Project project(path("p"), kIdentity);
  std::vector<Decision> many(100, {.source = "a", .target = "b", .author = "me"});
  many.back().mapping = 77;  // there is no such mapping
  EXPECT_THROW(project.decide_all(many), InputError);
  EXPECT_TRUE(project.standing().empty());
  many.back().mapping = 0;
  EXPECT_EQ(project.decide_all(many), 100U);
  EXPECT_EQ(project.standing().size(), 1U);
}

TEST_F(ProjectTest, KeepsMappingsMapsAndSettings) {
  Project project(path("p"), kIdentity);
  const std::string bytes("\0binary\xff", 8);
  const auto id = project.add_mapping({.name = "first", .state = "given", .facts = {{"p", 1.5}}}, bytes);
  EXPECT_EQ(project.mapping_bytes(id), bytes);
  project.set_state(id, "kept");
  project.set_facts(id, Json{{"p", 2.5}});
  EXPECT_EQ(project.mapping(id)->state, "kept");
  EXPECT_EQ(project.mappings().front().facts.at("p").get<double>(), 2.5);
  EXPECT_FALSE(project.mapping(99).has_value());
  EXPECT_THROW(project.mapping_bytes(99), InputError);
  EXPECT_THROW(project.set_state(id, "wrong"), InputError);
  project.keep_map(id, "umap 10", "one");
  project.keep_map(id, "umap 10", bytes);
  EXPECT_EQ(project.map(id, "umap 10"), bytes);
  EXPECT_FALSE(project.map(id, "umap 20").has_value());
  EXPECT_THROW(project.keep_map(99, "umap 10", "x"), InputError);
  EXPECT_EQ(project.setting("x", "none"), "none");
  project.set("x", "1");
  project.set("x", "2");
  EXPECT_EQ(project.setting("x"), "2");
}

TEST_F(ProjectTest, TwoProgramsAtOnce) {
  Project one(path("p"), kIdentity), two(path("p"), kIdentity);
  const auto seen = one.written_elsewhere();
  EXPECT_EQ(one.written_elsewhere(), seen);
  two.decide({.source = "a", .target = "b", .author = "two"});
  EXPECT_NE(one.written_elsewhere(), seen);
  EXPECT_EQ(one.standing().size(), 1U);
  std::vector<std::thread> threads;
  for (Project* project : {&one, &two, &one})
    threads.emplace_back([project] {
      for (int i = 0; i < 20; ++i) project->decide({.source = "w" + std::to_string(i), .target = "x", .author = "a"});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(two.decisions(0, 1000).size(), 61U);
}

TEST_F(ProjectTest, RefusesWhatIsNoProjectOfTheseVectors) {
  { Project project(path("p"), kIdentity); }
  EXPECT_NE(error_of(path("p"), {"other", "digest of b", "a", "b"}).find("of other source words, those of 'a'"),
            std::string::npos);
  std::ofstream(path("text")) << std::string(5000, 'x');
  EXPECT_NE(error_of(path("text")).find("not a database"), std::string::npos);
  run(path("foreign"), "CREATE TABLE t (x)");
  EXPECT_NE(error_of(path("foreign")).find("no project of the studio"), std::string::npos);
  run(path("p"), "PRAGMA user_version = 99");
  EXPECT_NE(error_of(path("p")).find("version 99"), std::string::npos);
  EXPECT_NE(error_of(path("no/such/folder/p")).find("cannot open"), std::string::npos);
  std::filesystem::create_directory(path("folder"));
  EXPECT_NE(error_of(path("folder")), "");
}

TEST_F(ProjectTest, BringsEarlierVersionsUpToDate) {
  {
    Project project(path("p"), kIdentity);
    project.decide({.source = "a", .target = "b", .author = "me"});
  }
  // As version 1 left it: without maps.
  run(path("p"), "DROP TABLE maps; PRAGMA user_version = 1");
  Project project(path("p"), kIdentity);
  EXPECT_EQ(project.standing().size(), 1U);
  project.keep_map(0, "pca", "x");
}

TEST_F(ProjectTest, DamageIsFoundOrHarmless) {
  {
    Project project(path("p"), kIdentity);
    for (int i = 0; i < 300; ++i) project.decide({.source = "w" + std::to_string(i), .target = "x", .author = "me"});
  }
  std::ifstream in(path("p"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  ASSERT_GT(whole.size(), 20'000U);
  const auto opened = [&](const std::string& bytes) {
    const std::string damaged = path("damaged");
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(damaged + end);
    std::ofstream(damaged, std::ios::binary) << bytes;
    try {
      Project project(damaged, kIdentity);
      project.standing();
      project.decisions(0, 1000);
    } catch (const Error&) {
    }
  };
  for (std::size_t length = 0; length < whole.size(); length += 1777) opened(whole.substr(0, length));
  for (std::size_t place = 0; place < whole.size(); place += 331) {
    std::string bytes = whole;
    for (std::size_t i = place; i < std::min(place + 8, bytes.size()); ++i) bytes[i] = static_cast<char>(~bytes[i]);
    opened(bytes);
  }
}

}  // namespace project_test
}  // namespace wordbridge::studio
