#include "driver/BenchmarkHistory.h"

#include "driver/Analysis.h"
#include "driver/ReadFile.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Support/xxhash.h>
#include <nlohmann/json.hpp>

#include <ctime>

namespace gluond::driver {

namespace {

namespace path = llvm::sys::path;
using Json = nlohmann::ordered_json;
constexpr size_t mostBytes = size_t{16} << 20;

std::string now() {
  std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

} // namespace

std::string historyFile(const Settings& settings, llvm::StringRef program) {
  if (!path::is_absolute(program)) return {}; // a document that was never saved
  llvm::SmallString<256> file(path::parent_path(program));
  size_t longest = 0;
  for (const std::string& root : settings.roots)
    if (root.size() > longest && program.starts_with(root + "/")) {
      longest = root.size();
      file = root;
    }
  path::append(file, ".gluond", "history", path::stem(program) + ".jsonl");
  return file.str().str();
}

std::vector<PastResult> readHistory(const std::string& file, llvm::StringRef kernel) {
  std::vector<PastResult> results;
  auto text = readFile(file, mostBytes);
  if (!text) return results;
  llvm::StringRef rest = *text;
  while (!rest.empty()) {
    auto [line, behind] = rest.split('\n');
    rest = behind;
    Json json = Json::parse(line.begin(), line.end(), nullptr, false);
    if (!json.is_object()) continue;
    auto string = [&](const char* name) {
      return json.contains(name) && json[name].is_string() ? json[name].get<std::string>()
                                                           : std::string();
    };
    auto number = [&](const char* name) {
      return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0.0;
    };
    if (string("kernel") != kernel) continue;
    PastResult result{string("when"),   string("kernel"), string("specialization"),
                      string("label"),  string("device"), number("median_us"),
                      number("low_us"), number("high_us")};
    if (llvm::StringRef(string("source")).getAsInteger(16, result.source)) result.source = 0;
    if (result.median > 0) results.push_back(std::move(result));
  }
  return results;
}

std::string appendHistory(const std::string& file, const PastResult& result) {
  if (std::error_code error = llvm::sys::fs::create_directories(path::parent_path(file)))
    return file + ": " + error.message();
  std::error_code error;
  llvm::raw_fd_ostream out(file, error, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                           llvm::sys::fs::OF_Append);
  if (error) return file + ": " + error.message();
  Json json = {{"when", result.when},
               {"kernel", result.kernel},
               {"specialization", result.specialization},
               {"label", result.label},
               {"device", result.device},
               {"median_us", result.median},
               {"low_us", result.low},
               {"high_us", result.high},
               {"source", llvm::utohexstr(result.source)}};
  out.SetUnbuffered();
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (!out.has_error()) return {};
  std::string why = file + ": " + out.error().message();
  out.clear_error();
  return why;
}

PastResult pastResult(const BenchmarkRow& row, const Variant& variant, uint64_t source) {
  return {now(),         variant.kernel, row.id, row.label, row.device, row.times.median,
          row.times.q20, row.times.q80,  source};
}

uint64_t sourceOf(const Snapshot& snapshot, const Variant& variant, Worker& worker) {
  // Text, not the fingerprint, whose numbers mean nothing in another process.
  uint64_t hash = 0;
  for (const Anchor& anchor : Analyzer(snapshot, worker, {}).reached(variant))
    if (auto file = snapshot.file(snapshot.path(anchor.file)))
      hash = llvm::xxh3_64bits(file->text().slice(anchor.range)) + hash * 0x9E3779B97F4A7C15u;
  return hash;
}

} // namespace gluond::driver
