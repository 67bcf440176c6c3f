#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "studio/request.h"
#include "studio/studio.h"

namespace wordbridge::studio {

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body = {};
  std::string file_name = {};  // to be kept under; empty: it is to be shown
  std::unique_ptr<EventBus::Listener> listener =
      nullptr;  // what happens, as server-sent events, in the place of a body

  static Response json(const Json& json, int status = 200);
  static Response error(int status, const std::string& reason);
};

/// The number at the end of a path; HttpError 404 for what is none.
std::int64_t parse_id(const std::string& text);

/// The endpoints, as openapi.json describes them: they know the studio, and nothing of connections.
class Api {
 public:
  static constexpr std::string_view kRoot = "/api/v1";

  explicit Api(Studio& studio) : studio_(studio) {}

  /// Whatever goes wrong becomes an answer.
  Response answer(Request request);

 private:
  Response dispatch(Request& request);
  Response info(Request& request);
  Response words(Request& request);
  Response word(Request& request);
  Response translate(Request& request);
  Response neighbors(Request& request);
  Response hubs(Request& request);
  Response map(Request& request);
  Response make_map(Request& request);
  Response jobs(Request& request);
  Response job(Request& request, const std::string& id);
  Response events(Request& request);
  // What people do with a project: api_project.cc.
  Response review(Request& request);
  Response decisions(Request& request);
  Response decide(Request& request);
  Response undo(Request& request, const std::string& id);
  Response import_pairs(Request& request);
  Response export_pairs(Request& request);
  Response train(Request& request);
  Response mappings(Request& request);
  Response mapping(Request& request, const std::string& id);
  Response compare(Request& request);

  Studio& studio_;
};

}  // namespace wordbridge::studio
