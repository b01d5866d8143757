// Warp specialization; questions about layouts.
#include "chips/Occupancy.h"
#include "codegen/rules/common/Args.h"
#include "codegen/targets/Refusal.h"
#include "ir/ttg/Ops.h"
#include "language/types/LayoutBridge.h"
#include "layout/access/SharedAccess.h"

namespace gluond::codegen {

using language::isA;

namespace rules {

// One (function, arguments) of the list; false after reporting.
static bool partition(IrBuilder& emit, const Arguments& args, Value pair, Value& function,
                      Value& arguments) {
  language::Items items = language::itemsOf(pair);
  if (items.size() != 2) {
    Reported reported =
        emit.error(Id::BadArgument, args.node(0),
                   "each partition must be a pair of a function and a tuple of its arguments");
    // A function that is called.
    auto* list = llvm::dyn_cast_if_present<syntax::List>(args.node(0));
    for (const syntax::Expr* each : list ? list->elements : syntax::Exprs())
      if (auto* call = llvm::dyn_cast<syntax::Call>(each); call && call->keywords.empty()) {
        std::string passed;
        for (const syntax::Expr* argument : call->args)
          passed += (passed.empty() ? "" : ", ") + emit.sourceText(argument).str();
        std::string meant = "(" + emit.sourceText(call->func).str() + ", (" + passed +
                            (call->args.size() == 1 ? ",))" : "))");
        reported.fix(diagnostics::FixId::TryText, {{call->range, meant}}, meant);
      }
    return false;
  }
  function = items[0].unwrapped();
  arguments = items[1];
  if (!arguments.unwrapped().is(ValueKind::Tuple)) {
    emit.error(Id::BadArgument, args.node(0),
               "the arguments of a partition must be a tuple, not " + emit.text(arguments));
    return false;
  }
  if (function.is(ValueKind::Function)) return true;
  emit.error(Id::NotCallable, args.node(0), function);
  return false;
}

Value warpSpecialize(IrBuilder& emit, const Arguments& args) {
  if (!language::isSequence(args[0]) || language::itemsOf(args[0]).empty())
    return emit.error(Id::BadArgument, args.node(0),
                      "expected a list of partitions, with the default partition first");
  language::Items list = language::itemsOf(args[0]);
  llvm::SmallVector<std::pair<Value, Value>, 4> partitions(list.size());
  for (auto [pair, out] : llvm::zip(list, partitions))
    if (!partition(emit, args, pair, out.first, out.second)) return Value::unknown();
  size_t workers = partitions.size() - 1;
  auto warps = intsArgument(emit, args, 1, "worker_num_warps");
  if (!warps) return Value::unknown();
  if (warps->size() != workers)
    return emit.error(Id::BadArgument, args.node(1),
                      std::to_string(workers) +
                          " worker partitions need as many numbers of warps, but got " +
                          std::to_string(warps->size()));
  for (auto [i, count] : llvm::enumerate(*warps))
    if (count > 0 && !llvm::isPowerOf2_64(static_cast<uint64_t>(count)))
      return emit.error(Id::BadArgument, args.node(1),
                        "worker partition " + std::to_string(i) + " has " + std::to_string(count) +
                            " warps, but the number of warps must be a power of two");
  std::optional<llvm::SmallVector<int64_t, 4>> registers;
  if (refusesNone(emit, args, 2, "worker_num_regs")) return Value::unknown();
  if (!isNone(args, 2)) {
    if (!(registers = intsArgument(emit, args, 2, "worker_num_regs"))) return Value::unknown();
    if (registers->size() != workers)
      return emit.error(Id::BadArgument, args.node(2),
                        std::to_string(workers) +
                            " worker partitions need as many numbers of registers, but got " +
                            std::to_string(registers->size()));
  }
  constexpr int64_t mostWarps = chips::mostThreadsPerProgram,
                    mostRegisters = chips::nvidiaRegisters;
  auto isWithin = [](llvm::ArrayRef<int64_t> items, int64_t most) {
    return llvm::all_of(items, [&](int64_t item) { return item > 0 && item <= most; });
  };
  if (!isWithin(*warps, mostWarps))
    return emit.error(Id::BadArgument, args.node(1),
                      "the numbers of warps must be from 1 to " + std::to_string(mostWarps));
  // Idle warps fill up the last group on NVIDIA chips.
  int64_t together = llvm::sum_of(*warps, int64_t{0});
  if (emit.target().isCuda())
    together =
        static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(together), chips::warpsOfGroup));
  if (emit.knowsNumWarps()) together += emit.numWarps();
  if (auto why = tooManyWarps(emit.target(), together))
    return emit.error(Id::BadArgument, args.node(1),
                      "with these workers a program has " + std::to_string(together) +
                          " warps: " + *why);
  if (registers && !isWithin(*registers, mostRegisters))
    return emit.error(Id::BadArgument, args.node(2),
                      "the numbers of registers must be from 1 to " +
                          std::to_string(mostRegisters));
  auto narrow = [](llvm::ArrayRef<int64_t> items) {
    return llvm::SmallVector<int32_t, 4>(items.begin(), items.end());
  };
  mlir::OpBuilder& builder = emit.opBuilder();
  // The default partition first: its results are the op's.
  auto* block = new mlir::Block;
  Value result;
  llvm::SmallVector<mlir::Value, 4> results;
  {
    IrBuilder::Guard guard(emit);
    builder.setInsertionPointToStart(block);
    result = emit.callJit(partitions[0].first, language::itemsOf(partitions[0].second).snapshot(),
                          args.call);
    if (!result.isUnknown()) emit.flatten(result, results);
    emit.create<ttg::WarpYieldOp>(results);
  }
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 8>, 4> captures(workers);
  llvm::SmallVector<mlir::Value, 16> captured;
  for (size_t i = 0; i < workers; ++i) {
    for (Value argument : language::itemsOf(partitions[i + 1].second))
      emit.flatten(argument, captures[i]);
    captured.append(captures[i]);
  }
  auto op =
      emit.create<ttg::WarpSpecializeOp>(mlir::ValueRange(results).getTypes(), narrow(*warps));
  op.getDefaultRegion().push_back(block);
  if (registers) op.setRequestedRegisters(narrow(*registers));
  {
    IrBuilder::Guard guard(emit);
    builder.createBlock(&op.getPartitionOpHolder());
    auto holder = emit.create<ttg::WarpSpecializePartitionsOp>(mlir::ValueRange(captured),
                                                               static_cast<unsigned>(workers));
    llvm::SmallVector<mlir::Type, 16> types(mlir::ValueRange(captured).getTypes());
    llvm::SmallVector<mlir::Location, 16> locations(types.size(), emit.loc());
    size_t first = 0;
    for (size_t i = 0; i < workers; ++i) {
      mlir::Region& region = holder.getPartitionRegions()[i];
      mlir::Block* body = builder.createBlock(&region, region.end(), types, locations);
      llvm::SmallVector<Value, 8> inside;
      unsigned cursor = 0;
      mlir::ValueRange handles = body->getArguments().slice(first, captures[i].size());
      for (Value argument : language::itemsOf(partitions[i + 1].second))
        inside.push_back(emit.unflatten(emit.typeOf(argument), handles, cursor));
      emit.callJit(partitions[i + 1].first, inside, args.call,
                   CallerContext{static_cast<unsigned>((*warps)[i])});
      emit.create<ttg::WarpReturnOp>();
      first += captures[i].size();
    }
  }
  if (result.isUnknown()) return result;
  unsigned cursor = 0;
  return emit.unflatten(emit.typeOf(result), op->getResults(), cursor);
}

