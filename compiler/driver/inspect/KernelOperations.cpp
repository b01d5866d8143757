#include "driver/inspect/KernelOperations.h"

#include "chips/MemorySizes.h"
#include "codegen/context/CodegenContext.h"
#include "codegen/context/Source.h"
#include "driver/inspect/BulkCopies.h"
#include "driver/inspect/KernelBuffers.h"
#include "driver/inspect/OperationParts.h"
#include "driver/launches/HostLaunch.h"
#include "driver/program/OpPlaces.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "language/types/Type.h"
#include "language/values/Value.h"
#include "layout/access/Phases.h"
#include "layout/access/SharedAccess.h"
#include "layout/named/Properties.h"
#include "passes/analysis/AccessWidth.h"
#include "passes/analysis/Conversions.h"
#include "support/Plural.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/TypeSwitch.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <functional>
#include <map>
#include <set>

namespace gluond::driver {

namespace {

using namespace mlir;
using chips::lineBytes, chips::sectorBytes;
constexpr llvm::StringLiteral maskName = "mask"; // of an assumption
constexpr int64_t mostCounted = 1 << 14; // lanes of instructions that totals are counted over

Type elementOf(const OperationParts& parts) {
  if (parts.kind == OperationKind::Global) {
    Type pointer = parts.pointer.getType();
    return getElementTypeOrSelf(tt::pointeeType(pointer));
  }
  return parts.memory ? parts.memory.getElementType() : parts.tensor.getElementType();
}

// A view of a buffer keeps the buffer's layout; leading dimensions of stages have none.
layout::Shape bufferShape(const layout::Layout& layout, ArrayRef<int64_t> shape) {
  return layout::withoutPipelineDims(layout, shape);
}

// Calls `visit(index, op, parts)` for each operation of the kernel's module, in order.
template <typename Visit> void forEachOperation(ModuleOp module, Visit visit) {
  size_t index = 0;
  module.walk([&](Operation* op) {
    if (auto parts = partsOf(op)) visit(index++, op, *parts);
  });
}

std::string spelledDtype(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

// Arguments of the IR's function are the kernel's parameters without constexprs, in order; each
// descriptor is followed by the sizes and the strides of its tensor. Names are those of
// HostArgument.
std::vector<std::string> argumentNames(const codegen::Specialization& specialization,
                                       const HostLaunch& launch, const Interner& names) {
  std::vector<std::string> result;
  size_t leaves = 0;
  auto isConstant = [](const language::Type* type) {
    return !type || type->kind() == language::TypeKind::Constexpr;
  };
  std::function<void(const codegen::KernelArgument&, const std::string&)> add =
      [&](const codegen::KernelArgument& argument, const std::string& name) {
        for (auto [i, element] : llvm::enumerate(argument.elements))
          add(element, name + "." + std::to_string(i));
        if (!argument.elements.empty() || isConstant(argument.type)) return;
        // Members of a tuple have names that the specialization does not know.
        const std::string& known =
            leaves < launch.arguments.size() ? launch.arguments[leaves].name : name;
        ++leaves;
        result.push_back(known);
        if (argument.type->kind() != language::TypeKind::TensorDescriptor) return;
        for (auto [member, part] : llvm::zip(std::array<const char*, 2>{".shape[", ".strides["},
                                             argument.type->elements()))
          for (auto [i, element] : llvm::enumerate(part->elements()))
            if (!isConstant(element)) result.push_back(known + member + std::to_string(i) + "]");
      };
  const syntax::FunctionDef* def = specialization.kernel->def;
  for (auto [i, argument] : llvm::enumerate(specialization.arguments))
    add(argument, def && i < def->parameters.size() ? names.text(def->parameters[i].name.name).str()
                                                    : "arg" + std::to_string(i));
  return result;
}

// The integers that a launch passes, by those names.
llvm::StringMap<int64_t> launchedIntegers(const HostLaunch& launch) {
  llvm::StringMap<int64_t> integers;
  for (const HostArgument& argument : launch.arguments) {
    if (argument.integer) integers.try_emplace(argument.name, *argument.integer);
    if (!argument.isDescriptor() || !argument.tensor) continue;
    for (auto [member, values] : {std::pair(".shape[", &argument.tensor->shape),
                                  std::pair(".strides[", &argument.tensor->strides)})
      for (auto [i, value] : llvm::enumerate(*values))
        integers.try_emplace(argument.name + member + std::to_string(i) + "]", value);
  }
  return integers;
}

// The analyses that describe a kernel's operations.
struct Surroundings {
  const PlaceReader& places;
  KernelBuffers buffers;
  llvm::DenseMap<Operation*, size_t> indices; // of the operations that panels show

  Surroundings(ModuleOp module, const PlaceReader& places) : places(places), buffers(module) {
    forEachOperation(
        module, [&](size_t index, Operation* op, const OperationParts&) { indices[op] = index; });
  }
};

KernelOperation describe(Operation* op, const OperationParts& parts, const Surroundings& around) {
  KernelOperation result;
  result.kind = parts.kind;
  result.title = parts.title;
  result.isWrite = parts.isWrite;
  result.op = op->getName().getStringRef().str();
  OpPlace place = around.places.read(op->getLoc());
  if (place.place)
    result.place = *place.place;
  else if (!place.calls.empty()) // made in a function of Gluon's own
    result.place = place.calls.front();
  result.calls = std::move(place.calls);
  Type element = elementOf(parts);
  result.dtype = spelledDtype(element);
  result.elementBits = tt::bitWidth(element);
  if (parts.tensor) {
    result.registers = ir::toLayout(parts.tensor.getEncoding());
    result.shape.assign(parts.tensor.getShape().begin(), parts.tensor.getShape().end());
  }
  if (parts.memory) {
    result.other = ir::toLayout(parts.memory.getEncoding());
    if (!parts.tensor)
      llvm::append_range(result.shape, bufferShape(result.other, parts.memory.getShape()));
    result.bufferShape = around.buffers.shapeOf(parts.buffer);
    for (Operation* alloc : around.buffers.of(parts.buffer))
      if (auto found = around.indices.find(alloc); found != around.indices.end())
        result.buffers.push_back(found->second);
  }
  if (parts.to) result.other = ir::toLayout(parts.to.getEncoding());
  result.isInLoop = op->getParentOfType<LoopLikeOpInterface>() != nullptr;
  return result;
}

struct GlobalPlan {
  layout::LinearLayout unique;
  int64_t elements, instructions, lanes, withinRow;
  bool isLoop; // of an atomic operation without an instruction
};
std::optional<GlobalPlan> planGlobal(const OperationParts& parts,
                                     const passes::ModuleAxisInfo& axes,
                                     const chips::Target& target) {
  const layout::LinearLayout& linear = ir::toLinearLayout(parts.tensor);
  if (!linear.valid() || !linear.hasIn(layout::Dim::Lane)) return std::nullopt;
  GlobalPlan plan{linear.removeZeroBases(layout::Dim::Register), 1, 1, 1, 0, false};
  passes::AccessWidth width = passes::accessWidth(parts.access, axes, target.name());
  plan.elements = width.elements;
  plan.withinRow = width.withinRow;
  plan.instructions = plan.unique.inSize(layout::Dim::Register) / plan.elements;
  plan.lanes = plan.unique.inSize(layout::Dim::Lane);
  plan.isLoop = plan.elements < parts.access.leastElements;
  return plan;
}

// What an access is like where its row does not end.
std::string elsewhere(const GlobalPlan& plan, unsigned elementBits) {
  if (!plan.withinRow) return "";
  return " where a row ends; " + counted(plan.withinRow * elementBits / 8, "byte") +
         " per lane elsewhere";
}

std::string sharedSummary(const layout::SharedTraffic& traffic, unsigned elementBits) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << counted(static_cast<uint64_t>(traffic.elements * elementBits / 8), "byte") << " per lane, ";
  if (!traffic.instruction.empty()) os << traffic.instruction << ", ";
  if (traffic.wavefronts <= traffic.least)
    os << "no bank conflicts";
  else
    os << llvm::divideCeil(static_cast<uint64_t>(traffic.wavefronts),
                           static_cast<uint64_t>(std::max<int64_t>(1, traffic.least)))
       << "-way bank conflicts";
  return text;
}

// Whether the back end may read several picked elements by one instruction, those that lie side by
// side whatever the indices are (lowering/memory/Gather.cpp).
bool joinsNeighbors(const OperationParts& parts, const chips::Target& target) {
  return parts.indices && !parts.isWrite && !target.isHip();
}

void summarize(KernelOperation& operation, const OperationParts& parts,
               const passes::ModuleAxisInfo& axes, const chips::Target& target) {
  llvm::raw_string_ostream os(operation.summary);
  switch (operation.kind) {
  case OperationKind::Global:
    if (auto plan = planGlobal(parts, axes, target))
      os << counted(static_cast<uint64_t>(plan->elements * operation.elementBits / 8), "byte")
         << " per lane, "
         << counted(static_cast<uint64_t>(plan->instructions),
                    plan->isLoop ? "compare-and-swap loop" : "instruction")
         << " per warp" << elsewhere(*plan, operation.elementBits);
    break;
  case OperationKind::Shared:
    if (parts.indices)
      os << counted(operation.elementBits / 8, "byte") << " per lane, each at its index"
         << (joinsNeighbors(parts, target) ? ", with neighbors beside it" : "");
    else if (auto traffic = layout::countSharedTraffic(
                 operation.registers, operation.other,
                 {operation.shape, operation.bufferShape, operation.elementBits}, parts.isWrite, 0,
                 layout::banksOf(target.name())))
      os << sharedSummary(*traffic, operation.elementBits);
    break;
  case OperationKind::Conversion:
    if (auto plan = passes::planOf(parts.conversion)) {
      os << layout::name(plan->cost.kind);
      if (int64_t bytes = plan->sharedBytes()) os << ", " << bytes << " bytes of shared memory";
    }
    break;
  case OperationKind::Bulk:
    os << bulkSummary(operation, parts);
    break;
  case OperationKind::Buffer: {
    int64_t elements = 1;
    for (int64_t size : parts.memory.getShape())
      elements *= size;
    os << counted(static_cast<uint64_t>(elements * operation.elementBits / 8), "byte");
    break;
  }
  }
}

int64_t countDistinct(std::vector<int64_t> values) {
  llvm::sort(values);
  return std::unique(values.begin(), values.end()) - values.begin();
}

// Fills in the accesses of a warp's instructions to global memory.
void traceGlobal(AccessView& view, const OperationParts& parts, const GlobalPlan& plan,
                 const AccessRequest& request, passes::ElementValues& values) {
  view.elements = plan.elements;
  view.bytes = plan.elements * view.operation.elementBits / 8;
  view.instructions = plan.instructions;
  if (plan.isLoop) view.instruction = "compare-and-swap loop";
  if (plan.withinRow)
    view.instruction = "an instruction" + elsewhere(plan, view.operation.elementBits);
  view.warps = plan.unique.hasIn(layout::Dim::Warp) ? plan.unique.inSize(layout::Dim::Warp) : 1;
  auto pointers = values.of(parts.offsets ? parts.offsets : parts.pointer);
  view.unknown = values.unknown();
  auto mask = parts.mask ? values.of(parts.mask) : nullptr;
  view.assumptions = values.assumptions();
  // A mask that depends on data is assumed to be true.
  if (parts.mask && !mask && pointers) {
    auto given = request.given.find(maskName);
    int64_t value = given == request.given.end() ? 1 : given->second;
    view.assumptions.push_back({maskName.str(), value, false});
    mask = std::make_shared<passes::Elements>(passes::Elements{{value}});
  }
  if (mask) {
    int64_t elements = 1, active = 0;
    for (int64_t size : view.operation.shape)
      elements *= size;
    for (int64_t i = 0; i < elements; ++i)
      active += (*mask)[static_cast<size_t>(i)] != 0;
    view.activeShare = static_cast<double>(active) / static_cast<double>(elements);
  }
  int64_t scale = parts.offsets ? std::max(1u, view.operation.elementBits / 8) : 1;
  auto elementAt = [&](int64_t instruction, int64_t lane) {
    return plan.unique.apply(
        {{layout::Dim::Register, static_cast<uint64_t>(instruction * plan.elements)},
         {layout::Dim::Lane, static_cast<uint64_t>(lane)},
         {layout::Dim::Warp, request.warp}});
  };
  auto indexOf = [&](const layout::Coordinates& at) {
    size_t index = 0;
    for (auto [coordinate, size] : llvm::zip_equal(at, view.operation.shape))
      index = index * static_cast<size_t>(size) + static_cast<size_t>(coordinate);
    return index;
  };
  auto count = [&](int64_t instruction, int64_t& sectors, int64_t& lines, int64_t& least) {
    std::vector<int64_t> touched, starts;
    std::map<int64_t, std::set<size_t>> elements; // by address
    for (int64_t lane = 0; lane < plan.lanes; ++lane) {
      size_t index = indexOf(elementAt(instruction, lane));
      if (mask && !(*mask)[index]) continue;
      int64_t first = (*pointers)[index] * scale;
      starts.push_back(first);
      elements[first].insert(index);
      for (int64_t byte = first & ~(sectorBytes - 1); byte < first + view.bytes;
           byte += sectorBytes)
        touched.push_back(byte);
    }
    least = llvm::divideCeilSigned(countDistinct(std::move(starts)) * view.bytes, sectorBytes);
    std::vector<int64_t> ofLines;
    for (int64_t byte : touched)
      ofLines.push_back(byte & ~(lineBytes - 1));
    sectors = countDistinct(std::move(touched));
    lines = countDistinct(std::move(ofLines));
    for (const auto& [address, same] : elements)
      view.sameAddress = std::max(view.sameAddress, static_cast<int64_t>(same.size()));
  };
  for (int64_t lane = 0; lane < plan.lanes; ++lane) {
    layout::Coordinates at = elementAt(request.instruction, lane);
    view.coordinates.emplace_back(at.begin(), at.end());
    size_t index = indexOf(at);
    if (pointers) view.addresses.push_back((*pointers)[index] * scale);
    view.active.push_back(!mask || (*mask)[index]);
  }
  if (!pointers) return;
  count(request.instruction, view.sectors, view.lines, view.leastSectors);
  int64_t counted = std::clamp<int64_t>(mostCounted / plan.lanes, 1, plan.instructions);
  for (int64_t i = 0; i < counted; ++i) {
    int64_t sectors, lines, least;
    count(i, sectors, lines, least);
    view.totalSectors += sectors;
    view.totalLeastSectors += least;
  }
  view.totalSectors = view.totalSectors * plan.instructions / counted;
  view.totalLeastSectors = view.totalLeastSectors * plan.instructions / counted;
}

// Words of one bank in one phase wait for each other.
void countWavefronts(AccessView& view) {
  std::set<std::tuple<unsigned, int64_t, int64_t>> words; // phase, bank, word
  for (auto [address, phase] : llvm::zip_equal(view.addresses, view.phases))
    for (int64_t word = address / 4; word <= (address + view.bytes - 1) / 4; ++word)
      words.insert({phase, word % view.banks, word});
  std::map<unsigned, std::map<int64_t, int64_t>> count;
  for (auto [phase, bank, word] : words)
    ++count[phase][bank];
  for (const auto& [phase, banks] : count) {
    int64_t most = 0;
    for (auto [bank, waiting] : banks)
      most = std::max(most, waiting);
    view.wavefronts += most;
    ++view.leastWavefronts;
  }
}

// A gather or scatter: every lane accesses the element that its index selects, one at a time.
std::string tracePicked(AccessView& view, const OperationParts& parts, const AccessRequest& request,
                        passes::ElementValues& values, const chips::Target& target) {
  const KernelOperation& op = view.operation;
  layout::BankModel model = layout::banksOf(target.name());
  if (joinsNeighbors(parts, target)) view.instruction = "one load, or one with its neighbors";
  layout::LinearLayout lanes =
      ir::toLinearLayout(parts.tensor).removeZeroBases(layout::Dim::Register);
  auto shape = bufferShape(op.other, parts.memory.getShape());
  auto memory = layout::viewToLinearLayout(op.other, {shape, op.bufferShape, op.elementBits});
  auto places = memory ? memory->pseudoInvert() : std::nullopt;
  if (!lanes.hasIn(layout::Dim::Lane) || !places) return "the layout does not fit the tensor";
  view.elements = 1;
  view.bytes = std::max<int64_t>(1, op.elementBits / 8);
  view.instructions = lanes.inSize(layout::Dim::Register);
  if (request.instruction < 0 || request.instruction >= view.instructions)
    return "there is no such instruction";
  auto indices = values.of(parts.indices);
  view.unknown = op.other.as<layout::PaddedShared>() ? "padding" : values.unknown();
  view.assumptions = values.assumptions();
  bool isAssumed = llvm::any_of(values.assumptions(),
                                [](const passes::Assumption& each) { return !each.isGiven; });
  auto axis = static_cast<size_t>(parts.axis);
  int64_t count = lanes.inSize(layout::Dim::Lane);
  layout::Phase phase =
      layout::phaseOf(model, lanes.inBits(layout::Dim::Lane), view.bytes, parts.isWrite);
  view.banks = phase.banks;
  auto phases = phase.ofLanes(lanes.inBits(layout::Dim::Lane));
  view.phases.assign(phases.begin(), phases.end());
  for (int64_t lane = 0; lane < count; ++lane) {
    layout::Coordinates at =
        lanes.apply({{layout::Dim::Register, static_cast<uint64_t>(request.instruction)},
                     {layout::Dim::Lane, static_cast<uint64_t>(lane)},
                     {layout::Dim::Warp, request.warp}});
    view.coordinates.emplace_back(at.begin(), at.end());
    view.active.push_back(true);
    if (!indices || !view.unknown.empty()) continue;
    size_t number = 0;
    for (auto [coordinate, size] : llvm::zip_equal(at, op.shape))
      number = number * static_cast<size_t>(size) + static_cast<size_t>(coordinate);
    llvm::SmallVector<std::pair<layout::Dim, uint64_t>> place;
    for (auto [d, coordinate] : llvm::enumerate(at)) {
      int64_t along = d == axis ? (*indices)[number] : coordinate;
      // Assumed indices count up: they are as good as any within bounds.
      if (isAssumed) along = ((along % shape[d]) + shape[d]) % shape[d];
      if (along < 0 || along >= shape[d]) {
        view.unknown = "an index out of bounds";
        break;
      }
      place.push_back({layout::tensorDim(static_cast<unsigned>(d)), static_cast<uint64_t>(along)});
    }
    if (view.unknown.empty()) view.addresses.push_back(places->apply(place).front() * view.bytes);
  }
  if (!indices || !view.unknown.empty()) {
    view.addresses.clear();
    return {};
  }
  countWavefronts(view);
  view.totalWavefronts = view.wavefronts * view.instructions;
  view.totalLeastWavefronts = view.leastWavefronts * view.instructions;
  return {};
}

// The same for shared memory.
std::string traceShared(AccessView& view, const AccessRequest& request, bool isStore,
                        const layout::BankModel& model) {
  const KernelOperation& op = view.operation;
  layout::MemoryView memory{op.shape, op.bufferShape, op.elementBits};
  auto traffic =
      layout::countSharedTraffic(op.registers, op.other, memory, isStore, request.warp, model);
  if (!traffic) return traffic.error().message;
  auto trace = layout::sharedInstruction(op.registers, op.other, memory, isStore, request.warp,
                                         request.instruction, model);
  if (!trace) return trace.error().message;
  view.elements = traffic->elements;
  view.bytes = trace->bytes;
  view.instructions = traffic->instructions;
  view.instruction = traffic->instruction;
  view.banks = trace->banks;
  view.totalWavefronts = traffic->wavefronts;
  view.totalLeastWavefronts = traffic->least;
  view.addresses.assign(trace->addresses.begin(), trace->addresses.end());
  view.phases.assign(trace->phases.begin(), trace->phases.end());
  view.active.assign(view.addresses.size(), true);
  for (const layout::Coordinates& at : trace->elements)
    view.coordinates.emplace_back(at.begin(), at.end());
  countWavefronts(view);
  return {};
}

} // namespace

llvm::StringRef name(OperationKind kind) {
  static constexpr llvm::StringLiteral names[] = {"global", "shared", "conversion", "buffer",
                                                  "bulk"};
  return names[static_cast<size_t>(kind)];
}

Operations operationsOf(Analyzer& analyzer, const Variant& variant) {
  std::vector<KernelOperation> operations;
  PlaceReader places(*variant.program);
  auto problem = analyzer.inspect(
      variant, "ttgir", [&](ModuleOp module, const codegen::Specialization& specialization) {
        passes::ModuleAxisInfo axes(module);
        Surroundings around(module, places);
        forEachOperation(module, [&](size_t, Operation* op, const OperationParts& parts) {
          operations.push_back(describe(op, parts, around));
          summarize(operations.back(), parts, axes, specialization.target);
        });
      });
  if (problem) return tl::make_unexpected(*problem);
  return operations;
}

tl::expected<AccessView, std::string> accessView(Analyzer& analyzer, const Variant& variant,
                                                 const AccessRequest& request) {
  AccessView view;
  std::string why = "there is no such operation";
  PlaceReader places(*variant.program);
  HostLaunch launch = hostLaunchOf(variant, analyzer.names());
  llvm::StringMap<int64_t> launched = launchedIntegers(launch), known = request.given;
  for (const auto& each : launched)
    known.try_emplace(each.first(), each.second);
  auto valuesFor = [&](const codegen::Specialization& specialization) {
    passes::ElementValues values(
        [names = argumentNames(specialization, launch, analyzer.names())](unsigned argument) {
          return argument < names.size() && !names[argument].empty()
                     ? names[argument]
                     : "arg" + std::to_string(argument);
        },
        known);
    values.assumeLoads();
    return values;
  };
  auto problem = analyzer.inspect(
      variant, "ttgir", [&](ModuleOp module, const codegen::Specialization& specialization) {
        passes::ModuleAxisInfo axes(module);
        forEachOperation(module, [&](size_t index, Operation* op, const OperationParts& parts) {
          if (index != request.operation) return;
          view.operation = describe(op, parts, Surroundings(module, places));
          summarize(view.operation, parts, axes, specialization.target);
          if (parts.kind == OperationKind::Shared) {
            const layout::LinearLayout& linear = ir::toLinearLayout(parts.tensor);
            view.warps = linear.hasIn(layout::Dim::Warp) ? linear.inSize(layout::Dim::Warp) : 1;
            passes::ElementValues values = valuesFor(specialization);
            why = request.warp >= static_cast<unsigned>(view.warps) ? "there is no such warp"
                  : parts.indices ? tracePicked(view, parts, request, values, specialization.target)
                                  : traceShared(view, request, parts.isWrite,
                                                layout::banksOf(specialization.target.name()));
            return;
          }
          if (parts.kind == OperationKind::Bulk) {
            passes::ElementValues values = valuesFor(specialization);
            traceBulk(view, parts, values);
            why.clear();
            return;
          }
          if (parts.kind != OperationKind::Global) {
            why = view.operation.op + " does not access memory";
            return;
          }
          auto plan = planGlobal(parts, axes, specialization.target);
          if (!plan) {
            why = "the layout does not fit the tensor";
            return;
          }
          int64_t warps =
              plan->unique.hasIn(layout::Dim::Warp) ? plan->unique.inSize(layout::Dim::Warp) : 1;
          if (request.warp >= static_cast<unsigned>(warps) || request.instruction < 0 ||
              request.instruction >= plan->instructions) {
            why = "there is no such warp or instruction";
            return;
          }
          passes::ElementValues values = valuesFor(specialization);
          traceGlobal(view, parts, *plan, request, values);
          why.clear();
        });
      });
  if (problem) return tl::make_unexpected(*problem);
  if (!why.empty()) return tl::make_unexpected(why);
  for (passes::Assumption& each : view.assumptions) {
    each.isGiven = request.given.contains(each.name);
    if (!each.isGiven && launched.contains(each.name)) view.launched.push_back(each.name);
  }
  return view;
}

} // namespace gluond::driver
