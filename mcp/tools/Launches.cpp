// The tool launches.
#include "mcp/tools/Places.h"

namespace gluond::mcp {

namespace {

struct LaunchesParams {
  std::string file;
  std::optional<std::string> target;
  std::optional<uint32_t> limit;
  static constexpr auto fields() {
    return std::make_tuple(
        told("file", &LaunchesParams::file, "Python file, relative to the folder."),
        told("target", &LaunchesParams::target,
             "Target of launches that name none: cuda:90, cuda:100, hip:gfx942, ..."),
        told("limit", &LaunchesParams::limit,
             "The most launches to return of a kernel; 20 if left out."));
  }
};
struct LaunchInfo {
  std::string id, label, target, origin;
  std::optional<Place> place;
  static constexpr auto fields() {
    return std::make_tuple(
        told("id", &LaunchInfo::id, "Other tools take it as their argument launch."),
        told("label", &LaunchInfo::label, "Types, constants and options."),
        field("target", &LaunchInfo::target),
        told("origin", &LaunchInfo::origin,
             "Where it comes from; default: no launch was found, so types are assumed.",
             "directive|record|launch|default"),
        told("place", &LaunchInfo::place, "Where the host code launches it."));
  }
};
struct KernelInfo {
  std::string name;
  uint32_t line = 1;
  std::vector<LaunchInfo> launches;
  uint32_t omitted = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        told("name", &KernelInfo::name, "Other tools take it as their argument kernel."),
        field("line", &KernelInfo::line), field("launches", &KernelInfo::launches),
        told("omitted", &KernelInfo::omitted, "Launches beyond the limit."));
  }
};
struct LaunchesResult {
  std::vector<KernelInfo> kernels;
  static constexpr auto fields() {
    return std::make_tuple(
        told("kernels", &LaunchesResult::kernels, "Those of the file, in its order."));
  }
};

Answer<LaunchesResult> launches(const LaunchesParams& params, const Context& context) {
  auto file = findFile(params.file, context);
  if (!file) return tl::unexpected(std::move(file.error()));
  auto kernels = driver::kernelsOf(*context.snapshot, *file, context.token);
  if (!kernels) return cancelled();
  size_t limit = std::clamp<uint32_t>(params.limit.value_or(20), 1, 1000);
  LaunchesResult result;
  for (const driver::Kernel& kernel : kernels->kernels) {
    KernelInfo& info = result.kernels.emplace_back();
    info.name = kernel.qualname;
    info.line = (*file)->text().lineOf(kernel.name.begin) + 1;
    for (const driver::Variant& variant : kernel.variants) {
      if (info.launches.size() == limit) {
        ++info.omitted;
        continue;
      }
      LaunchInfo& launch = info.launches.emplace_back(
          LaunchInfo{variant.id, variant.label, variant.target,
                     driver::originName(variant.origin).str(), std::nullopt});
      if (variant.source) launch.place = placeOf(*variant.source, context);
    }
  }
  return result;
}

} // namespace

Tool launchesTool() {
  return makeTool<launches>("launches", "List kernels and launches",
                            "Lists the kernels of a file and every launch of them that the "
                            "project's host code makes: types, constants, options, target.");
}

} // namespace gluond::mcp
