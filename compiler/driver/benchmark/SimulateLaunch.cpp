#include "driver/benchmark/SimulateLaunch.h"

#include "driver/analysis/Analysis.h"
#include "driver/benchmark/LaunchInputs.h"
#include "driver/program/OpPlaces.h"
#include "driver/program/Provenance.h"
#include "ir/tt/Types.h"
#include "runner/data/Npy.h"
#include "runner/data/TensorData.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/IR/TypeUtilities.h>

#include <chrono>
#include <cmath>
#include <cstring>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;
using simulate::Element;
using simulate::Outcome;

// More than one tensor of this size is not to be had on most machines.
constexpr uint64_t mostBytes = uint64_t{16} << 30;

// One tensor argument: its storage, which arguments that are the same tensor share.
struct TensorMemory {
  std::string name;
  runner::TensorShape shape;
  std::string storage, before;
  uint64_t address = 0;
};

class Arguments {
public:
  // The error is a sentence.
  tl::expected<void, std::string> add(const runner::Argument& argument, mlir::TypeRange types,
                                      size_t& next, std::string_view binary) {
    auto wrong = [&](const std::string& why) {
      return Error("argument '" + argument.name + "': " + why);
    };
    if (next >= types.size()) return wrong("the kernel has no parameter for it");
    mlir::Type type = types[next];
    if (!argument.tensor) {
      auto element = simulate::elementOf(type);
      if (!element || mlir::isa<mlir::RankedTensorType>(type))
        return wrong("the kernel takes no number here");
      values.push_back(numberOf(argument.value, *element));
      ++next;
      return {};
    }
    TensorMemory* memory = nullptr;
    if (argument.aliases)
      for (TensorMemory& other : memories)
        if (other.name == *argument.aliases) memory = &other;
    auto shape = runner::shapeOf(*argument.tensor);
    if (!shape) return wrong(shape.error());
    uint64_t address;
    if (memory) {
      address = memory->address;
    } else {
      uint64_t bytes = (argument.tensor->offset + shape->storage) * shape->dtype->bytes;
      if ((total_ += bytes) > mostBytes)
        return wrong("the launch's tensors take more than " + std::to_string(mostBytes >> 30) +
                     " GiB, which is the most that the simulator allocates");
      auto contents = runner::fill(*shape, argument.tensor->fill, binary);
      if (!contents) return wrong(contents.error());
      TensorMemory& made = memories.emplace_back();
      made.name = argument.name;
      made.shape = *shape;
      made.before = std::move(*contents);
      size_t offset = argument.tensor->offset * shape->dtype->bytes;
      made.storage.assign(offset, '\0');
      made.storage += made.before;
      made.address =
          global.add(argument.name, std::as_writable_bytes(std::span(made.storage))) + offset;
      address = made.address;
    }
    if (!argument.descriptor) {
      if (!mlir::isa<tt::PointerType>(type)) return wrong("the kernel takes no pointer here");
      values.push_back(simulate::Scalar{address, Element::I64});
      ++next;
      return {};
    }
    return addDescriptor(argument, *shape, address, types, next);
  }

  std::vector<simulate::Value> values;
  std::deque<TensorMemory> memories; // their storage stays where it is
  simulate::GlobalMemory global;

private:
  static simulate::Value numberOf(const runner::Json& value, Element element) {
    simulate::Scalar number{0, element};
    if (simulate::isFloat(element)) {
      double real = value.is_number()    ? value.get<double>()
                    : value == "inf"     ? HUGE_VAL
                    : value == "-inf"    ? -HUGE_VAL
                    : value.is_boolean() ? double(value.get<bool>())
                                         : std::nan("");
      simulate::storeNumber(element, real, &number.bits);
      return number;
    }
    uint64_t bits = value.is_number_unsigned() ? value.get<uint64_t>()
                    : value.is_boolean()       ? value.get<bool>()
                    : value.is_number()        ? static_cast<uint64_t>(value.get<int64_t>())
                                               : 0;
    std::memcpy(&number.bits, &bits, simulate::bytesOf(element));
    return number;
  }