// ---------------------------------------------------------------- layouts

static std::optional<layout::LinearLayout> linear(IrBuilder& emit, const LayoutObject* object,
                                                  llvm::ArrayRef<int64_t> shape, const Node* at) {
  auto meaning = language::toLayout(*object);
  auto made =
      meaning ? layout::toLinearLayout(*meaning, shape) : tl::make_unexpected(meaning.error());
  if (made) return *made;
  emit.error(Id::InvalidLayout, at, emit.text(object),
             made.error().field + " " + made.error().message);
  return std::nullopt;
}

Value bankConflicts(IrBuilder& emit, const Arguments& args) {
  Value registers = args.unwrapped(0), buffer = args.unwrapped(1);
  auto isType = [](Value value, TypeKind kind) {
    return value.is(ValueKind::Type) && value.asType()->is(kind);
  };
  if (!isType(registers, TypeKind::Tensor) || !registers.asType()->layout())
    return emit.error(Id::NotAnInteger, args.node(0), "distr_ty",
                      "the type of a tensor with a layout", args[0]);
  if (!isType(buffer, TypeKind::SharedMemoryDescriptor))
    return emit.error(Id::NotAnInteger, args.node(1), "shared_ty",
                      "the type of a shared memory descriptor", args[1]);
  const Type *tensor = registers.asType(), *memory = buffer.asType();
  if (tensor->shape() != memory->shape())
    return emit.error(Id::SharedShapeMismatch, args.node(1), shapeText(tensor->shape()),
                      shapeText(memory->shape()));
  if (!same(tensor->element(), memory->element()))
    return emit.error(Id::SharedDtypeMismatch, args.node(1), tensor->element(), memory->element());
  if (memory->shape() != memory->allocShape().take_back(memory->rank()))
    return emit.error(Id::BadArgument, args.node(1),
                      "bank conflicts of a slice of a buffer cannot be computed");
  auto from = linear(emit, tensor->layout(), tensor->shape(), args.node(0));
  auto to = from ? linear(emit, memory->layout(), memory->shape(), args.node(1)) : std::nullopt;
  if (!to) return Value::unknown();
  auto cost = layout::sharedAccessCost(*from, *to, tensor->element()->bits(),
                                       layout::banksOf(emit.target().name()));
  if (!cost) return emit.error(Id::BadArgument, args.call, cost.error().message);
  return Value::integer(cost->conflicts);
}

