// The tool run.
#include "driver/benchmark/DeviceChoice.h"
#include "mcp/tools/Execution.h"

namespace gluond::mcp {

namespace {

struct RunParams : LaunchParams {
  std::optional<std::vector<Reference>> references;
  std::optional<double> relative, absolute;
  static constexpr auto fields() {
    return std::tuple_cat(
        LaunchParams::fields(),
        std::make_tuple(told("references", &RunParams::references,
                             "Compare tensors with these files after the launch."),
                        told("relative", &RunParams::relative,
                             "Relative tolerance; if left out, it depends on the element type."),
                        told("absolute", &RunParams::absolute, "Absolute tolerance, likewise.")));
  }
};
struct RunAnswer : Subject, ResourceInfo {
  bool ok = true;
  std::string device;
  double microseconds = 0;
  std::vector<int64_t> grid;
  std::vector<std::string> overwritten;
  std::vector<TensorInfo> tensors;
  std::vector<ComparisonInfo> comparisons;
  std::string printed;
  std::vector<std::string> assumed;
  static constexpr auto fields() {
    return std::tuple_cat(
        Subject::fields(),
        std::make_tuple(told("ok", &RunAnswer::ok,
                             "Nothing was written out of bounds, and all comparisons are equal."),
                        told("device", &RunAnswer::device, "The GPU."),
                        told("microseconds", &RunAnswer::microseconds,
                             "Of one cold run: no measurement; the tool benchmark measures."),
                        field("grid", &RunAnswer::grid)),
        ResourceInfo::fields(),
        std::make_tuple(
            told("overwritten", &RunAnswer::overwritten, "Tensors beside which the kernel wrote."),
            field("tensors", &RunAnswer::tensors), field("comparisons", &RunAnswer::comparisons),
            told("printed", &RunAnswer::printed, "By the kernel."),
            told("assumed", &RunAnswer::assumed,
                 "Values that neither the host code nor the call gives.")));
  }
};

Answer<RunAnswer> runKernel(const RunParams& params, const Context& context) {
  auto chosen = chooseKernel(params, context);
  if (!chosen) return tl::unexpected(std::move(chosen.error()));
  const driver::Variant& variant = *chosen->variant;
  const auto references = params.references.value_or(std::vector<Reference>());
  std::vector<std::string> expected;
  for (const Reference& reference : references) {
    auto data = readTensorFile(reference.file, context);
    if (!data) return tl::unexpected(std::move(data.error()));
    expected.push_back(std::move(*data));
  }
  std::unique_lock<std::timed_mutex> lock;
  auto* runners =
      context.gpus.take(*context.snapshot->settingsOf(chosen->file->path()), lock, context.token);
  if (!runners) return cancelled();
  auto failed = [](const runner::Problem& problem) { return fail(describe(problem)); };
  remote::Runner& gpu = *runners->front();
  auto greeting = gpu.connect(context.token);
  if (!greeting) return failed(greeting.error());
  if (greeting->devices.empty())
    return fail(runner::whyNoDevice(greeting->drivers) +
                "; the tool simulate runs the kernel on the CPU");
  auto device =
      driver::chooseDevice(*greeting, std::nullopt, variant.target, context.snapshot->folders());
  if (!device) return failed(device.error());
  driver::LaunchOptions options = launchOptions(params, 10, context);
  auto prepared = driver::prepareLaunch(*context.snapshot, variant, options,
                                        greeting->devices[*device], context.worker, context.token);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  auto load = gpu.load(prepared->load, prepared->code, context.token);
  if (!load) return failed(load.error());
  runner::RunParams run;
  run.launch = prepared->launch;
  run.launch.module = load->module;
  run.limitMs = options.limitMs;
  run.keep = "run";
  auto ran = gpu.run(run, prepared->binary, context.token);
  if (!ran) return failed(ran.error());
  RunAnswer answer;
  static_cast<Subject&>(answer) = subjectOf(variant);
  answer.ok = ran->result.overwritten.empty();
  answer.device = greeting->devices[*device].name;
  answer.microseconds = ran->result.microseconds;
  answer.grid.assign(prepared->host.grid->begin(), prepared->host.grid->end());
  static_cast<ResourceInfo&>(answer) = resourcesOf(*load, prepared->sharedBytesOf(*load));
  answer.overwritten = ran->result.overwritten;
  answer.tensors = encodeTensors(ran->result);
  for (size_t i = 0; i < references.size(); ++i) {
    runner::CompareParams compare;
    compare.result = {"run", references[i].name, std::nullopt};
    compare.reference = {std::nullopt, std::nullopt, runner::Slice{0, expected[i].size()}};
    compare.relative = params.relative;
    compare.absolute = params.absolute;
    auto compared = gpu.compare(compare, expected[i], context.token);
    if (!compared) return failed(compared.error());
    answer.ok = answer.ok && compared->isEqual;
    answer.comparisons.push_back(encodeComparison(references[i].name, *compared, prepared->variant,
                                                  prepared->host, context));
  }
  gpu.unload(load->module);
  answer.printed = bounded(ran->result.printed);
  answer.assumed = prepared->assumptions;
  return answer;
}

} // namespace

Tool runTool() {
  return makeTool<runKernel>(
      "run", "Run on a GPU",
      "Runs a launch of a kernel once on a GPU, in a process of its own that is guarded against "
      "hangs and writes out of bounds, and compares results with references. The host code is not "
      "run: gluond launches the kernel with the arguments that it would pass.",
      Cost::Run);
}

} // namespace gluond::mcp