  // The descriptor, then its shape and strides, as far as the kernel takes them.
  tl::expected<void, std::string> addDescriptor(const runner::Argument& argument,
                                                const runner::TensorShape& shape, uint64_t address,
                                                mlir::TypeRange types, size_t& next) {
    auto type = mlir::dyn_cast<tt::TensorDescInterface>(types[next]);
    auto element = type ? simulate::elementOf(tt::signless(type.getElementType())) : std::nullopt;
    if (!element)
      return Error("argument '" + argument.name + "': the kernel takes no descriptor here");
    ++next;
    const auto& given = *argument.descriptor;
    const std::vector<int64_t>& extents = given.shape.empty() ? shape.shape : given.shape;
    const std::vector<int64_t>& strides = given.strides.empty() ? shape.strides : given.strides;
    auto descriptor = std::make_shared<simulate::TensorDescriptor>();
    descriptor->base = address;
    descriptor->element = *element;
    descriptor->nanPadding = given.nanPadding;
    descriptor->isIm2Col = given.isIm2Col;
    descriptor->shape.assign(extents.begin(), extents.end());
    for (int64_t stride : strides)
      descriptor->strides.push_back(stride * simulate::bytesOf(*element));
    descriptor->lowerCorner.assign(given.lowerCorner.begin(), given.lowerCorner.end());
    descriptor->upperCorner.assign(given.upperCorner.begin(), given.upperCorner.end());
    descriptor->elementStrides.assign(given.elementStrides.begin(), given.elementStrides.end());
    values.push_back(simulate::DescriptorRef(std::move(descriptor)));
    for (const auto* list : {&extents, &strides})
      for (int64_t each : *list) {
        if (next >= types.size())
          return Error("argument '" + argument.name +
                       "': the kernel has no parameter for its shape");
        values.push_back(numberOf(runner::Json(each), *simulate::elementOf(types[next++])));
      }
    return {};
  }

  uint64_t total_ = 0;
};

std::string firstError(const StageResult& result) {
  for (const diagnostics::Diagnostic& diagnostic : result.diagnostics)
    if (diagnostic.severity == diagnostics::Severity::Error) return diagnostic.message;
  return {};
}

// At the user's places; what has none there is told by its call.
std::vector<diagnostics::Diagnostic> placed(std::vector<simulate::Finding> findings,
                                            const Program& program) {
  PlaceReader places(program);
  auto placeOf = [&](const OpPlace& at) {
    return at.place ? at.place : at.calls.empty() ? std::nullopt : std::optional(at.calls.front());
  };
  std::vector<diagnostics::Diagnostic> all;
  for (simulate::Finding& finding : findings) {
    OpPlace at = places.read(finding.at);
    diagnostics::Diagnostic diagnostic{finding.id,
                                       finding.severity,
                                       placeOf(at).value_or(diagnostics::Location()),
                                       std::move(finding.message),
                                       {},
                                       {}};
    auto [i, j, k] = finding.program;
    diagnostic.message += ", in program (" + std::to_string(i) + ", " + std::to_string(j) + ", " +
                          std::to_string(k) + ")";
    for (simulate::Event& event : finding.events)
      if (auto place = placeOf(places.read(event.at)))
        diagnostic.related.push_back({*place, std::move(event.message)});
    for (const diagnostics::Location& call : at.calls)
      if (call.file != diagnostic.location.file || call.range != diagnostic.location.range)
        diagnostic.related.push_back({call, diagnostics::note(diagnostics::NoteId::CalledFrom)});
    all.push_back(std::move(diagnostic));
  }
  return all;
}

bool hasNewNan(const std::deque<TensorMemory>& memories) {
  for (const TensorMemory& memory : memories) {
    auto nans = [&](std::string_view storage) {
      return runner::summarize(memory.shape, runner::gather(memory.shape, storage)).nans;
    };
    if (memory.shape.dtype->kind != runner::Dtype::Kind::Float) continue;
    std::string_view after = memory.storage;
    after.remove_prefix(memory.storage.size() - memory.before.size());
    if (nans(after) > nans(memory.before)) return true;
  }
  return false;
}

} // namespace

