// Gpu: arguments, launches, runs.
#include "runner/process/Launching.h"

#include "runner/data/Npy.h"
#include "runner/data/Results.h"
#include "runner/device/Events.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace gluond::runner {

namespace {

Problem request(std::string message) {
  return {ProblemKind::Request, std::move(message), {}, {}, {}, false};
}

// Not cryptographic: shows whether a launch changed anything.
uint64_t hashOf(std::string_view bytes) {
  uint64_t hash = bytes.size() * 0x9e3779b97f4a7c15;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = (hash ^ word) * 0x9fb21c651e98df25;
    hash ^= hash >> 29;
  }
  for (; i < bytes.size(); ++i)
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x9fb21c651e98df25;
  return hash;
}

tl::expected<double, std::string> numberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return tl::unexpected<std::string>("it is not a number");
}

} // namespace

Expected<bool> Gpu::addDescriptor(const Argument& argument, const TensorShape& shape,
                                  device::Address base, Prepared& out) {
  const Descriptor& descriptor = *argument.descriptor;
  const std::vector<int64_t>& extents = descriptor.shape.empty() ? shape.shape : descriptor.shape;
  const std::vector<int64_t>& strides =
      descriptor.strides.empty() ? shape.strides : descriptor.strides;
  size_t rank = extents.size();
  auto wrong = [&](const std::string& what) {
    return tl::unexpected(request("the tensor descriptor '" + argument.name + "' " + what));
  };
  if (rank < 1 || rank > 5 || strides.size() != rank)
    return wrong("has " + std::to_string(rank) + " dimensions; a tensor map has 1 to 5");
  const device::Driver& driver = *out.device->driver;
  auto encoded = driver.encode(descriptor, extents, strides, base,
                               out.module->threads / out.device->info.warpSize);
  if (!encoded && encoded.error().result == device::success) return wrong(encoded.error().why);
  if (!encoded) {
    std::string what = "the driver makes no tensor map for '" + argument.name + "' (shape";
    for (int64_t extent : extents)
      what += " " + std::to_string(extent);
    what += ", strides";
    for (int64_t stride : strides)
      what += " " + std::to_string(stride);
    what += ", block";
    for (int64_t extent : descriptor.box)
      what += " " + std::to_string(extent);
    return tl::unexpected(
        problem(driver, encoded.error().result, ProblemKind::Launch, out.module->kernel,
                what + ", " + std::to_string(descriptor.elementBytes) + " bytes an element)"));
  }
  out.add(encoded->data(), encoded->size());
  for (int64_t extent : extents)
    out.add(static_cast<int32_t>(extent));
  for (int64_t stride : strides)
    out.add(stride);
  return true;
}

Expected<bool> Gpu::prepareTensor(const Launch& launch, const Argument& argument,
                                  std::string_view binary, bool guard, Prepared& out) {
  const std::string& kernel = out.module->kernel;
  const device::Driver& driver = *out.device->driver;
  auto wrong = [&](const std::string& what) {
    return tl::unexpected(request("argument '" + argument.name + "': " + what));
  };
  Prepared::TensorState state;
  state.name = argument.name;
  auto shape = shapeOf(*argument.tensor);
  if (!shape) return wrong(shape.error());
  state.shape = std::move(*shape);
  uint64_t elementBytes = state.shape.dtype->bytes, offset = argument.tensor->offset * elementBytes;
  uint64_t bytes = offset + state.shape.storage * elementBytes;
  if (argument.aliases) {
    auto it = std::find_if(out.tensors.begin(), out.tensors.end(),
                           [&](auto& t) { return t.name == *argument.aliases; });
    if (it == out.tensors.end() || !it->memory.address())
      return wrong("there is no argument '" + *argument.aliases + "' before it");
    if (bytes > it->memory.bytes()) return wrong("it reaches beyond '" + *argument.aliases + "'");
    state.address = it->memory.address() + offset;
  } else {
    size_t free = 0, total = 0;
    driver.memoryInfo(&free, &total);
    auto memory = guard ? Allocation::makeGuarded(driver, out.device->ordinal, bytes)
                        : Allocation::make(driver, bytes);
    if (!memory)
      return tl::unexpected(problem(
          driver, memory.error(), ProblemKind::Memory, kernel,
          "argument '" + argument.name + "' takes " + std::to_string(bytes >> 20) + " MiB, and " +
              std::to_string(free >> 20) + " of " + std::to_string(total >> 20) + " are free"));
    state.memory = std::move(*memory);
    state.address = state.memory.address() + offset;
    auto contents = fill(state.shape, argument.tensor->fill, binary);
    if (!contents) return wrong(contents.error());
    state.before = hashOf(*contents);
    if (!contents->empty())
      if (device::Result result =
              driver.copyToDevice(state.address, contents->data(), contents->size());
          result != device::success)
        return tl::unexpected(problem(driver, result, ProblemKind::Driver, kernel,
                                      "argument '" + argument.name + "' cannot be filled"));
  }
  if (argument.descriptor) {
    if (auto added = addDescriptor(argument, state.shape, state.address, out); !added) return added;
  } else {
    out.add(state.address);
  }
  out.tensors.push_back(std::move(state));
  return true;
}

