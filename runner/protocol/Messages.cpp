#include "runner/protocol/Messages.h"

#include <algorithm>

namespace gluond::runner {

namespace {

constexpr const char* names[] = {"request",   "noDriver", "noDevice", "code",    "resources",
                                 "memory",    "launch",   "fault",    "hang",    "driver",
                                 "cancelled", "lost",     "start",    "protocol"};

std::string textOf(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

} // namespace

const char* kindName(ProblemKind kind) {
  return names[static_cast<size_t>(kind)];
}

std::optional<ProblemKind> kindOf(std::string_view name) {
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<ProblemKind>(i);
  return std::nullopt;
}

Json encodeProblem(const Problem& problem) {
  // -32602 and -32800 are JSON-RPC's and LSP's; everything else is a failed request.
  int code = problem.kind == ProblemKind::Request     ? -32602
             : problem.kind == ProblemKind::Cancelled ? -32800
                                                      : -32803;
  Json data = {{"kind", kindName(problem.kind)}, {"isFatal", problem.isFatal}};
  if (!problem.kernel.empty()) data["kernel"] = problem.kernel;
  if (!problem.error.empty()) data["error"] = problem.error;
  if (!problem.log.empty()) data["log"] = problem.log;
  return {{"code", code}, {"message", problem.message}, {"data", std::move(data)}};
}

// A runner on another machine may say anything; a person reads it.
static std::string clipped(std::string text) {
  constexpr size_t most = 8192;
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end; // within a character
  text.resize(end);
  return text + " ...";
}

Problem decodeProblem(const Json& error) {
  Problem problem;
  problem.message = clipped(textOf(error, "message"));
  if (problem.message.empty())
    problem.message = "the runner reports an error and does not say which";
  auto data = error.is_object() ? error.find("data") : error.end();
  if (!error.is_object() || data == error.end() || !data->is_object()) return problem;
  problem.kind = kindOf(textOf(*data, "kind")).value_or(ProblemKind::Driver);
  problem.kernel = clipped(textOf(*data, "kernel"));
  problem.error = clipped(textOf(*data, "error"));
  problem.log = clipped(textOf(*data, "log"));
  auto fatal = data->find("isFatal");
  problem.isFatal = fatal != data->end() && fatal->is_boolean() && fatal->get<bool>();
  return problem;
}

std::string whyNoDevice(const std::vector<DriverInfo>& drivers) {
  bool isInstalled = false;
  for (const DriverInfo& driver : drivers)
    isInstalled |= !driver.isMissing;
  // Where one vendor's driver is installed, nobody misses the other's.
  std::string why;
  for (const DriverInfo& driver : drivers)
    if (!driver.problem.empty() && driver.isMissing != isInstalled)
      why += (why.empty() ? "" : "; ") + driver.problem;
  return why;
}

void merge(Conditions& all, const Conditions& more) {
  if (more.clockMHz && (!all.clockMHz || more.clockMHz < all.clockMHz))
    all.clockMHz = more.clockMHz;
  all.mostClockMHz = std::max(all.mostClockMHz, more.mostClockMHz);
  all.temperature = std::max(all.temperature, more.temperature);
  all.watts = std::max(all.watts, more.watts);
  for (const std::string& each : more.slowedBy)
    if (std::find(all.slowedBy.begin(), all.slowedBy.end(), each) == all.slowedBy.end())
      all.slowedBy.push_back(each);
}

} // namespace gluond::runner
