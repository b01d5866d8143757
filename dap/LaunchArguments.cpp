#include "dap/LaunchArguments.h"

#include "driver/launches/ArgumentText.h"
#include "support/json/Text.h"

#include <algorithm>

namespace gluond::dap {

using Error = tl::unexpected<std::string>;

namespace {

// The JSON types that an argument may have.
enum Kind : unsigned {
  Text = 1,
  Flag = 2,
  Number = 4,
  Texts = 8,
  Numbers = 16,
  Values = 32, // an object
};

struct Argument {
  const char* name;
  unsigned kinds;
  const char* expected;
};

constexpr Argument known[] = {
    {"program", Text, "the path of a file"},
    {"kernel", Text, "the name of a kernel"},
    {"launch", Text, "the id of a launch"},
    {"target", Text, "a target such as \"cuda:90\""},
    {"grid", Text | Number | Numbers, "a grid such as \"128,2,1\" or [128, 2, 1]"},
    {"programId", Text | Number | Numbers, "a program such as \"3,0,0\" or [3, 0, 0]"},
    {"args", Texts | Values, "a list of \"NAME=VALUE\", or an object"},
    {"records", Texts, "a list of paths"},
    {"settings", Texts, "a list of \"NAME=VALUE\""},
    {"schedule", Text, "a schedule such as \"random:17\""},
    {"cwd", Text, "the path of a folder"},
    {"runProgramsBefore", Flag, "true or false"},
    {"stopOnEntry", Flag, "true or false"},
    {"stopAtEnd", Flag, "true or false"},
    {"historyMemory", Number, "a number of MiB"},
};

bool isOf(const Json& value, unsigned kinds) {
  auto holdsOnly = [&](bool (*isRight)(const Json&)) {
    return value.is_array() && std::ranges::all_of(value, isRight);
  };
  return ((kinds & Text) && value.is_string()) || ((kinds & Flag) && value.is_boolean()) ||
         ((kinds & Number) && value.is_number()) || ((kinds & Values) && value.is_object()) ||
         ((kinds & Texts) && holdsOnly([](const Json& each) { return each.is_string(); })) ||
         ((kinds & Numbers) && holdsOnly([](const Json& each) { return each.is_number(); }));
}

// A value as a user wrote it, or the beginning of it.
std::string shown(const Json& value) {
  std::string text = json::compact(value);
  constexpr size_t longest = 80;
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

// "3,0,0" for "3,0,0", 3 and [3, 0, 0].
std::string extents(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return json::compact(value);
  std::string text;
  for (const Json& each : value)
    text += (text.empty() ? "" : ",") + json::compact(each);
  return text;
}

} // namespace

tl::expected<LaunchRequest, std::string> readLaunch(const Json& arguments) {
  for (const Argument& each : known)
    if (const Json& value = member(arguments, each.name);
        !value.is_null() && !isOf(value, each.kinds))
      return Error(std::string(each.name) + ": expected " + each.expected + ", but got " +
                   shown(value));
  LaunchRequest wanted;
  wanted.program = text(arguments, "program");
  wanted.kernel = text(arguments, "kernel");
  wanted.launch = text(arguments, "launch");
  wanted.target = text(arguments, "target");
  wanted.grid = extents(member(arguments, "grid"));
  wanted.arguments = texts(arguments, "args");
  wanted.records = texts(arguments, "records");
  wanted.settings = texts(arguments, "settings");
  wanted.folder = text(arguments, "cwd");
  wanted.runsOthersFirst = flag(arguments, "runProgramsBefore", true);
  if (const Json& args = member(arguments, "args"); args.is_object())
    for (const auto& [name, value] : args.items())
      wanted.arguments.push_back(
          name + "=" + (value.is_string() ? value.get<std::string>() : json::compact(value)));
  if (auto megabytes = number(arguments, "historyMemory")) {
    if (*megabytes <= 0)
      return Error("historyMemory: expected a number of MiB above 0, but got " +
                   std::to_string(*megabytes));
    wanted.historyMegabytes = static_cast<uint64_t>(std::clamp<int64_t>(*megabytes, 16, 65536));
  }
  if (std::string schedule = text(arguments, "schedule"); !schedule.empty()) {
    auto choice = simulate::parseSchedule(schedule);
    if (!choice) return Error("schedule: " + choice.error());
    if (choice->explored)
      return Error("schedule: a session follows one schedule: latest, earliest or random:SEED");
    wanted.schedule = choice->name;
  }
  if (wanted.program.empty())
    return Error("the configuration has no 'program': the Python file of the kernel");
  if (std::string id = extents(member(arguments, "programId")); !id.empty()) {
    auto program = driver::parseProgramId(id);
    if (!program) return Error("programId: " + program.error());
    wanted.id = *program;
  }
  return wanted;
}

} // namespace gluond::dap
