// The tool launches.
#include "driver/launches/RecordWriter.h"
#include "driver/workspace/FileLine.h"
#include "mcp/tools/Places.h"
#include "support/json/Text.h"

#include <nlohmann/json.hpp>

namespace gluond::mcp {

namespace {

struct LaunchesParams {
  std::string file;
  std::optional<std::string> kernel, target;
  std::optional<uint32_t> limit;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &LaunchesParams::file, "Python file or notebook, relative to the folder."),
        told("kernel", &LaunchesParams::kernel, "Only this kernel; all if left out."),
        told("target", &LaunchesParams::target, targetHelp),
        told("limit", &LaunchesParams::limit,
             "The most launches to return of a kernel; 20 if left out."));
  }
};
struct ArgumentInfo {
  std::string name, type;
  std::optional<uint32_t> divisibleBy;
  Json value;
  std::optional<std::vector<int64_t>> shape, strides, block;
  static constexpr auto fields() {
    return std::make_tuple(
        field("name", &ArgumentInfo::name),
        told("type", &ArgumentInfo::type,
             "As Triton writes it: i32, *fp16 (a pointer), constexpr, tensordesc, tuple."),
        told("divisibleBy", &ArgumentInfo::divisibleBy,
             "What the code is compiled for: other values need another launch."),
        told("value", &ArgumentInfo::value, "Of a constexpr or a number, as in a launch record."),
        told("shape", &ArgumentInfo::shape, "Of the tensor that is passed."),
        told("strides", &ArgumentInfo::strides, "Of it, in elements."),
        told("block", &ArgumentInfo::block, "Shape of a descriptor's block."));
  }
};
struct LaunchInfo {
  std::string id, label, target, origin;
  std::optional<Place> place;
  std::optional<std::vector<int64_t>> grid;
  std::optional<std::vector<ArgumentInfo>> arguments;
  Json options;
  std::optional<std::vector<std::string>> assumed;
  std::optional<bool> conditional;
  static constexpr auto fields() {
    return std::make_tuple(
        told("id", &LaunchInfo::id, "Other tools take it as their argument launch."),
        told("label", &LaunchInfo::label, "In which it differs from others, in words."),
        field("target", &LaunchInfo::target),
        told("origin", &LaunchInfo::origin,
             "Where it comes from; default: no launch was found, so types are assumed.",
             "directive|record|launch|default"),
        told("place", &LaunchInfo::place, "Where the host code launches it."),
        told("grid", &LaunchInfo::grid, "Number of programs, if it is known."),
        told("arguments", &LaunchInfo::arguments,
             "In the order of the kernel; left out for a default, and where the answer would be "
             "too long."),
        told("options", &LaunchInfo::options, "num_warps, and others that are not the default."),
        told("assumed", &LaunchInfo::assumed,
             "Arguments and options whose values are not known, so that they are guesses."),
        told("conditional", &LaunchInfo::conditional,
             "True if it is not known whether the program makes this launch."));
  }
};
struct KernelInfo {
  std::string name;
  std::optional<std::string> file;
  std::optional<uint32_t> cell;
  uint32_t line = 1;
  std::vector<LaunchInfo> launches;
  uint32_t omitted = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        told("name", &KernelInfo::name, "Other tools take it as their argument kernel."),
        told("file", &KernelInfo::file, "If another file defines it."),
        told("cell", &KernelInfo::cell, cellHelp), field("line", &KernelInfo::line),
        field("launches", &KernelInfo::launches),
        told("omitted", &KernelInfo::omitted, "Launches beyond the limit."));
  }
};
struct LaunchesResult {
  std::vector<KernelInfo> kernels;
  uint32_t shortened = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        told("kernels", &LaunchesResult::kernels,
             "Those of the file, in its order, and of other files that it launches."),
        told("shortened", &LaunchesResult::shortened,
             "Launches without their arguments, because the answer would be too long: name the "
             "kernel."));
  }
};

using Numbers = std::vector<int64_t>;

// Takes a member of a record, if it is a list of numbers.
void take(const Json& from, const char* name, std::optional<Numbers>& to) {
  auto it = from.find(name);
  if (it == from.end() || !it->is_array()) return;
  Numbers numbers;
  for (const Json& each : *it) {
    if (!each.is_number_integer()) return;
    numbers.push_back(each.get<int64_t>());
  }
  to = std::move(numbers);
}

