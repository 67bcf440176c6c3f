#include "cli/download/downloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/wording.h"
#include "cli/download/zip_member.h"
#include "cli/options/arguments.h"
#include "experiments/data_files.h"
#include "io/byte_stream.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kRecordName = "downloads.json";

std::string path_in(const std::string& folder, const std::string& name) { return (fs::path(folder) / name).string(); }

}  // namespace

void Downloads::declare(Arguments& arguments) {
  arguments.heading("Downloading");
  arguments.text("--mirror", mirror_, "URL", "Take files from URL/PATH in the place of https://HOST/PATH");
  arguments.flag("--allow-http", rules_.http,
                 "Addresses and redirects may be http: too, which anybody on the way can change");
  arguments.flag("--allow-file", rules_.file,
                 "Addresses (not redirects) may be file: too, for --mirror file:///FOLDER");
  arguments.number("--retries", rules_.retries, 0, 1000, "Try again N times in a row where nothing comes (default: 5)");
  arguments.number("--retry-wait", rules_.wait, "Seconds before the first of these, doubled each time (default: 1)");
  arguments.text("--sources", sources_, "FILE",
                 "The table of published files (default: experiments/sources.json as built in)");
  arguments.flag("--accept-changed", accept_changed_, "Accept files that are not those that were downloaded before");
}

const PublishedFiles& Downloads::published() {
  if (!(rules_.wait >= 0 && rules_.wait <= 3600)) throw UsageError("--retry-wait: a number from 0 to 3600 is expected");
  if (published_.empty())
    published_.push_back(sources_.empty() ? PublishedFiles::usual() : PublishedFiles::read(sources_));
  return published_.front();
}

Downloads::Record Downloads::read_record(const std::string& folder) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  const std::string path = path_in(folder, kRecordName);
  Record record;
  if (!fs::exists(path)) return record;
  try {
    const Json json = Json::parse(read_whole(path, kMostBytes, "a list of downloads"));
    for (const auto& [name, known] : json.items())
      record[name] = {known.value("url", ""), known.value("sha256", ""), known.value("unpacked_sha256", ""),
                      known.value("bytes", std::uint64_t{0})};
  } catch (const JsonError& error) {
    throw InputError(path, 0, fmt::format("not a list of downloads ({}); delete it to begin anew", error.what()));
  }
  return record;
}

void Downloads::write_record(const std::string& folder, const Record& record) {
  Json json = Json::object();
  for (const auto& [name, known] : record) {
    json[name] = {{"url", known.url}, {"bytes", known.bytes}, {"sha256", known.sha256}};
    if (!known.unpacked_sha256.empty()) json[name]["unpacked_sha256"] = known.unpacked_sha256;
  }
  write_kept_file(path_in(folder, kRecordName), json.dump(2) + "\n");
}

void Downloads::fetch_one(Session& session, const std::string& folder, const PublishedFiles::File& file,
                          Record& record) const {
  const std::string path = path_in(folder, file.name), archive = path + ".zip";
  fs::create_directories(fs::path(path).parent_path());
  Transfer what{.url = mirrored(file.url, mirror_), .path = file.zipped ? archive : path};
  what.sha256 = file.sha256;
  what.md5 = file.md5;
  const auto known = record.find(file.name);
  const bool recorded = known != record.end() && !accept_changed_;
  if (recorded && !what.sha256) what.sha256 = known->second.sha256;
  const Stopwatch stopwatch;
  Transferred done;
  try {
    done = transfer(what, rules_, file.name);
  } catch (const Error& error) {
    if (!recorded || std::string_view(error.what()).find("SHA-256") == std::string_view::npos) throw;
    throw Error(fmt::format("{}; it was another one before ({}): --accept-changed takes what there is now",
                            error.what(), path_in(folder, kRecordName)));
  }
  Known& now = record[file.name];
  now = {file.url, done.sha256, {}, done.bytes};
  if (file.zipped) {
    unpack_zip_member(archive, fs::path(file.name).filename().string(), path);
    now.unpacked_sha256 = sha256_of(path);
    fs::remove(archive);
  }
  write_record(folder, record);
  session.note(fmt::format("{}: {} from {}{} ({})", path, counted(done.bytes, "byte"), file.url,
                           done.resumed_at > 0 ? fmt::format(", resumed at {}", done.resumed_at) : "",
                           stopwatch.to_text()));
}

Downloads::Result Downloads::fetch(Session& session, const std::string& folder, const std::vector<std::string>& names,
                                   bool only_say) {
  const PublishedFiles& table = published();
  Result result;
  if (!only_say) fs::create_directories(folder);
  std::optional<DataFiles> there;
  if (fs::is_directory(folder)) there.emplace(folder);
  Record record = read_record(folder);
  for (const std::string& name : names) {
    const PublishedFiles::File file = table.find(name);
    try {
      if (there) {
        there->find(name);
        result.present.push_back(name);
        continue;
      }
    } catch (const MissingFile&) {
    }
    if (file.url.empty()) {
      result.unavailable.push_back(file);
      continue;
    }
    if (!only_say) fetch_one(session, folder, file, record);
    result.fetched.push_back(name);
  }
  return result;
}

std::size_t Downloads::verify(Session& session, const std::string& folder,
                              const std::vector<std::string>& names) const {
  const Record record = read_record(folder);
  std::size_t verified = 0;
  for (const std::string& name : names) {
    const auto known = record.find(name);
    const std::string path = path_in(folder, name);
    if (known == record.end() || !fs::exists(path)) continue;
    const std::string& wanted =
        known->second.unpacked_sha256.empty() ? known->second.sha256 : known->second.unpacked_sha256;
    if (const std::string found = sha256_of(path); found != wanted)
      throw InputError(
          path, 0,
          fmt::format("its SHA-256 is {}, but {} was downloaded: delete it and download it again", found, wanted));
    session.note(fmt::format("{}: as it was downloaded", path));
    ++verified;
  }
  return verified;
}

}  // namespace wordbridge::cli
