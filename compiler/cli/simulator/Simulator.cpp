#include "cli/simulator/Simulator.h"

#include "driver/program/PointerProvenance.h"
#include "driver/simulation/SimulateRun.h"
#include "ir/Context.h"
#include "ir/Locations.h"
#include "ir/tt/Types.h"
#include "runner/protocol/Dtype.h"
#include "runner/protocol/Framing.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/TypeUtilities.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

namespace gluond::cli {

namespace {

using runner::Problem;
using runner::ProblemKind;
using simulate::Element;
using simulate::Outcome;

// The limit for the data of a request.
constexpr uint64_t mostBytes = runner::maxBinaryBytes;

tl::unexpected<Problem> problem(ProblemKind kind, std::string message) {
  return tl::unexpected(Problem{kind, std::move(message), {}, {}, {}, false});
}

std::optional<std::string_view> sliced(const Slice& slice, std::string_view binary) {
  if (slice.offset > binary.size() || slice.size > binary.size() - slice.offset)
    return std::nullopt;
  return binary.substr(slice.offset, slice.size);
}

// ---- places

std::optional<SimulatorPlace> placeIn(mlir::Location location) {
  mlir::FileLineColRange range = ir::rangeOf(location);
  if (!range) return std::nullopt;
  return SimulatorPlace{
      range.getFilename().str(), {}, range.getStartLine(), range.getStartColumn()};
}

// The place of an op, and of the calls that it was inlined through, innermost first.
struct Places {
  SimulatorPlace place;
  std::vector<SimulatorPlace> calls;
};
Places placesOf(mlir::Location location) {
  Places places;
  std::vector<mlir::Location> calls = ir::callersOf(location);
  for (mlir::Location call : llvm::reverse(calls))
    if (auto caller = placeIn(call)) places.calls.push_back(*caller);
  places.place = placeIn(ir::withoutCalls(location)).value_or(SimulatorPlace());
  return places;
}

SimulatorFinding findingOf(const simulate::Finding& finding) {
  Places places = placesOf(finding.at);
  SimulatorFinding told;
  const diagnostics::Row& row = diagnostics::row(finding.id);
  told.code = row.slug.str();
  told.severity = diagnostics::severityName(finding.severity).str();
  told.message = finding.message;
  told.program.assign(finding.program.begin(), finding.program.end());
  told.isEnd = finding.isEnd;
  told.place = places.place;
  told.calls = places.calls;
  for (const simulate::Event& event : finding.events) {
    told.related.push_back(placesOf(event.at).place);
    told.related.back().message = event.message;
  }
  return told;
}

// ---- memory

struct Memory {
  std::string bytes;
  std::string_view before;
  Element element = Element::I8; // of the first pointer to it
};

// Returns the range of changed bytes, which may be empty.
std::pair<size_t, size_t> changeOf(const Memory& memory) {
  auto first = std::mismatch(memory.bytes.begin(), memory.bytes.end(), memory.before.begin()).first;
  if (first == memory.bytes.end()) return {0, 0};
  auto last =
      std::mismatch(memory.bytes.rbegin(), memory.bytes.rend(), memory.before.rbegin()).first;
  return {static_cast<size_t>(first - memory.bytes.begin()),
          static_cast<size_t>(last.base() - memory.bytes.begin())};
}

// A NaN or an infinity that was not there before.
bool isWorse(double now, double before) {
  return std::isnan(now) ? !std::isnan(before) : std::isinf(now) && std::isfinite(before);
}

bool hasNewNumbers(const Memory& memory) {
  if (!simulate::isFloat(memory.element)) return false;
  size_t width = simulate::bytesOf(memory.element);
  auto [begin, end] = changeOf(memory);
  for (size_t at = begin / width * width; at + width <= std::min(end + width, memory.bytes.size());
       at += width) {
    const char *now = memory.bytes.data() + at, *before = memory.before.data() + at;
    if (std::memcmp(now, before, width) != 0 && isWorse(simulate::numberAt(memory.element, now),
                                                        simulate::numberAt(memory.element, before)))
      return true;
  }
  return false;
}

const char* endName(Outcome::End end) {
  switch (end) {
  case Outcome::End::Finished:
    return "finished";
  case Outcome::End::Failed:
    return "failed";
  case Outcome::End::OutOfSteps:
    return "steps";
  case Outcome::End::OutOfTime:
    return "time";
  case Outcome::End::Cancelled:
    return "cancelled";
  }
  return "";
}

} // namespace

SimulatorInfo Simulator::initialize() const {
  return {simulatorProtocolVersion, GLUOND_VERSION, mostBytes};
}

Answer<SimulatorLoadResult> Simulator::load(const SimulatorLoadParams& params,
                                            std::string_view binary) {
  auto text = sliced(params.code, binary);
  if (!text) return problem(ProblemKind::Request, "the code is not in the request");
  Module module;
  module.context = ir::createContext();
  std::string why;
  {
    mlir::ScopedDiagnosticHandler handler(module.context.get(), [&](mlir::Diagnostic& diagnostic) {
      if (why.empty())
        llvm::raw_string_ostream(why) << diagnostic.getLocation() << ": " << diagnostic;
    });
    module.ir = ir::parseModule(*text, *module.context);
  }
  if (!module.ir) return problem(ProblemKind::Code, "the simulator cannot read the IR: " + why);
  module.kernel = driver::kernelOf(*module.ir);
  if (!module.kernel) return problem(ProblemKind::Code, "the IR has no kernel");
  auto code = simulate::translate(*module.ir);
  if (!code) return problem(ProblemKind::Code, code.error());
  module.code = std::move(*code);
  SimulatorLoadResult loaded{next_, module.kernel.getName().str(), module.code->warps,
                             module.kernel.getNumArguments(), module.code->sharedBytes};
  modules_.emplace(next_++, std::move(module));
  return loaded;
}

Answer<bool> Simulator::unload(const runner::UnloadParams& params) {
  return modules_.erase(params.module) != 0;
}

Answer<SimulatorRunResult> Simulator::run(const SimulatorRunParams& params, std::string_view binary,
                                          CancellationToken token, std::string& out) {
  auto found = modules_.find(params.module);
  if (found == modules_.end())
    return problem(ProblemKind::Request, "there is no module " + std::to_string(params.module));
  Module& module = found->second;
  mlir::TypeRange types = module.kernel.getArgumentTypes();
  if (types.size() != params.arguments.size())
    return problem(ProblemKind::Launch, "the kernel takes " + std::to_string(types.size()) +
                                            " arguments, but the launch passes " +
                                            std::to_string(params.arguments.size()));
  if (params.grid.size() != 3 || llvm::any_of(params.grid, [](int64_t size) { return size < 0; }))
    return problem(ProblemKind::Launch, "a grid has three numbers of programs");

  std::deque<Memory> memories; // a deque keeps their bytes in place
  simulate::GlobalMemory global;
  for (const SimulatorMemory& given : params.memories) {
    auto data = sliced(given.data, binary);
    if (!data)
      return problem(ProblemKind::Request, "the memory of '" + given.name + "' is not in it");
    Memory& memory = memories.emplace_back(std::string(*data), *data);
    global.add(given.name, std::as_writable_bytes(std::span(memory.bytes)), given.address);
  }
  auto noteElement = [&](uint64_t address, mlir::Type type) {
    auto element = simulate::elementOf(type);
    for (auto [memory, given] : llvm::zip(memories, params.memories))
      if (element && memory.element == Element::I8 && address >= given.address &&
          address - given.address < memory.bytes.size())
        memory.element = *element;
  };

  simulate::Setting setting;
  llvm::copy(params.grid, setting.grid.begin());
  for (size_t i = 0; i < params.arguments.size(); ++i) {
    const SimulatorArgument& argument = params.arguments[i];
    mlir::Type type = types[i];
    auto wrong = [&](const char* why) {
      return problem(ProblemKind::Launch, "argument " + std::to_string(i) + ": " + why);
    };
    if (argument.descriptor) {
      if (!argument.value.is_number_unsigned()) return wrong("a descriptor needs an address");
      auto address = argument.value.get<uint64_t>();
      auto descriptor = driver::simulatedDescriptor(
          *argument.descriptor, argument.descriptor->shape, argument.descriptor->strides,
          global.translate(address), type);
      if (!descriptor) return wrong("the kernel takes no descriptor here");
      noteElement(address,
                  tt::signless(mlir::cast<tt::TensorDescInterface>(type).getElementType()));
      setting.arguments.push_back(std::move(*descriptor));
    } else if (auto pointer = mlir::dyn_cast<tt::PointerType>(type)) {
      if (!argument.value.is_number_unsigned()) return wrong("a pointer needs an address");
      auto address = argument.value.get<uint64_t>();
      noteElement(address, pointer.getPointeeType());
      setting.arguments.push_back(simulate::Scalar{global.translate(address), Element::I64});
    } else if (auto element = simulate::elementOf(type);
               element && !mlir::isa<mlir::RankedTensorType>(type)) {
      setting.arguments.push_back(driver::simulatedNumber(argument.value, *element));
    } else {
      return wrong("the kernel takes neither a number nor a pointer here");
    }
  }

  simulate::Options how;
  how.token = token;
  if (params.isCooperative) how.atOnce = std::numeric_limits<size_t>::max();
  // A longer time would overflow the clock.
  constexpr uint64_t longest = uint64_t(1000) * 60 * 60 * 24 * 365;
  how.time = std::chrono::milliseconds(std::min(params.limitMs, longest));
  std::vector<driver::RestorableMemory> restorable;
  for (Memory& memory : memories)
    restorable.push_back({std::as_writable_bytes(std::span(memory.bytes)), memory.before});
  driver::SimulatedRun ran =
      driver::runAndExplain(*module.code, setting, global, how, {}, restorable,
                            [&] { return llvm::any_of(memories, hasNewNumbers); });
  Outcome& outcome = ran.outcome;

  SimulatorRunResult result;
  result.microseconds = ran.microseconds;
  result.end = endName(outcome.end);
  result.programs = outcome.programs;
  result.steps = outcome.steps;
  result.printed = std::move(outcome.printed);
  for (const simulate::Finding& finding : outcome.findings)
    result.findings.push_back(findingOf(finding));
  for (size_t i = 0; i < memories.size(); ++i) {
    auto [begin, end] = changeOf(memories[i]);
    if (begin == end) continue;
    result.changes.push_back({i, begin, {out.size(), end - begin}});
    out.append(memories[i].bytes, begin, end - begin);
  }
  return result;
}

} // namespace gluond::cli