std::string textOf(const Json& from, const char* name) {
  auto it = from.find(name);
  return it != from.end() && it->is_string() ? it->get<std::string>() : "";
}

ArgumentInfo encode(const Json& argument, const Json& values) {
  ArgumentInfo info{textOf(argument, "name"), textOf(argument, "type"), {}, {}, {}, {}, {}};
  if (auto it = argument.find("divisible_by"); it != argument.end() && it->is_number_unsigned())
    info.divisibleBy = it->get<uint32_t>();
  take(argument, "block", info.block);
  if (auto it = argument.find("value"); it != argument.end()) info.value = *it;
  if (auto it = values.find(info.name); it != values.end()) {
    if (it->is_object()) {
      take(*it, "shape", info.shape);
      take(*it, "strides", info.strides);
    } else {
      info.value = *it;
    }
  }
  return info;
}

// Adds what the launch's record has.
void addRecord(LaunchInfo& info, const Json& record) {
  const Json none = Json::object();
  auto member = [&](const Json& of, const char* name) -> const Json& {
    auto it = of.find(name);
    return it == of.end() ? none : *it;
  };
  const Json &run = member(record, "run"), &values = member(run, "values");
  take(run, "grid", info.grid);
  info.options = member(record, "options");
  std::vector<ArgumentInfo>& arguments = info.arguments.emplace();
  for (const Json& each : member(record, "args"))
    if (each.is_object()) arguments.push_back(encode(each, values));
  if (auto it = record.find("assumed"); it != record.end() && it->is_array())
    for (const Json& each : *it)
      if (each.is_string()) {
        if (!info.assumed) info.assumed.emplace();
        info.assumed->push_back(each.get<std::string>());
      }
  if (record.contains("conditional")) info.conditional = true;
}

Answer<LaunchesResult> launches(const LaunchesParams& params, const Context& context) {
  auto file = findFile(params.file, context);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto own = driver::kernelsOf(*context.snapshot, *file, context.token);
  auto elsewhere = driver::launchedElsewhere(*context.snapshot, *file, context.token);
  if (!own || !elsewhere) return cancelled();
  if (params.kernel && !own->find(*params.kernel) && !elsewhere->find(*params.kernel))
    return fail("'" + params.file + "' has no kernel '" + *params.kernel + "'");
  size_t limit = std::clamp<uint32_t>(params.limit.value_or(20), 0, 1000);
  constexpr size_t mostBytes = size_t{96} << 10; // of all records
  size_t bytes = 0;
  LaunchesResult result;
  auto add = [&](const driver::Kernel& kernel) {
    if (params.kernel && kernel.qualname != *params.kernel) return;
    KernelInfo& info = result.kernels.emplace_back();
    info.name = kernel.qualname;
    if (kernel.file != *file) info.file = nameOf(kernel.file->path(), context);
    driver::FileLine at = driver::lineAt(*kernel.file, kernel.name.begin);
    info.cell = at.cell;
    info.line = at.line;
    for (const driver::Variant& variant : kernel.variants) {
      if (info.launches.size() == limit) {
        ++info.omitted;
        continue;
      }
      LaunchInfo& launch = info.launches.emplace_back();
      launch.id = variant.id;
      launch.label = variant.label;
      launch.target = variant.target;
      launch.origin = driver::originName(variant.origin).str();
      if (variant.source) launch.place = placeOf(*variant.source, context);
      if (variant.origin == driver::Origin::Default) continue;
      Json record = driver::recordOf(variant, params.file, context.snapshot->names());
      bytes += json::compact(record).size();
      if (bytes <= mostBytes)
        addRecord(launch, record);
      else
        ++result.shortened;
    }
  };
  for (const driver::Kernel& kernel : own->kernels)
    add(kernel);
  for (const driver::Kernel& kernel : elsewhere->kernels)
    add(kernel);
  return result;
}

} // namespace

Tool launchesTool() {
  return makeTool<launches>("launches", "List kernels and launches",
                            "Lists the kernels of a file and every launch of them that the "
                            "project's host code makes: grid, types and values of the arguments, "
                            "constants, options, target.");
}

} // namespace gluond::mcp