tl::expected<SimulatedLaunch, std::string>
simulateLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
               const SimulationOptions& simulation, Worker& worker, CancellationToken token) {
  SimulatedLaunch launch;
  auto inputs = launchInputs(snapshot, variant, options);
  if (!inputs) return Error(inputs.error());
  launch.host = inputs->host;
  launch.assumptions = inputs->assumptions;
  for (size_t d = 0; simulation.program && d < 3; ++d)
    if ((*simulation.program)[d] >= (*launch.host.grid)[d])
      return Error("the grid has no program with number " +
                   std::to_string((*simulation.program)[d]) + " along dimension " +
                   std::to_string(d));
  auto made = Analyzer(snapshot, worker, token).compile(variant, "ttgir");
  if (!made) return Error("cancelled");
  if (!made->module) {
    std::string why = firstError(made->result);
    if (why.empty())
      why = made->result.unsupported.empty() ? "it does not compile" : made->result.unsupported;
    return Error(why);
  }
  auto work = workOf(*made->module, launch.host);
  if (!work) return Error(work.error());
  auto program = simulate::translate(*made->module);
  if (!program) return Error(program.error());
  launch.warps = (*program)->warps;
  launch.sharedBytes = (*program)->sharedBytes;

  std::string binary;
  Arguments arguments;
  mlir::FunctionOpInterface kernel = kernelOf(*made->module);
  size_t next = 0;
  for (const runner::Argument& argument : launchArguments(*inputs, *work, binary))
    if (auto added = arguments.add(argument, kernel.getArgumentTypes(), next, binary); !added)
      return Error(added.error());
  if (next != kernel.getNumArguments())
    return Error("the kernel takes " + std::to_string(kernel.getNumArguments()) +
                 " arguments, but the launch passes " + std::to_string(next));

  simulate::Setting setting{*launch.host.grid, std::move(arguments.values)};
  simulate::Options how;
  how.threads = simulation.threads;
  how.only = simulation.program;
  how.token = token;
  how.time = std::chrono::milliseconds(options.limitMs);
  auto start = std::chrono::steady_clock::now();
  Outcome outcome = simulate::run(**program, setting, arguments.global, how);
  launch.result.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  // Looking at every result costs time, so it is done only where there is something to find. The
  // same inputs give the same run.
  if (outcome.end == Outcome::End::Finished && hasNewNan(arguments.memories)) {
    std::vector<std::string> results;
    for (TensorMemory& memory : arguments.memories) {
      results.push_back(memory.storage);
      std::copy(memory.before.begin(), memory.before.end(),
                memory.storage.end() - static_cast<ptrdiff_t>(memory.before.size()));
    }
    how.watchNumbers = true;
    Outcome watched = simulate::run(**program, setting, arguments.global, how);
    for (simulate::Finding& finding : watched.findings)
      if (finding.id == simulate::Id::FirstNan) {
        outcome.findings.push_back(std::move(finding)); // the first of all
        break;
      }
    for (auto [memory, result] : llvm::zip(arguments.memories, results))
      std::copy(result.begin(), result.end(), memory.storage.begin());
  }

  launch.end = outcome.end;
  launch.programs = outcome.programs;
  launch.steps = outcome.steps;
  launch.result.printed = std::move(outcome.printed);
  launch.findings = placed(std::move(outcome.findings), *made->program);
  auto ran = [&] { return std::to_string(launch.programs) + " programs had run"; };
  switch (outcome.end) {
  case Outcome::End::Finished:
  case Outcome::End::Failed:
    break;
  case Outcome::End::OutOfSteps:
    launch.stopped =
        "the run was stopped after " + std::to_string(launch.steps) + " steps; " + ran();
    break;
  case Outcome::End::OutOfTime:
    launch.stopped = "the run was stopped after " + std::to_string(options.limitMs / 1000) +
                     " s; " + ran() + " (change the limit with --limit)";
    break;
  case Outcome::End::Cancelled:
    launch.stopped = "the run was stopped; " + ran();
    break;
  }
  for (TensorMemory& memory : arguments.memories) {
    std::string_view after = memory.storage;
    after.remove_prefix(memory.storage.size() - memory.before.size());
    SimulatedTensor tensor{memory.name, runner::gather(memory.shape, after), memory.shape.dtype,
                           memory.shape.shape};
    runner::TensorSummary summary = runner::summarize(memory.shape, tensor.elements);
    summary.name = memory.name;
    summary.isChanged = after != memory.before;
    launch.result.tensors.push_back(std::move(summary));
    launch.tensors.push_back(std::move(tensor));
  }
  return launch;
}

tl::expected<runner::CompareResult, std::string>
compareTensor(const SimulatedLaunch& launch, const std::string& name, std::string_view file,
              std::optional<double> relative, std::optional<double> absolute) {
  auto tensor = llvm::find_if(launch.tensors, [&](const auto& each) { return each.name == name; });
  if (tensor == launch.tensors.end()) return Error("the launch has no tensor '" + name + "'");
  auto read = runner::readNpy(file);
  if (!read) return Error(read.error());
  auto elements = runner::elementsOf(*read, *tensor->dtype, &tensor->shape);
  if (!elements) return Error(elements.error());
  return runner::compare(*tensor->dtype, tensor->shape, tensor->elements, *elements,
                         relative.value_or(tensor->dtype->relative),
                         absolute.value_or(tensor->dtype->absolute));
}

} // namespace gluond::driver
