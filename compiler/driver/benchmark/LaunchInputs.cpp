#include "driver/benchmark/LaunchInputs.h"

#include "driver/launches/ArgumentText.h"
#include "driver/launches/GivenTypes.h"
#include "files/ReadFile.h"
#include "language/types/TypeText.h"
#include "runner/data/Npy.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <cmath>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;

// A file as a tensor: its shape is read off its header by the runner, and here for strides.
tl::expected<std::vector<int64_t>, std::string> shapeOfNpy(llvm::StringRef file,
                                                           llvm::StringRef path) {
  auto header = file.take_front(4096);
  auto [before, rest] = header.split("'shape'");
  size_t open = rest.find('('), close = rest.find(')');
  if (!file.starts_with("\x93NUMPY") || open == llvm::StringRef::npos ||
      close == llvm::StringRef::npos || close < open)
    return Error("'" + path.str() + "' is not a .npy file");
  llvm::SmallVector<llvm::StringRef> parts;
  rest.slice(open + 1, close).split(parts, ',');
  std::vector<int64_t> shape;
  for (llvm::StringRef part : parts) {
    int64_t extent;
    if (part.trim().empty()) continue;
    if (part.trim().getAsInteger(10, extent) || extent < 0)
      return Error("'" + path.str() + "' is not a .npy file");
    shape.push_back(extent);
  }
  return shape;
}

// Gives the argument the type of the file's elements, for which the kernel is then compiled. Raw
// bits have none.
void takeTypeOf(llvm::StringRef file, HostArgument& argument, Variant& variant,
                const Interner& names) {
  auto read = runner::readNpy(file);
  if (!read || !read->dtype) return;
  auto scalar = language::scalarSpelled(read->dtype->name);
  if (!scalar) return;
  variant = withTypes(variant, {{argument.name, *scalar, true}}, names);
  argument.tensor->dtype = read->dtype->name;
  if (argument.isPointer())
    argument.type = (llvm::StringRef(argument.type).starts_with("*k") ? "*k" : "*") +
                    std::string(read->dtype->name);
  else
    argument.dtype = read->dtype->name;
  argument.isDtypeAssumed = false;
}

// The default contents of a tensor: zero if it is only written, if it counts or indexes something,
// and random otherwise.
runner::Fill fillFor(const HostArgument& argument, const MemoryUse& use, uint64_t seed) {
  const HostTensor& tensor = *argument.tensor;
  runner::Fill fill;
  fill.seed = seed;
  if (!tensor.contents.empty()) {
    fill.kind = tensor.contents;
    fill.low = tensor.low;
    fill.high = tensor.high;
    return fill;
  }
  llvm::StringRef dtype = tensor.dtype;
  bool isFloat = dtype.starts_with("fp") || dtype.starts_with("bf");
  if (!use.isRead || use.isAtomic || (!isFloat && !dtype.ends_with("8"))) {
    fill.kind = "constant";
    fill.low = 0;
  } else if (!isFloat) { // bytes: often numbers in a format of their own
    fill.kind = "uniform";
    fill.low = dtype == "i8" ? -8 : 0;
    fill.high = 8;
  }
  return fill;
}

} // namespace

tl::expected<HostLaunch, std::string> givenLaunch(const Variant& variant, const Interner& names,
                                                  const LaunchOptions& options) {
  HostLaunch host =
      hostLaunchOf(withTypes(variant, givenTypes(variant, options.arguments, names), names), names);
  for (const std::string& argument : options.arguments)
    if (auto applied = applyArgument(host, argument); !applied) return Error(applied.error());
  if (!options.grid.empty()) {
    auto grid = parseGrid(options.grid);
    if (!grid) return Error(grid.error());
    host.grid = *grid;
  }
  return host;
}

