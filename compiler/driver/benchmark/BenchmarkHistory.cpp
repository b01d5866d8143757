#include "driver/benchmark/BenchmarkHistory.h"

#include "driver/analysis/Analysis.h"
#include "files/OpenBeneath.h"
#include "files/ReadFile.h"
#include "files/WriteFile.h"
#include "support/json/Text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
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

HistoryFile historyFile(const Settings& settings, llvm::StringRef program) {
  if (!path::is_absolute(program)) return {}; // a document that was never saved
  llvm::StringRef folder;
  for (const std::string& root : settings.roots)
    if (root.size() > folder.size() && files::isInside(program, root)) folder = root;
  if (folder.empty() && settings.isConfined) return {};
  if (folder.empty()) folder = path::parent_path(program);
  return {folder.str(), (".gluond/history/" + path::stem(program) + ".jsonl").str()};
}

std::vector<PastResult> readHistory(const HistoryFile& file, llvm::StringRef kernel) {
  std::vector<PastResult> results;
  auto text = files::readFileBeneath({file.folder}, file.folder + "/" + file.name, mostBytes);
  if (!text) return results;
  llvm::StringRef rest = *text;
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    rest = after;
    Json json = json::parse(line).value_or(Json());
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

std::string appendHistory(const HistoryFile& file, const PastResult& result) {
  Json json = {{"when", result.when},
               {"kernel", result.kernel},
               {"specialization", result.specialization},
               {"label", result.label},
               {"device", result.device},
               {"median_us", result.median},
               {"low_us", result.low},
               {"high_us", result.high},
               {"source", llvm::utohexstr(result.source)}};
  std::string line = json::compact(json) + "\n";
  auto written = files::appendToFile(file.folder, file.name, line, mostBytes);
  return written ? "" : written.error();
}

PastResult pastResult(const BenchmarkRow& row, const Variant& variant, uint64_t source) {
  return {now(),         variant.kernel, row.id, row.label, row.device, row.times.median,
          row.times.q20, row.times.q80,  source};
}

uint64_t sourceOf(const Snapshot& snapshot, const Variant& variant, Worker& worker) {
  // Uses text and not the fingerprint, whose numbers are not valid in another process.
  uint64_t hash = 0;
  Analyzer analyzer(snapshot, worker, {});
  for (const Anchor& anchor : analyzer.reached(variant))
    if (auto file = snapshot.found(snapshot.path(anchor.file)))
      hash = llvm::xxh3_64bits(file->text().slice(anchor.range)) + hash * 0x9E3779B97F4A7C15u;
  return hash;
}

} // namespace gluond::driver
