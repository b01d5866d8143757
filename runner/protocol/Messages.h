// The messages between a client and `gluond-runner`: JSON-RPC 2.0 in frames (Framing.h), with the
// params and results below. docs/runner.md describes them for users.
//
// Lengths are in bytes, times in milliseconds if the name says so and in microseconds in Times;
// shapes, strides and offsets count elements. A std::optional may be left out.
#pragma once

#include "support/json/Codec.h"

#include <string>
#include <vector>

#define GLUOND_FIELDS(...)                                                                         \
  static constexpr auto fields() {                                                                 \
    return std::make_tuple(__VA_ARGS__);                                                           \
  }

namespace gluond::runner {

using json::field;
using json::Json;

inline constexpr unsigned protocolVersion = 3;

// Bytes of the frame's binary part.
struct Slice {
  uint64_t offset = 0, size = 0;
  GLUOND_FIELDS(field("offset", &Slice::offset), field("size", &Slice::size))
};

// ---------------------------------------------------------------- initialize

struct InitializeParams {
  unsigned protocol = protocolVersion;
  GLUOND_FIELDS(field("protocol", &InitializeParams::protocol))
};

struct DeviceInfo {
  unsigned index = 0;
  std::string name;        // "NVIDIA H200", "AMD Instinct MI300X"
  std::string target;      // "cuda:90", "hip:gfx942"
  std::string driver;      // "CUDA 12.8", "HIP 6.4"
  unsigned capability = 0; // 90; 0 for AMD's GPUs
  unsigned warpSize = 32;  // threads
  unsigned multiprocessors = 0;
  uint64_t memoryBytes = 0, l2Bytes = 0;
  unsigned clockMHz = 0, memoryClockMHz = 0, memoryBusBits = 0; // 0 if the driver does not know it
  unsigned sharedPerBlock = 0, sharedPerMultiprocessor = 0;     // the most a launch can opt in to
  unsigned registersPerMultiprocessor = 0, threadsPerMultiprocessor = 0,
           blocksPerMultiprocessor = 0;
  GLUOND_FIELDS(field("index", &DeviceInfo::index), field("name", &DeviceInfo::name),
                field("target", &DeviceInfo::target), field("driver", &DeviceInfo::driver),
                field("capability", &DeviceInfo::capability),
                field("warpSize", &DeviceInfo::warpSize),
                field("multiprocessors", &DeviceInfo::multiprocessors),
                field("memoryBytes", &DeviceInfo::memoryBytes),
                field("l2Bytes", &DeviceInfo::l2Bytes), field("clockMHz", &DeviceInfo::clockMHz),
                field("memoryClockMHz", &DeviceInfo::memoryClockMHz),
                field("memoryBusBits", &DeviceInfo::memoryBusBits),
                field("sharedPerBlock", &DeviceInfo::sharedPerBlock),
                field("sharedPerMultiprocessor", &DeviceInfo::sharedPerMultiprocessor),
                field("registersPerMultiprocessor", &DeviceInfo::registersPerMultiprocessor),
                field("threadsPerMultiprocessor", &DeviceInfo::threadsPerMultiprocessor),
                field("blocksPerMultiprocessor", &DeviceInfo::blocksPerMultiprocessor))
};

// A vendor's driver on the runner's machine.
struct DriverInfo {
  std::string name, vendor;     // "CUDA", "NVIDIA"; "HIP", "AMD"
  std::string version, library; // "12.8"; the name with which its library was opened
  std::string problem;          // why it gives no GPU; empty if it gives some
  bool isMissing = false;       // no library of it was found
  GLUOND_FIELDS(field("name", &DriverInfo::name), field("vendor", &DriverInfo::vendor),
                field("version", &DriverInfo::version), field("library", &DriverInfo::library),
                field("problem", &DriverInfo::problem), field("isMissing", &DriverInfo::isMissing))
};

struct InitializeResult {
  unsigned protocol = protocolVersion;
  std::string version; // of the runner
  std::string host;
  std::vector<DriverInfo> drivers; // one for each vendor
  std::vector<DeviceInfo> devices; // of all drivers
  GLUOND_FIELDS(field("protocol", &InitializeResult::protocol),
                field("version", &InitializeResult::version),
                field("host", &InitializeResult::host),
                field("drivers", &InitializeResult::drivers),
                field("devices", &InitializeResult::devices))
};

// Says why there is no GPU: what is wrong with the drivers that are installed, or that there is
// none.
std::string whyNoDevice(const std::vector<DriverInfo>& drivers);

// ---------------------------------------------------------------- load

struct LoadParams {
  unsigned device = 0;
  std::string kernel; // the function's name in the code
  Slice code;         // a cubin, PTX text, which the driver compiles, or a hsaco
  unsigned threads = 128, sharedBytes = 0, cluster = 1; // per CTA, per CTA, in CTAs
  GLUOND_FIELDS(field("device", &LoadParams::device), field("kernel", &LoadParams::kernel),
                field("code", &LoadParams::code), field("threads", &LoadParams::threads),
                field("sharedBytes", &LoadParams::sharedBytes),
                field("cluster", &LoadParams::cluster))
};

struct LoadResult {
  uint64_t module = 0; // id for launches
  unsigned registers = 0, localBytes = 0, staticSharedBytes = 0, maxThreads = 0;
  unsigned blocksPerMultiprocessor = 0;
  double occupancy = 0;  // active warps as a share of an SM's maximum, 0 to 1
  std::string limitedBy; // "registers", "shared memory", "warps", "blocks", "clusters"
  std::string log;       // output of the driver's compiler
  // For AMD's code, whose VGPRs are `registers`: the AGPRs, the SGPRs, and the spilled registers of
  // both kinds.
  std::optional<unsigned> accumulatorRegisters, scalarRegisters, spilledRegisters;
  GLUOND_FIELDS(field("module", &LoadResult::module), field("registers", &LoadResult::registers),
                field("localBytes", &LoadResult::localBytes),
                field("staticSharedBytes", &LoadResult::staticSharedBytes),
                field("maxThreads", &LoadResult::maxThreads),
                field("blocksPerMultiprocessor", &LoadResult::blocksPerMultiprocessor),
                field("occupancy", &LoadResult::occupancy),
                field("limitedBy", &LoadResult::limitedBy), field("log", &LoadResult::log),
                field("accumulatorRegisters", &LoadResult::accumulatorRegisters),
                field("scalarRegisters", &LoadResult::scalarRegisters),
                field("spilledRegisters", &LoadResult::spilledRegisters))
};

struct UnloadParams {
  uint64_t module = 0;
  GLUOND_FIELDS(field("module", &UnloadParams::module))
};

// ---------------------------------------------------------------- arguments

// The contents of a tensor before the launch. "normal": mean `low`, deviation `high`; "uniform":
// from `low` up to `high`; "iota": the element's number; "constant": `low`; "data": a .npy file in
// the binary part, with the tensor's shape.
struct Fill {
  std::string kind = "normal";
  double low = 0, high = 1;
  uint64_t seed = 0;
  std::optional<Slice> data;
  GLUOND_FIELDS(field("kind", &Fill::kind), field("low", &Fill::low), field("high", &Fill::high),
                field("seed", &Fill::seed), field("data", &Fill::data))
};

struct Tensor {
  std::string dtype; // Triton's name: fp16, bf16, fp8e4nv, i32, u8, u1, ...
  std::vector<int64_t> shape, strides;
  uint64_t offset = 0; // of the first element in its allocation, which is aligned to 256 bytes
  Fill fill;
  GLUOND_FIELDS(field("dtype", &Tensor::dtype), field("shape", &Tensor::shape),
                field("strides", &Tensor::strides), field("offset", &Tensor::offset),
                field("fill", &Tensor::fill))
};

// A tensor map over the tensor, as passed to cuTensorMapEncodeTiled or Im2col, or a descriptor for
// AMD's TDM, outermost dimension first. The kernel gets it, then shape (i32) and strides (i64).
struct Descriptor {
  unsigned elementType = 0;                // CUtensorMapDataType
  unsigned swizzle = 0;                    // CUtensorMapSwizzle
  unsigned elementBytes = 2;               // the unit of strides
  unsigned padInterval = 0, padAmount = 0; // TDM: elements in shared memory between pads, of a pad
  bool nanPadding = false;
  bool isFp4 = false;       // two elements a byte: the map's innermost extent is twice the shape's
  std::vector<int64_t> box; // im2col: pixels per column, channels per pixel
  std::vector<int64_t> shape;   // passed to the kernel; if empty, the tensor's
  std::vector<int64_t> strides; // passed to the kernel; if empty, the tensor's
  bool isIm2Col = false;
  std::vector<int64_t> lowerCorner, upperCorner, elementStrides; // for im2col
  GLUOND_FIELDS(field("elementType", &Descriptor::elementType),
                field("swizzle", &Descriptor::swizzle),
                field("elementBytes", &Descriptor::elementBytes),
                field("padInterval", &Descriptor::padInterval),
                field("padAmount", &Descriptor::padAmount),
                field("nanPadding", &Descriptor::nanPadding), field("isFp4", &Descriptor::isFp4),
                field("box", &Descriptor::box), field("shape", &Descriptor::shape),
                field("strides", &Descriptor::strides), field("isIm2Col", &Descriptor::isIm2Col),
                field("lowerCorner", &Descriptor::lowerCorner),
                field("upperCorner", &Descriptor::upperCorner),
                field("elementStrides", &Descriptor::elementStrides))
};

// One argument of the kernel: a scalar if there is no tensor.
struct Argument {
  std::string name;
  std::string type = "i32"; // for a scalar
  Json value;               // for a scalar: a number, true or false; "nan", "inf", "-inf"
  std::optional<Tensor> tensor;
  std::optional<Descriptor> descriptor;
  std::optional<std::string> aliases; // shares the memory of that earlier argument
  GLUOND_FIELDS(field("name", &Argument::name), field("type", &Argument::type),
                field("value", &Argument::value), field("tensor", &Argument::tensor),
                field("descriptor", &Argument::descriptor), field("aliases", &Argument::aliases))
};

struct Launch {
  uint64_t module = 0;
  std::vector<unsigned> grid = {1, 1, 1}; // programs; a cluster counts as one
  unsigned threads = 128, sharedBytes = 0, cluster = 1;
  bool isCooperative = false, isProgrammatic = false;
  uint64_t scratchBytes = 0, scratchAlignment = 1; // global memory of each CTA
  std::vector<Argument> arguments;
  GLUOND_FIELDS(field("module", &Launch::module), field("grid", &Launch::grid),
                field("threads", &Launch::threads), field("sharedBytes", &Launch::sharedBytes),
                field("cluster", &Launch::cluster), field("isCooperative", &Launch::isCooperative),
                field("isProgrammatic", &Launch::isProgrammatic),
                field("scratchBytes", &Launch::scratchBytes),
                field("scratchAlignment", &Launch::scratchAlignment),
                field("arguments", &Launch::arguments))
};

// ---------------------------------------------------------------- run

struct RunParams {
  Launch launch;
  uint64_t limitMs = 10'000;        // a kernel that takes longer is taken to hang
  bool guard = true;                // put unmapped pages around every tensor, and check its margins
  std::vector<std::string> outputs; // arguments whose contents to return
  std::optional<std::string> keep;  // keep all tensors under this name, for `compare`
  GLUOND_FIELDS(field("launch", &RunParams::launch), field("limitMs", &RunParams::limitMs),
                field("guard", &RunParams::guard), field("outputs", &RunParams::outputs),
                field("keep", &RunParams::keep))
};

// A tensor after the launch, with statistics of its finite elements.
struct TensorSummary {
  std::string name, dtype;
  std::vector<int64_t> shape;
  bool isChanged = false; // whether the launch changed it
  double least = 0, most = 0, mean = 0;
  uint64_t nans = 0, infinities = 0, zeros = 0;
  std::vector<Json> first;   // elements, at most 8: numbers, or "nan", "inf", "-inf"
  std::optional<Slice> data; // a .npy file, if requested
  GLUOND_FIELDS(field("name", &TensorSummary::name), field("dtype", &TensorSummary::dtype),
                field("shape", &TensorSummary::shape),
                field("isChanged", &TensorSummary::isChanged),
                field("least", &TensorSummary::least), field("most", &TensorSummary::most),
                field("mean", &TensorSummary::mean), field("nans", &TensorSummary::nans),
                field("infinities", &TensorSummary::infinities),
                field("zeros", &TensorSummary::zeros), field("first", &TensorSummary::first),
                field("data", &TensorSummary::data))
};

struct RunResult {
  double microseconds = 0;
  std::vector<TensorSummary> tensors;   // all tensor arguments, in order
  std::vector<std::string> overwritten; // arguments with writes just before or after them
  bool isGuarded = false;               // whether unmapped pages were around the tensors
  std::string printed;                  // output of the kernel
  GLUOND_FIELDS(field("microseconds", &RunResult::microseconds),
                field("tensors", &RunResult::tensors),
                field("overwritten", &RunResult::overwritten),
                field("isGuarded", &RunResult::isGuarded), field("printed", &RunResult::printed))
};

// ---------------------------------------------------------------- time

struct TimeParams {
  Launch launch;
  uint64_t limitMs = 10'000;
  double warmupMs = 25, budgetMs = 500; // of GPU time
  uint64_t leastRuns = 10, mostRuns = 100'000;
  double precision = 0.005; // stops when the median is known with this relative precision (95%)
  bool flushL2 = true;      // before every run
  GLUOND_FIELDS(field("launch", &TimeParams::launch), field("limitMs", &TimeParams::limitMs),
                field("warmupMs", &TimeParams::warmupMs), field("budgetMs", &TimeParams::budgetMs),
                field("leastRuns", &TimeParams::leastRuns),
                field("mostRuns", &TimeParams::mostRuns),
                field("precision", &TimeParams::precision), field("flushL2", &TimeParams::flushL2))
};

// Microseconds.
struct Times {
  double median = 0, q05 = 0, q20 = 0, q80 = 0, q95 = 0, least = 0;
  double spread = 0;    // (q80 - q20) / median
  double precision = 0; // half the 95% interval of the median, relative
  uint64_t runs = 0;
  GLUOND_FIELDS(field("median", &Times::median), field("q05", &Times::q05),
                field("q20", &Times::q20), field("q80", &Times::q80), field("q95", &Times::q95),
                field("least", &Times::least), field("spread", &Times::spread),
                field("precision", &Times::precision), field("runs", &Times::runs))
};

// The state of the GPU while it was measured; what its driver does not tell is 0 or empty.
struct Conditions {
  unsigned clockMHz = 0, mostClockMHz = 0; // the lowest that was seen, and the GPU's highest
  unsigned temperature = 0;                // the highest that was seen, in degrees Celsius
  double watts = 0;                        // likewise
  std::vector<std::string> slowedBy; // what kept the clock down: "power", "heat", "settings", ...
  GLUOND_FIELDS(field("clockMHz", &Conditions::clockMHz),
                field("mostClockMHz", &Conditions::mostClockMHz),
                field("temperature", &Conditions::temperature), field("watts", &Conditions::watts),
                field("slowedBy", &Conditions::slowedBy))
};
// Adds what another look at the GPU saw.
void merge(Conditions& all, const Conditions& more);

struct TimeResult {
  Times times;
  std::string printed;
  std::optional<Conditions> conditions; // if the driver tells
  GLUOND_FIELDS(field("times", &TimeResult::times), field("printed", &TimeResult::printed),
                field("conditions", &TimeResult::conditions))
};

// The notification `progress`, sent while `time` runs.
struct Progress {
  Json id; // of the request
  Times times;
  GLUOND_FIELDS(field("id", &Progress::id), field("times", &Progress::times))
};

// ---------------------------------------------------------------- compare

struct Compared {
  std::optional<std::string> kept; // the name given to `run`, with the argument's `name`
  std::optional<std::string> name;
  std::optional<Slice> data; // or a .npy file
  GLUOND_FIELDS(field("kept", &Compared::kept), field("name", &Compared::name),
                field("data", &Compared::data))
};

struct CompareParams {
  Compared result, reference;
  // If left out, the default tolerances for the result's dtype (docs/runner.md).
  std::optional<double> relative, absolute;
  GLUOND_FIELDS(field("result", &CompareParams::result),
                field("reference", &CompareParams::reference),
                field("relative", &CompareParams::relative),
                field("absolute", &CompareParams::absolute))
};

struct Difference {
  std::vector<int64_t> index;
  Json result, reference; // numbers, or "nan", "inf", "-inf"
  GLUOND_FIELDS(field("index", &Difference::index), field("result", &Difference::result),
                field("reference", &Difference::reference))
};

struct CompareResult {
  bool isEqual = false; // equal within the tolerances
  uint64_t elements = 0, differing = 0;
  double relative = 0, absolute = 0;         // the tolerances
  double mostAbsolute = 0, mostRelative = 0; // over the finite elements
  uint64_t notFinite = 0;                    // of the differing: one of the two is infinite or NaN
  std::optional<Difference> first;           // in row-major order
  GLUOND_FIELDS(field("isEqual", &CompareResult::isEqual),
                field("elements", &CompareResult::elements),
                field("differing", &CompareResult::differing),
                field("relative", &CompareResult::relative),
                field("absolute", &CompareResult::absolute),
                field("mostAbsolute", &CompareResult::mostAbsolute),
                field("mostRelative", &CompareResult::mostRelative),
                field("notFinite", &CompareResult::notFinite),
                field("first", &CompareResult::first))
};

// ---------------------------------------------------------------- cancel, errors

struct CancelParams {
  Json id; // of the request to stop
  GLUOND_FIELDS(field("id", &CancelParams::id))
};

// Kinds of errors, by what the user can do about them.
enum class ProblemKind : int {
  Request,   // malformed, or names something unknown
  NoDriver,  // no driver library, or it cannot be used
  NoDevice,  // no GPU, or not the requested one
  Code,      // the driver refuses the code
  Resources, // more shared memory, registers or threads than available
  Memory,    // not enough GPU memory
  Launch,    // the driver refuses the launch
  Fault,     // the kernel did something illegal
  Hang,      // it did not end in time
  Driver,    // another failure of the driver
  Cancelled,
  Lost,     // the runner's process or its connection ended; reported by the client
  Start,    // the runner could not be started; reported by the client
  Protocol, // the reply was not valid; reported by the client
};
// Returns "fault", "hang", "resources", ...
const char* kindName(ProblemKind kind);
std::optional<ProblemKind> kindOf(std::string_view name);

// An error response: its message is `message`, and all other members are its data.
struct Problem {
  ProblemKind kind = ProblemKind::Driver;
  std::string message;  // sentences for the user
  std::string kernel;   // empty if no kernel caused it
  std::string error;    // "CUDA_ERROR_ILLEGAL_ADDRESS"; empty if the driver reported none
  std::string log;      // output of the driver's compiler, or of the kernel
  bool isFatal = false; // the reporting process can no longer be used
};

Json encodeProblem(const Problem& problem);
Problem decodeProblem(const Json& error); // accepts any JSON

} // namespace gluond::runner