Value toLinearLayoutRule(IrBuilder& emit, const Arguments& args) {
  auto* object = args.unwrapped(0).as<LayoutObject>();
  if (!object || object->cls->family == language::LayoutFamily::Policy)
    return emit.error(Id::NotALayout, args.node(0), "layout", "register, shared or tensor memory",
                      args[0]);
  if (isA(object, LayoutKind::AutoLayout) || isA(object, LayoutKind::DistributedLinearLayout) ||
      isA(object, LayoutKind::SharedLinearLayout))
    return args[0].wrapped();
  auto shape = intsArgument(emit, args, 1, "shape");
  auto made = shape ? linear(emit, object, *shape, args.node(0)) : std::nullopt;
  if (!made) return Value::unknown();
  const LayoutObject* result = nullptr;
  if (language::isDistributed(object)) {
    if (auto layout = layout::Layout::make(layout::Linear{*made, true}))
      result = language::toObject(*layout, emit.heap());
  } else if (language::isShared(object)) {
    unsigned alignment = language::toLayout(*object)->alignment();
    if (auto layout = layout::Layout::make(layout::SharedLinear{*made, alignment}))
      result = language::toObject(*layout, emit.heap());
  } else {
    auto bases = [&](layout::Dim dim) {
      llvm::SmallVector<language::Basis, 8> list;
      for (unsigned bit = 0; made->hasIn(dim) && bit < made->inBits(dim); ++bit) {
        auto image = made->basis(dim, bit);
        list.push_back(language::Basis(image.begin(), image.end()));
      }
      return language::listOf(llvm::ArrayRef<language::Basis>(list), emit.heap());
    };
    auto sizes = made->outSizes();
    Value fields[] = {bases(layout::Dim::Row), bases(layout::Dim::Col),
                      language::listOf(llvm::ArrayRef<int64_t>(sizes), emit.heap())};
    result =
        language::makeLayoutUnchecked(LayoutKind::TensorMemoryLinearLayout, fields, emit.heap());
  }
  if (!result) return emit.unsupported(args.call, "this layout");
  return Value::object(ValueKind::Layout, result).wrapped();
}

} // namespace rules

} // namespace gluond::codegen
