#include "cli/kernels/BenchComparison.h"

#include "files/ReadFile.h"
#include "support/json/Text.h"

#include <nlohmann/json.hpp>

namespace gluond::cli {

using Json = nlohmann::ordered_json;

namespace {

// Returns the member at a path of keys, or null.
const Json* find(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    auto it = at->is_object() ? at->find(key) : at->end();
    if (it == at->end()) return nullptr;
    at = &*it;
  }
  return at;
}
std::string textAt(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = find(json, path);
  return found && found->is_string() ? found->get<std::string>() : "";
}
std::optional<double> numberAt(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = find(json, path);
  if (!found || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

} // namespace

const char* verdictName(Verdict verdict) {
  static constexpr const char* names[] = {"same", "faster", "slower", "not compared"};
  return names[static_cast<size_t>(verdict)];
}

tl::expected<Json, std::string> readBenchmark(const std::string& path) {
  constexpr size_t mostBytes = size_t{64} << 20;
  auto text = files::readFile(path, mostBytes);
  if (!text) return tl::unexpected(text.error() + "; gluond bench --save writes it");
  Json json = json::parse(*text).value_or(Json());
  const Json* rows = find(json, {"rows"});
  if (!rows || !rows->is_array() || textAt(json, {"device", "name"}).empty())
    return tl::unexpected("'" + path + "' is no result of gluond bench --save");
  return json;
}

BenchComparison compareWith(const Json& earlier, const driver::BenchmarkRow& row,
                            double tolerance) {
  BenchComparison comparison;
  auto notCompared = [&](std::string why) {
    comparison.why = std::move(why);
    return comparison;
  };
  const Json* before = nullptr;
  for (const Json& each : earlier["rows"])
    if (textAt(each, {"launch"}) == row.id) before = &each;
  if (!before) return notCompared("the file has no launch " + row.id);
  if (std::string device = textAt(earlier, {"device", "name"}); device != row.device)
    return notCompared("the file was measured on " + device);
  if (std::string target = textAt(*before, {"target"}); target != row.target)
    return notCompared("the file was measured for " + target);
  auto median = numberAt(*before, {"microseconds", "median"}),
       precision = numberAt(*before, {"microseconds", "precision"});
  if (!median || !precision || *median <= 0) return notCompared("that launch failed then");
  comparison.before = *median;
  comparison.change = row.times.median / *median - 1;
  double least = row.times.median * (1 - row.times.precision),
         most = row.times.median * (1 + row.times.precision);
  bool isSlower = least > *median * (1 + *precision), isFaster = most < *median * (1 - *precision);
  comparison.verdict = isSlower && comparison.change > tolerance    ? Verdict::Slower
                       : isFaster && comparison.change < -tolerance ? Verdict::Faster
                                                                    : Verdict::Same;
  return comparison;
}

} // namespace gluond::cli
