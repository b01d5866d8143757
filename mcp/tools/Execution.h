// Helpers of the tools that run kernels: the arguments of a launch, and results as JSON. Numbers
// that JSON does not have are texts: "nan", "inf", "-inf".
#pragma once

#include "driver/benchmark/Benchmark.h"
#include "mcp/protocol/Bounded.h"
#include "mcp/tools/Places.h"

namespace gluond::mcp {

struct Reference {
  std::string name, file;
  static constexpr auto fields() {
    return std::make_tuple(
        told("name", &Reference::name, "Name of the kernel's tensor argument."),
        told("file", &Reference::file, "A .npy file in the folder, with the expected contents."));
  }
};

struct LaunchParams : KernelParams {
  std::optional<std::string> grid;
  std::optional<uint32_t> seconds;
  static constexpr auto fields() {
    return std::tuple_cat(
        KernelParams::fields(),
        std::make_tuple(
            told("grid", &LaunchParams::grid, "Number of programs: 128,1,1."),
            told("seconds", &LaunchParams::seconds,
                 "Stop a kernel that still runs after this many seconds; 10 on a GPU if left out, "
                 "60 in the simulator.")));
  }
};
// Paths are in the folder.
driver::LaunchOptions launchOptions(const LaunchParams& params, uint64_t seconds,
                                    const Context& context);
// Returns the contents of a .npy file of the folder.
Answer<std::string> readTensorFile(const std::string& name, const Context& context);

// The resources of a GPU that a loaded kernel uses.
struct ResourceInfo {
  uint32_t registers = 0, localBytes = 0;
  uint64_t sharedBytes = 0;
  double occupancy = 0;
  static constexpr auto fields() {
    return std::make_tuple(
        field("registers", &ResourceInfo::registers),
        told("localBytes", &ResourceInfo::localBytes, "Of a thread: spilled registers."),
        field("sharedBytes", &ResourceInfo::sharedBytes),
        told("occupancy", &ResourceInfo::occupancy, "Share of a multiprocessor's warps, 0 to 1."));
  }
};
ResourceInfo resourcesOf(const runner::LoadResult& loaded, uint64_t sharedBytes);

struct TensorInfo {
  std::string name, dtype;
  std::vector<int64_t> shape;
  bool changed = false;
  Json least, most, mean;
  uint64_t nans = 0, infinities = 0, zeros = 0;
  std::vector<Json> first;
  static constexpr auto fields() {
    return std::make_tuple(
        field("name", &TensorInfo::name), field("dtype", &TensorInfo::dtype),
        field("shape", &TensorInfo::shape),
        told("changed", &TensorInfo::changed, "Whether the kernel changed it."),
        told("least", &TensorInfo::least, "Of its finite elements, after the launch."),
        field("most", &TensorInfo::most), field("mean", &TensorInfo::mean),
        field("nans", &TensorInfo::nans), field("infinities", &TensorInfo::infinities),
        field("zeros", &TensorInfo::zeros),
        told("first", &TensorInfo::first, "Its first elements, at most 8."));
  }
};
std::vector<TensorInfo> encodeTensors(const runner::RunResult& result);

struct ComparisonInfo {
  std::string name;
  bool equal = false;
  uint64_t elements = 0, differing = 0, notFinite = 0;
  Json mostAbsolute, mostRelative, absolute, relative;
  std::optional<std::vector<int64_t>> firstAt;
  Json firstResult, firstReference;
  std::optional<std::string> firstOwner;
  static constexpr auto fields() {
    return std::make_tuple(
        field("name", &ComparisonInfo::name),
        told("equal", &ComparisonInfo::equal, "Within the tolerances."),
        field("elements", &ComparisonInfo::elements),
        field("differing", &ComparisonInfo::differing),
        told("notFinite", &ComparisonInfo::notFinite,
             "Of the differing elements, those where one of the two is NaN or infinite: "
             "mostAbsolute and mostRelative do not show them."),
        told("mostAbsolute", &ComparisonInfo::mostAbsolute,
             "The largest difference of two finite elements."),
        field("mostRelative", &ComparisonInfo::mostRelative),
        told("absolute", &ComparisonInfo::absolute, "The tolerances."),
        field("relative", &ComparisonInfo::relative),
        told("firstAt", &ComparisonInfo::firstAt, "Index of the first element that differs."),
        field("firstResult", &ComparisonInfo::firstResult),
        field("firstReference", &ComparisonInfo::firstReference),
        told("firstOwner", &ComparisonInfo::firstOwner,
             "Program, warp, lane and line that write that element."));
  }
};
ComparisonInfo encodeComparison(const std::string& name, const runner::CompareResult& result);
// The same, with the owner of the first difference.
ComparisonInfo encodeComparison(const std::string& name, const runner::CompareResult& result,
                                const driver::Variant& variant, const driver::HostLaunch& host,
                                const Context& context);

Json encodeNumber(double value);

// "fault: the kernel read beside a tensor", with what the driver says.
std::string describe(const runner::Problem& problem);

} // namespace gluond::mcp
