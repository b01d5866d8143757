#include "driver/simulation/PrepareSimulation.h"

#include "driver/benchmark/LaunchInputs.h"
#include "driver/program/OpPlaces.h"
#include "driver/program/PointerProvenance.h"
#include "driver/simulation/SimulateRun.h"
#include "ir/tt/Types.h"
#include "simulate/translate/Translate.h"
#include "support/MachineMemory.h"

#include <mlir/IR/TypeUtilities.h>

namespace gluond::driver {

namespace {

using Error = tl::unexpected<std::string>;
using simulate::Element;

class Arguments {
public:
  Arguments(PreparedSimulation& launch, Purpose purpose)
      : purpose_(purpose), values_(launch.setting.arguments), memories_(launch.memories),
        global_(launch.memory) {}
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
      values_.push_back(simulatedNumber(argument.value, *element));
      ++next;
      return {};
    }
    SimulatedMemory* memory = nullptr;
    if (argument.aliases)
      for (SimulatedMemory& other : memories_)
        if (other.name == *argument.aliases) memory = &other;
    auto shape = runner::shapeOf(*argument.tensor);
    if (!shape) return wrong(shape.error());
    uint64_t address;
    if (memory) {
      address = memory->address;
    } else {
      auto contents = runner::fill(*shape, argument.tensor->fill, binary);
      if (!contents) return wrong(contents.error());
      SimulatedMemory& made = memories_.emplace_back();
      made.name = argument.name;
      made.shape = *shape;
      made.offset = argument.tensor->offset * shape->dtype->bytes;
      if (made.offset == 0) {
        made.storage = std::move(*contents);
      } else {
        made.storage.assign(made.offset, '\0');
        made.storage += *contents;
      }
      if (purpose_ == Purpose::Run) made.before = made.storage.substr(made.offset);
      made.address =
          global_.add(argument.name, std::as_writable_bytes(std::span(made.storage))) + made.offset;
      address = made.address;
    }
    if (!argument.descriptor) {
      if (!mlir::isa<tt::PointerType>(type)) return wrong("the kernel takes no pointer here");
      values_.push_back(simulate::Scalar{address, Element::I64});
      ++next;
      return {};
    }
    return addDescriptor(argument, *shape, address, types, next);
  }

private:
  // The descriptor, then its shape and strides, as far as the kernel takes them.
  tl::expected<void, std::string> addDescriptor(const runner::Argument& argument,
                                                const runner::TensorShape& shape, uint64_t address,
                                                mlir::TypeRange types, size_t& next) {
    const auto& given = *argument.descriptor;
    const std::vector<int64_t>& extents = given.shape.empty() ? shape.shape : given.shape;
    const std::vector<int64_t>& strides = given.strides.empty() ? shape.strides : given.strides;
    auto descriptor = simulatedDescriptor(given, extents, strides, address, types[next]);
    if (!descriptor)
      return Error("argument '" + argument.name + "': the kernel takes no descriptor here");
    ++next;
    values_.push_back(std::move(*descriptor));
    for (const auto* list : {&extents, &strides})
      for (int64_t each : *list) {
        if (next >= types.size())
          return Error("argument '" + argument.name +
                       "': the kernel has no parameter for its shape");
        values_.push_back(simulatedNumber(runner::Json(each), *simulate::elementOf(types[next++])));
      }
    return {};
  }

  const Purpose purpose_;
  std::vector<simulate::Value>& values_;
  std::deque<SimulatedMemory>& memories_;
  simulate::GlobalMemory& global_;
};

// Whether tensors of all arguments together take no more bytes.
tl::expected<void, std::string> fit(llvm::ArrayRef<runner::Argument> arguments,
                                    uint64_t mostBytes) {
  uint64_t total = 0;
  for (const runner::Argument& argument : arguments) {
    if (!argument.tensor || argument.aliases) continue;
    auto shape = runner::shapeOf(*argument.tensor);
    if (!shape) return Error("argument '" + argument.name + "': " + shape.error());
    total += (argument.tensor->offset + shape->storage) * shape->dtype->bytes;
    if (total > mostBytes)
      return Error("argument '" + argument.name + "': the launch's tensors take more than " +
                   std::to_string(mostBytes >> 20) +
                   " MiB, which is the most that is allocated here");
  }
  return {};
}

} // namespace

std::vector<diagnostics::Diagnostic> placed(std::vector<simulate::Finding> findings,
                                            const EvaluatedFile& program) {
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
    if (!finding.schedule.empty()) diagnostic.message += ", with schedule " + finding.schedule;
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

tl::expected<std::unique_ptr<PreparedSimulation>, std::string>
prepareSimulation(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
                  Purpose purpose, Worker& worker, CancellationToken token, uint64_t mostBytes) {
  auto launch = std::make_unique<PreparedSimulation>();
  auto inputs = launchInputs(snapshot, variant, options);
  if (!inputs) return Error(inputs.error());
  launch->variant = inputs->variant;
  launch->host = inputs->host;
  launch->assumptions = inputs->assumptions;
  Analyzer analyzer(snapshot, worker, token);
  auto made = purpose == Purpose::Debug ? analyzer.compileForDebugging(launch->variant)
                                        : analyzer.compile(launch->variant, "ttgir");
  if (!made) return Error("cancelled");
  launch->made = std::move(*made);
  if (!launch->made.module) return Error(whyNotCompiled(snapshot, launch->made.result));
  auto work = workOf(*launch->made.module, launch->host);
  if (!work) return Error(work.error());
  auto code = simulate::translate(*launch->made.module);
  if (!code) return Error(code.error());
  launch->code = std::move(*code);

  // The tensors before the run and the results of its first schedule are kept as well.
  if (uint64_t memory = machineBytes()) mostBytes = std::min(mostBytes, memory / 4);
  std::string binary;
  std::vector<runner::Argument> given = launchArguments(*inputs, *work, binary);
  if (auto fits = fit(given, mostBytes); !fits) return Error(fits.error()); // before any is filled
  Arguments arguments(*launch, purpose);
  launch->setting.grid = *launch->host.grid;
  mlir::FunctionOpInterface kernel = kernelOf(*launch->made.module);
  size_t next = 0;
  for (const runner::Argument& argument : given)
    if (auto added = arguments.add(argument, kernel.getArgumentTypes(), next, binary); !added)
      return Error(added.error());
  if (next != kernel.getNumArguments())
    return Error("the kernel takes " + std::to_string(kernel.getNumArguments()) +
                 " arguments, but the launch passes " + std::to_string(next));
  return launch;
}

std::string outsideOfGrid(const simulate::ProgramId& program, const HostLaunch& host) {
  for (size_t d = 0; d < 3; ++d)
    if (program[d] >= (*host.grid)[d])
      return "the grid has " + std::to_string((*host.grid)[d]) +
             ((*host.grid)[d] == 1 ? " program" : " programs") + " along dimension " +
             std::to_string(d) + ", and so no program with number " + std::to_string(program[d]);
  return {};
}

} // namespace gluond::driver