tl::expected<LaunchInputs, std::string>
launchInputs(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options) {
  LaunchInputs inputs;
  Interner& names = snapshot.names();
  inputs.variant = withTypes(variant, givenTypes(variant, options.arguments, names), names);
  auto given = givenLaunch(inputs.variant, names, options);
  if (!given) return Error(given.error());
  inputs.host = std::move(*given);
  HostLaunch& host = inputs.host;
  std::vector<std::string>& files = inputs.files;
  files.resize(host.arguments.size());
  for (auto [argument, file] : llvm::zip(host.arguments, files)) {
    if (!argument.tensor || argument.tensor->contents != "file") continue;
    constexpr size_t mostBytes = size_t{8} << 30;
    // The path was given by the user, unless the client is confined.
    llvm::StringRef path = argument.tensor->path;
    llvm::StringRef folder = argument.tensor->folder;
    auto text = !folder.empty() ? files::readFileBeneath({folder.str()}, path, mostBytes)
                : !snapshot.settings().isConfined ? files::readFile(path, mostBytes)
                : path.ends_with(".npy")
                    ? files::readFileBeneath(snapshot.folders(), path, mostBytes)
                    : tl::unexpected("'" + path.str() + "' is not a .npy file");
    if (!text) return Error(text.error());
    auto shape = shapeOfNpy(*text, argument.tensor->path);
    if (!shape) return Error(shape.error());
    // Recorded data are a tensor's elements, whatever its strides were.
    if (folder.empty() || argument.tensor->shape != *shape)
      argument.tensor->strides = denseStrides(*shape);
    argument.tensor->shape = std::move(*shape);
    if (argument.isDtypeAssumed) takeTypeOf(*text, argument, inputs.variant, names);
    file = std::move(*text);
  }
  assumeMissing(host, inputs.assumptions);
  return inputs;
}

std::vector<runner::Argument> launchArguments(const LaunchInputs& inputs, const KernelWork& work,
                                              std::string& binary) {
  const HostLaunch& host = inputs.host;
  std::vector<runner::Argument> arguments;
  for (size_t i = 0; i < host.arguments.size(); ++i) {
    const HostArgument& argument = host.arguments[i];
    runner::Argument out;
    out.name = argument.name;
    out.type = argument.isPointer() || argument.isDescriptor() ? "" : argument.type;
    if (argument.integer) out.value = *argument.integer;
    if (argument.real)
      out.value = std::isfinite(*argument.real) ? runner::Json(*argument.real)
                  : std::isnan(*argument.real)  ? runner::Json("nan")
                                                : runner::Json(*argument.real > 0 ? "inf" : "-inf");
    if (argument.tensor) {
      const HostTensor& tensor = *argument.tensor;
      out.tensor = runner::Tensor{tensor.dtype, tensor.shape, tensor.strides, tensor.offset,
                                  fillFor(argument, work.uses[i], i)};
      if (tensor.contents == "file") {
        out.tensor->fill.kind = "data";
        out.tensor->fill.data = runner::Slice{binary.size(), inputs.files[i].size()};
        binary += inputs.files[i];
      }
      if (argument.sameAs >= 0)
        out.aliases = host.arguments[static_cast<size_t>(argument.sameAs)].name;
    }
    if (const auto& map = work.maps[i]) {
      runner::Descriptor descriptor;
      descriptor.elementType = map->elementType;
      descriptor.swizzle = map->swizzle;
      descriptor.elementBytes = map->elementBytes;
      descriptor.padInterval = map->padInterval;
      descriptor.padAmount = map->padAmount;
      descriptor.isFp4 = map->isFp4;
      descriptor.isIm2Col = map->isIm2Col;
      descriptor.box = map->box;
      if (argument.descriptor) {
        descriptor.nanPadding = argument.descriptor->nanPadding;
        descriptor.lowerCorner = argument.descriptor->lowerCorner;
        descriptor.upperCorner = argument.descriptor->upperCorner;
        descriptor.elementStrides = argument.descriptor->elementStrides;
      }
      out.descriptor = std::move(descriptor);
    }
    arguments.push_back(std::move(out));
  }
  return arguments;
}

} // namespace gluond::driver
