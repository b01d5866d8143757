#include "cli/output/Timings.h"

#include "cli/output/Output.h"

#include <ctime>

namespace gluond::cli {

using Json = nlohmann::ordered_json;

// Loading and linking the program keeps the processor busy, so processor time is used for wall
// time, which the process cannot query.
static double processorMilliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Timings::Timings()
    : start_(processorMilliseconds()), files_(Json::array()), records_(Json::array()),
      other_(Json::object()) {
  other("start", start_);
}

void Timings::file(llvm::StringRef name, double parse, double evaluate) {
  files_.push_back({{"file", name.str()}, {"ms", {{"parse", parse}, {"evaluate", evaluate}}}});
}

void Timings::record(llvm::StringRef id, double read,
                     llvm::ArrayRef<std::pair<llvm::StringRef, double>> stages) {
  Json ms = Json::object();
  for (auto [stage, milliseconds] : stages)
    ms[stage.str()] = milliseconds + (ms.empty() ? read : 0);
  records_.push_back({{"id", id.str()}, {"ms", std::move(ms)}});
}

void Timings::other(const char* part, double milliseconds) {
  Json& sum = other_[part];
  sum = (sum.is_number() ? sum.get<double>() : 0.0) + milliseconds;
}

std::string Timings::json() const {
  Json json = Json::object();
  json["files"] = files_;
  json["cases"] = records_;
  json["other_ms"] = other_;
  json["total_ms"] = start_ + watch_.milliseconds();
  return jsonText(json);
}

} // namespace gluond::cli