Expected<bool> Gpu::prepare(const Launch& launch, std::string_view binary, bool guard,
                            Prepared& out) {
  auto module = find(launch.module);
  if (!module) return tl::unexpected(module.error());
  out.module = *module;
  auto device = use(out.module->device);
  if (!device) return tl::unexpected(device.error());
  out.device = *device;
  if (launch.grid.size() != 3) return tl::unexpected(request("a grid has three numbers"));
  if (launch.threads != out.module->threads || launch.sharedBytes > out.module->sharedBytes)
    return tl::unexpected(request("the launch is not the one that the code was loaded for"));
  if (launch.cluster == 0 || launch.cluster > 16)
    return tl::unexpected(request("a cluster has 1 to 16 CTAs"));
  uint64_t programs = 1;
  for (unsigned extent : launch.grid)
    if (extent == 0 || __builtin_mul_overflow(programs, uint64_t{extent}, &programs))
      return tl::unexpected(request("a grid with an extent of 0, or too large, launches nothing"));

  Watchdog::Guard watch(watchdog_, 120'000, out.module->kernel);
  for (const Argument& argument : launch.arguments) {
    if (argument.tensor) {
      if (auto made = prepareTensor(launch, argument, binary, guard, out); !made) return made;
      continue;
    }
    auto wrong = [&](const std::string& what) {
      return tl::unexpected(request("argument '" + argument.name + "': " + what));
    };
    if (argument.type.starts_with('*')) { // a pointer to nothing
      out.add(uint64_t{0});
      continue;
    }
    const Dtype* dtype = findDtype(argument.type);
    if (!dtype) return wrong("there is no type '" + argument.type + "'");
    char bytes[8] = {};
    if (argument.value.is_number_integer() && dtype->kind != Dtype::Kind::Float) {
      writeInteger(*dtype,
                   argument.value.is_number_unsigned()
                       ? static_cast<int64_t>(argument.value.get<uint64_t>())
                       : argument.value.get<int64_t>(),
                   bytes);
    } else {
      auto number = numberOf(argument.value);
      if (!number) return wrong(number.error());
      writeElement(*dtype, *number, bytes);
    }
    out.add(bytes, dtype->bytes);
  }
  if (launch.scratchBytes) {
    uint64_t bytes;
    if (__builtin_mul_overflow(launch.scratchBytes * launch.cluster, programs, &bytes))
      return tl::unexpected(request("the scratch memory is too large"));
    auto scratch = Allocation::make(*out.device->driver, bytes);
    if (!scratch)
      return tl::unexpected(
          problem(*out.device->driver, scratch.error(), ProblemKind::Memory, out.module->kernel,
                  "the kernel's scratch memory takes " + std::to_string(bytes >> 20) + " MiB"));
    out.scratch = std::move(*scratch);
  }
  out.add(out.scratch.address());
  out.add(uint64_t{0}); // a profiler's scratch memory
  if (auto checked = checkParameters(*out.module, out); !checked) return checked;
  for (Prepared::Parameter& parameter : out.parameters)
    out.pointers.push_back(parameter.bytes);

  out.config.grid[0] = launch.grid[0] * launch.cluster;
  out.config.grid[1] = launch.grid[1];
  out.config.grid[2] = launch.grid[2];
  out.config.threads = launch.threads;
  out.config.sharedBytes = launch.sharedBytes;
  out.config.cluster = launch.cluster;
  out.config.isCooperative = launch.isCooperative;
  out.config.isProgrammatic = launch.isProgrammatic;
  out.config.stream = out.device->stream;
  return true;
}

Expected<bool> Gpu::checkParameters(const LoadedModule& module, const Prepared& prepared) {
  const std::vector<unsigned>& sizes = module.parameterSizes;
  if (sizes.empty()) return true; // they are not known
  bool fits = sizes.size() == prepared.parameters.size();
  for (size_t i = 0; fits && i < sizes.size(); ++i)
    fits = sizes[i] == prepared.parameters[i].size;
  if (fits) return true;
  auto list = [](const auto& items, auto size) {
    std::string text;
    for (const auto& item : items)
      text += (text.empty() ? "" : " ") + std::to_string(size(item));
    return text;
  };
  return tl::unexpected(
      request("the code of " + module.kernel + " takes parameters of " +
              list(sizes, [](unsigned size) { return size; }) + " bytes, the launch gives " +
              list(prepared.parameters, [](const Prepared::Parameter& p) { return p.size; })));
}

Expected<bool> Gpu::launch(Prepared& prepared) {
  const device::Driver& driver = *prepared.device->driver;
  device::Result result =
      driver.launch(prepared.config, prepared.module->function, prepared.pointers.data());
  if (result == device::success) return true;
  const device::LaunchConfig& config = prepared.config;
  std::string what = "the driver refuses to launch " + prepared.module->kernel + " (grid " +
                     std::to_string(config.grid[0]) + "x" + std::to_string(config.grid[1]) + "x" +
                     std::to_string(config.grid[2]) + ", " + std::to_string(config.threads) +
                     " threads, " + std::to_string(config.sharedBytes) + " bytes of shared memory)";
  return tl::unexpected(
      problem(driver, result, ProblemKind::Launch, prepared.module->kernel, what));
}

Expected<bool> Gpu::finish(const Prepared& prepared, uint64_t limitMs) {
  Watchdog::Guard guard(watchdog_, limitMs, prepared.module->kernel);
  const device::Driver& driver = *prepared.device->driver;
  device::Result result = driver.streamSynchronize(prepared.device->stream);
  if (result == device::success) return true;
  return tl::unexpected(problem(driver, result, ProblemKind::Driver, prepared.module->kernel,
                                "the driver reports an error after " + prepared.module->kernel));
}

Expected<RunResult> Gpu::run(const RunParams& params, std::string_view binary, std::string& out) {
  Prepared prepared;
  if (auto made = prepare(params.launch, binary, params.guard, prepared); !made)
    return tl::unexpected(made.error());
  for (const std::string& name : params.outputs)
    if (std::none_of(prepared.tensors.begin(), prepared.tensors.end(),
                     [&](auto& t) { return t.name == name; }))
      return tl::unexpected(request("no tensor argument is called '" + name + "'"));
  RunResult result;
  const device::Driver& driver = *prepared.device->driver;
  Events events(driver, 2);
  if (events.size() < 2)
    return tl::unexpected(Problem{
        ProblemKind::Driver, "the driver makes no events", prepared.module->kernel, {}, {}, false});
  capture_.take();
  driver.eventRecord(events[0], prepared.device->stream);
  if (auto launched = launch(prepared); !launched) return tl::unexpected(launched.error());
  driver.eventRecord(events[1], prepared.device->stream);
  if (auto finished = finish(prepared, params.limitMs); !finished)
    return tl::unexpected(finished.error());
  float milliseconds = 0;
  driver.eventElapsed(&milliseconds, events[0], events[1]);
  result.microseconds = static_cast<double>(milliseconds) * 1e3;
  Watchdog::Guard guard(watchdog_, 120'000, prepared.module->kernel);
  std::vector<KeptTensor> kept;
  result.isGuarded = std::any_of(prepared.tensors.begin(), prepared.tensors.end(),
                                 [](auto& tensor) { return tensor.memory.isGuarded(); });
  for (Prepared::TensorState& tensor : prepared.tensors) {
    if (tensor.memory.isOverwritten()) result.overwritten.push_back(tensor.name);
    std::string storage(tensor.shape.storage * tensor.shape.dtype->bytes, '\0');
    if (!storage.empty())
      if (device::Result copied = driver.copyToHost(storage.data(), tensor.address, storage.size());
          copied != device::success)
        return tl::unexpected(problem(driver, copied, ProblemKind::Driver, prepared.module->kernel,
                                      "results cannot be read back"));
    std::string elements = gather(tensor.shape, storage);
    TensorSummary summary = summarize(tensor.shape, elements);
    summary.name = tensor.name;
    summary.isChanged = tensor.memory.address() && hashOf(storage) != tensor.before;
    if (std::find(params.outputs.begin(), params.outputs.end(), tensor.name) !=
        params.outputs.end()) {
      std::string file = writeNpy(*tensor.shape.dtype, tensor.shape.shape, elements);
      summary.data = Slice{out.size(), file.size()};
      out += file;
    }
    result.tensors.push_back(std::move(summary));
    if (params.keep)
      kept.push_back({tensor.name, tensor.shape.dtype, tensor.shape.shape, std::move(elements)});
  }
  result.printed = capture_.take(); // the copies above also make the driver write it
  if (params.keep) {
    constexpr size_t mostKept = 4;
    std::erase_if(kept_, [&](auto& each) { return each.first == *params.keep; });
    if (kept_.size() >= mostKept) kept_.erase(kept_.begin());
    kept_.push_back({*params.keep, std::move(kept)});
  }
  return result;
}

} // namespace gluond::runner
