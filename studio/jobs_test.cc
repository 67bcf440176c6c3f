#include "studio/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace wordbridge::studio {
namespace jobs_test {

using namespace std::chrono_literals;

/// The last thing that is told of a job.
Json end_of(EventBus::Listener& listener, std::uint64_t id) {
  while (const auto event = listener.next(60s)) {
    const Json data = Json::parse(event->data);
    if (event->kind == "job" && data.at("id").get<std::uint64_t>() == id && data.at("state").text() != "waiting" &&
        data.at("state").text() != "running")
      return data;
  }
  return {};
}

TEST(Jobs, TellHowTheyGoAndHowTheyEnd) {
  EventBus bus;
  Jobs jobs(bus, 1, 1);
  const auto listener = bus.listen();
  const auto good = jobs.start("good", [] {
    Stage stage("half");
    stage.update(1, 2);
    return Json{{"answer", 42}};
  });
  const Json ended = end_of(*listener, *good);
  EXPECT_EQ(ended.at("state").text(), "done");
  EXPECT_EQ(ended.at("result").at("answer").get<int>(), 42);
  EXPECT_EQ(ended.at("stage").text(), "half");
  const auto bad = jobs.start("bad", []() -> Json { throw std::runtime_error("no luck"); });
  EXPECT_EQ(end_of(*listener, *bad).at("error").text(), "no luck");
  EXPECT_EQ(jobs.all().size(), 2U);
  EXPECT_FALSE(jobs.busy("good"));
  EXPECT_FALSE(jobs.status(99).has_value());
}

TEST(Jobs, CanBeCancelledWhileTheyRunAndWhileTheyWait) {
  EventBus bus;
  Jobs jobs(bus, 1, 1);
  const auto listener = bus.listen();
  std::atomic<bool> began = false;
  const auto long_one = jobs.start("long", [&]() -> Json {
    began = true;
    began.notify_all();
    for (;;) Context::poll();
  });
  const auto next = jobs.start("next", [] { return Json::object(); });
  began.wait(false);
  EXPECT_TRUE(jobs.busy("next"));
  EXPECT_TRUE(jobs.cancel(*next));
  EXPECT_TRUE(jobs.cancel(*long_one));
  EXPECT_EQ(end_of(*listener, *long_one).at("state").text(), "cancelled");
  EXPECT_EQ(end_of(*listener, *next).at("state").text(), "cancelled");
  EXPECT_FALSE(jobs.cancel(*next));
}

TEST(Jobs, EndWithTheStudio) {
  EventBus bus;
  {
    Jobs jobs(bus, 2, 1);
    jobs.start("endless", []() -> Json {
      for (;;) Context::poll();
    });
    for (int i = 0; i < 40; ++i) jobs.start("more", [] { return Json::object(); });
    EXPECT_LE(jobs.all().size(), 16U);
  }
  bus.close();
  EXPECT_EQ(bus.listen(), nullptr);
}

TEST(EventBus, WhoFallsBehindIsToldSo) {
  EventBus bus;
  const auto slow = bus.listen(), quick = bus.listen();
  for (int i = 0; i < 300; ++i) {
    bus.tell("number", Json{{"n", i}});
    EXPECT_EQ(quick->next(0ms)->data, "{\"n\":" + std::to_string(i) + "}");
  }
  std::vector<std::string> kinds;
  while (const auto event = slow->next(0ms)) kinds.push_back(event->kind);
  EXPECT_EQ(kinds.front(), "behind");
  EXPECT_LE(kinds.size(), 257U);
  EXPECT_FALSE(quick->closed());
  std::vector<std::unique_ptr<EventBus::Listener>> many;
  while (auto one = bus.listen()) many.push_back(std::move(one));
  EXPECT_EQ(many.size(), 30U);
  bus.close();
  EXPECT_TRUE(slow->closed());
}

}  // namespace jobs_test
}  // namespace wordbridge::studio
