// TMA: descriptors and the copies they drive; cluster launch control.
#include "chips/ChipsWithFeature.h"
#include "chips/MemorySizes.h"
#include "codegen/rules/common/Memory.h"
#include "ir/tt/Ops.h"
#include "ir/ttng/Ops.h"
#include "layout/named/FieldNames.h"
#include "releases/Rules.h"

namespace gluond::codegen {

using language::isA;

static llvm::StringRef textOf(Value value) {
  auto* text = value.as<language::StrObject>();
  return text ? text->text : llvm::StringRef();
}

mlir::Attribute nvidiaCachePolicy(IrBuilder& emit, const LayoutObject* policy) {
  // A part that was not given is NONE.
  auto priority = [](Value value) {
    return ttng::symbolizeCacheEvictionPriority(textOf(value))
        .value_or(ttng::CacheEvictionPriority::NONE);
  };
  auto modifier =
      tt::symbolizeCacheModifier(textOf(policy->fields[0])).value_or(tt::CacheModifier::NONE);
  auto l1 = priority(policy->fields[1]);
  auto primary = ttng::CacheEvictionPriority::NONE, secondary = primary;
  mlir::FloatAttr fraction;
  mlir::IntegerAttr prefetch;
  if (auto* l2 = policy->fields[2].as<LayoutObject>()) {
    primary = priority(l2->fields[0]);
    secondary = priority(l2->fields[2]);
    fraction = emit.opBuilder().getF32FloatAttr(static_cast<float>(asDouble(l2->fields[1])));
  }
  if (policy->fields[3].isIntegral())
    prefetch = emit.opBuilder().getI32IntegerAttr(static_cast<int32_t>(policy->fields[3].asInt()));
  return ttng::CachePolicyAttr::get(emit.context(), modifier, l1, primary, secondary, fraction,
                                    prefetch);
}

// _tma_cache_policy: only an L2 eviction policy. nullopt after reporting.
static std::optional<mlir::Attribute> tmaCachePolicy(IrBuilder& emit, const Arguments& args,
                                                     size_t i) {
  if (isNone(args, i)) return mlir::Attribute();
  const LayoutObject* policy =
      layoutArgument(emit, args, i, language::LayoutFamily::Policy, "cache_policy");
  if (!policy) return std::nullopt;
  auto refuse = [&](const char* what) {
    emit.error(Id::BadArgument, args.node(i), std::string("a TMA copy supports no ") + what);
    return std::nullopt;
  };
  llvm::StringRef modifier = textOf(policy->fields[0]);
  if (!modifier.empty() && modifier != "none") return refuse("cache modifier");
  if (isA(policy, LayoutKind::NvidiaCachePolicy)) {
    if (!policy->fields[1].isNone()) return refuse("L1 eviction policy");
    if (!policy->fields[3].isNone()) return refuse("L2 prefetch size");
  }
  return cachePolicyAttribute(emit, policy);
}

// Triton's TMA functions require an option that only NVIDIA's backend has.
static bool hasTma(IrBuilder& emit, const Arguments& args) {
  if (emit.target().isCuda()) return true;
  emit.error(Id::TargetTooOld, args.call, "TMA", "an NVIDIA GPU", emit.target().name());
  return false;
}

// Under the sanitizer of illegal instructions: the program asserts that the innermost coordinate is
// aligned. False after reporting.
static bool checkAlignment(IrBuilder& emit, const Arguments& args, Memory desc, size_t coordIndex,
                           llvm::StringRef function, llvm::StringRef what) {
  if (!emit.options().instruments("iisan")) return true;
  Value coord = args[coordIndex];
  if (language::isSequence(coord)) {
    if (language::itemsOf(coord).empty()) return true;
    coord = language::itemsOf(coord).back();
  }
  const Type* element = desc.type->element()->scalar();
  if (element->bits() % 8) {
    emit.raised(args.call, "AssertionError", "unexpected sub-byte dtype " + emit.text(element));
    return false;
  }
  const Value* padded = language::field(*desc.type->layout(), layout::fields::fp4Padded);
  bool isPadded = padded && padded->isIntegral() && padded->asInt();
  int64_t bytes = isPadded ? 64 : 16, count = bytes / (element->bits() / 8);
  const Node* at = args.node(coordIndex);
  auto given = asOperand(emit, coord, at);
  Tensor offset = given ? toTensor(emit, *given) : Tensor();
  Tensor remainder = offset ? mod(emit, operand(offset, at), number(count), at) : Tensor();
  Tensor aligned = remainder
                       ? compare(emit, syntax::CompareOp::Eq, operand(remainder, at), number(0), at)
                       : Tensor();
  if (!aligned) return false;
  deviceAssertion(emit, aligned,
                  (function + (isPadded ? " with fp4_padded=True " : " ") + what + " must be " +
                   llvm::Twine(bytes) + "-byte aligned, i.e. a multiple of " + llvm::Twine(count) +
                   " for dtype=" + element->info().attribute)
                      .str());
  return true;
}

// Under the same sanitizer: no offset of a scatter is negative.
static bool checkNotNegative(IrBuilder& emit, const Arguments& args, Tensor rows) {
  if (!emit.options().instruments("iisan")) return true;
  Tensor column = toTensorArgument(emit, args, 2),
         zero{emit.constantInt(0, 32), scalarType(ScalarKind::Int32)};
  for (auto [offset, at, message] :
       {std::tuple(column, args.node(2), "async_scatter y_offset cannot be negative"),
        std::tuple(rows, args.node(1),
                   "async_scatter x_offsets cannot have any negative elements")}) {
    Tensor holds = offset ? compare(emit, syntax::CompareOp::GtE, operand(offset, at),
                                    operand(zero, args.call), at)
                          : Tensor();
    if (!holds) return false;
    deviceAssertion(emit, holds, message);
  }
  return true;
}

// With the same sanitizer: checks the alignment of values known only at run time, the base pointer
// and the strides.
static bool checkDescriptorAlignment(IrBuilder& emit, Tensor base, language::Items sources,
                                     llvm::ArrayRef<mlir::Value> strides, int64_t elementBytes,
                                     const Node* at) {
  const Type* i64 = scalarType(ScalarKind::Int64);
  Tensor unit{emit.constantInt(16, 64), i64}, zero{emit.constantInt(0, 64), i64},
      size{emit.constantInt(elementBytes, 64), i64};
  auto check = [&](Tensor bytes, llvm::StringRef message) {
    Tensor remainder = bytes ? mod(emit, operand(bytes, at), operand(unit, at), at) : Tensor();
    Tensor aligned = remainder ? compare(emit, syntax::CompareOp::Eq, operand(remainder, at),
                                         operand(zero, at), at)
                               : Tensor();
    if (!aligned) return false;
    deviceAssertion(emit, aligned, message);
    return true;
  };
  if (!check(cast(emit, base, i64, at), "Tensor descriptor base pointer must be 16-byte aligned"))
    return false;
  for (auto [source, stride] : llvm::zip(sources, strides.drop_back())) {
    if (source.unwrapped().isIntegral()) continue;
    Tensor bytes = mul(emit, operand(Tensor{stride, i64}, at), operand(size, at), false, at);
    if (!check(bytes, "Tensor descriptor strides must be 16-byte aligned")) return false;
  }
  return true;
}

// TMA was introduced with Hopper; Triton finds out only when it selects instructions.
static void checkTarget(IrBuilder& emit, const Arguments& args) {
  if (emit.target().isCuda() && !emit.target().has(Feature::Tma))
    emit.warning(Id::TargetTooOld, args.call, "TMA", chips::chipsWith(Feature::Tma),
                 emit.target().name());
}

namespace rules {

static Value tmaLoad(IrBuilder& emit, const Arguments& args, bool im2col) {
  if (!hasTma(emit, args)) return Value::unknown();
  checkTarget(emit, args);
  size_t next = im2col ? 3 : 2; // barrier, result, pred, multicast, cache_policy
  Memory desc = descriptorArgument(emit, args, 0, "tensor_desc");
  Memory barrier = desc ? sharedArgument(emit, args, next, "barrier") : Memory();
  Memory result = barrier ? sharedArgument(emit, args, next + 1, "result") : Memory();
  llvm::SmallVector<mlir::Value, 5> coords, offsets;
  if (!result || !checkAlignment(emit, args, desc, 1, "async_load", "innermost coordinate") ||
      !coordinates(emit, args, 1, false, coords))
    return Value::unknown();
  Tensor pred = toTensorArgument(emit, args, next + 2);
  auto multicast = pred ? flagArgument(emit, args, next + 3, "multicast") : std::nullopt;
  auto policy = multicast ? tmaCachePolicy(emit, args, next + 4) : std::nullopt;
  if (!policy) return Value::unknown();
  if (im2col) {
    if (!language::isSequence(args[2]))
      return emit.error(Id::NotAnInteger, args.node(2), "offsets", "a list of 16-bit integers",
                        args[2]);
    for (Value item : language::itemsOf(args[2])) {
      Value offset = item.unwrapped();
      if (offset.is(ValueKind::Int))
        offsets.push_back(emit.constantInt(offset.asInt(), 16));
      else if (IrBuilder::isIr(item))
        offsets.push_back(IrBuilder::handle(item));
      else
        return emit.error(Id::NotAnInteger, args.node(2), "offset", "a 16-bit integer", item);
    }
  }
  auto memory = llvm::cast<ttg::MemDescType>(result.handle.getType());
  auto descriptor = llvm::dyn_cast<tt::TensorDescInterface>(desc.handle.getType());
  // The verifier rejects the copy.
  if (descriptor && descriptor.getSignlessBlockType().getElementType() != memory.getElementType())
    emit.doubtElements(result.handle);
  bool broadcasts = *multicast && ttng::hasCGABroadcast(memory);
  emit.create<ttng::AsyncTMACopyGlobalToLocalOp>(desc.handle, coords, offsets, barrier.handle,
                                                 result.handle, pred.handle, broadcasts, *policy,
                                                 false);
  return Value::none();
}

Value tmaLoad(IrBuilder& emit, const Arguments& args) {
  return tmaLoad(emit, args, false);
}
Value tmaLoadIm2Col(IrBuilder& emit, const Arguments& args) {
  return tmaLoad(emit, args, true);
}

// (tensor_desc, coord, src, ...)
static bool storeOperands(IrBuilder& emit, const Arguments& args, llvm::StringRef function,
                          Memory& desc, Memory& src, llvm::SmallVectorImpl<mlir::Value>& coords) {
  checkTarget(emit, args);
  return (desc = descriptorArgument(emit, args, 0, "tensor_desc")) &&
         (src = sharedArgument(emit, args, 2, "src")) &&
         checkAlignment(emit, args, desc, 1, function, "innermost coordinate") &&
         coordinates(emit, args, 1, false, coords);
}

Value tmaStore(IrBuilder& emit, const Arguments& args) {
  if (!hasTma(emit, args)) return Value::unknown();
  Memory desc, src;
  llvm::SmallVector<mlir::Value, 5> coords;
  if (!storeOperands(emit, args, "async_store", desc, src, coords)) return Value::unknown();
  auto policy = tmaCachePolicy(emit, args, 3);
  if (!policy) return Value::unknown();
  emit.create<ttng::AsyncTMACopyLocalToGlobalOp>(desc.handle, coords, src.handle, *policy);
  return Value::none();
}

Value tmaReduce(IrBuilder& emit, const Arguments& args, ReduceKind kind) {
  if (!hasTma(emit, args)) return Value::unknown();
  Memory desc, src;
  llvm::SmallVector<mlir::Value, 5> coords;
  static constexpr llvm::StringLiteral names[] = {"async_atomic_add", "async_atomic_min",
                                                  "async_atomic_max", "async_atomic_and",
                                                  "async_atomic_or",  "async_atomic_xor"};
  if (!storeOperands(emit, args, names[static_cast<size_t>(kind)], desc, src, coords))
    return Value::unknown();
  tt::DescriptorReduceKind op = tt::DescriptorReduceKind::ADD;
  switch (kind) {
  case ReduceKind::Add:
    op = tt::DescriptorReduceKind::ADD;
    break;
  case ReduceKind::Min:
    op = tt::DescriptorReduceKind::MIN;
    break;
  case ReduceKind::Max:
    op = tt::DescriptorReduceKind::MAX;
    break;
  case ReduceKind::And:
    op = tt::DescriptorReduceKind::AND;
    break;
  case ReduceKind::Or:
    op = tt::DescriptorReduceKind::OR;
    break;
  case ReduceKind::Xor:
    op = tt::DescriptorReduceKind::XOR;
    break;
  }
  emit.create<ttng::AsyncTMAReduceOp>(op, desc.handle, coords, src.handle);
  return Value::none();
}

Value tmaStoreWait(IrBuilder& emit, const Arguments& args) {
  auto pendings = intArgument(emit, args, 0, "pendings");
  auto readOnly = pendings ? flagArgument(emit, args, 1, "read_only") : std::nullopt;
  if (!readOnly) return Value::unknown();
  emit.create<ttng::TMAStoreWaitOp>(static_cast<uint32_t>(*pendings), *readOnly);
  return Value::none();
}

// (tensor_desc, x_offsets, y_offset, barrier, result, pred, multicast, cache_policy)
Value tmaGather(IrBuilder& emit, const Arguments& args) {
  if (!hasTma(emit, args)) return Value::unknown();
  checkTarget(emit, args);
  Memory desc = descriptorArgument(emit, args, 0, "tensor_desc");
  Tensor rows = desc ? blockArgument(emit, args, 1, "x_offsets") : Tensor();
  Memory barrier = rows ? sharedArgument(emit, args, 3, "barrier") : Memory();
  Memory result = barrier ? sharedArgument(emit, args, 4, "result") : Memory();
  bool fine = result && checkAlignment(emit, args, desc, 2, "async_gather", "y_offset");
  Tensor pred = fine ? toTensorArgument(emit, args, 5) : Tensor();
  Tensor column = pred ? toTensorArgument(emit, args, 2) : Tensor();
  auto multicast = column ? flagArgument(emit, args, 6, "multicast") : std::nullopt;
  auto policy = multicast ? tmaCachePolicy(emit, args, 7) : std::nullopt;
  if (!policy) return Value::unknown();
  bool broadcasts =
      *multicast && ttng::hasCGABroadcast(llvm::cast<ttg::MemDescType>(result.handle.getType()));
  emit.create<ttng::AsyncTMAGatherOp>(desc.handle, rows.handle, column.handle, barrier.handle,
                                      result.handle, pred.handle, broadcasts, *policy);
  return Value::none();
}

// (tensor_desc, x_offsets, y_offset, src, cache_policy)
Value tmaScatter(IrBuilder& emit, const Arguments& args) {
  if (!hasTma(emit, args)) return Value::unknown();
  checkTarget(emit, args);
  Memory desc = descriptorArgument(emit, args, 0, "tensor_desc");
  Tensor rows = desc ? blockArgument(emit, args, 1, "x_offsets") : Tensor();
  Memory src = rows ? sharedArgument(emit, args, 3, "src") : Memory();
  bool fine = src && checkAlignment(emit, args, desc, 2, "async_scatter", "y_offset") &&
              checkNotNegative(emit, args, rows);
  Tensor column = fine ? toTensorArgument(emit, args, 2) : Tensor();
  auto policy = column ? tmaCachePolicy(emit, args, 4) : std::nullopt;
  if (!policy) return Value::unknown();
  emit.create<ttng::AsyncTMAScatterOp>(desc.handle, rows.handle, column.handle, src.handle,
                                       *policy);
  return Value::none();
}

// (base, shape, strides, block_shape, layout, padding_option)
Value makeTmaDescriptor(IrBuilder& emit, const Arguments& args) {
  auto parts = descriptorParts(emit, args);
  if (!parts) return Value::unknown();
  const auto& [base, sizes, steps, block] = *parts;
  size_t rank = block.size();
  const Type* element = parts->element();
  if (!element->isScalar())
    return emit.error(Id::UnexpectedType, args.node(0), "a tensor descriptor", element);
  int64_t bytes = element->bits() / 8;
  if (block.back() < 16 && (block.back() < 0 || block.back() * bytes < 16))
    return emit.error(Id::BadArgument, args.node(3),
                      "the last dimension of the block must have at least 16 bytes, not " +
                          std::to_string(block.back()) + " * " + std::to_string(bytes));
  Value last = steps.back().unwrapped();
  if (!last.isIntegral() || last.asInt() != 1)
    return emit.error(Id::BadArgument, args.node(2), "the last stride must be the constant 1");
  for (size_t i = 0; i + 1 < steps.size(); ++i)
    if (Value step = steps[i].unwrapped();
        step.is(ValueKind::Int) &&
        step.asInt() % chips::tmaAlignment * bytes % chips::tmaAlignment &&
        !emit.follows(releases::Rule::StridesAreNotChecked))
      return emit.error(Id::BadArgument, args.node(2),
                        "strides must be multiples of " + std::to_string(chips::tmaAlignment) +
                            " bytes, not " + std::to_string(step.asInt()) + " * " +
                            std::to_string(bytes));
  llvm::SmallVector<mlir::Value, 10> handles(1);
  llvm::SmallVector<const Type*, 5> shapeTypes, strideTypes;
  for (Value size : sizes) {
    Tensor made = makeScalar(emit, size, scalarType(ScalarKind::Int32), args.node(1));
    if (!made) return Value::unknown();
    handles.push_back(made.handle);
    shapeTypes.push_back(made.type);
  }
  for (Value step : steps) {
    Tensor made = makeScalar(emit, step.unwrapped(), scalarType(ScalarKind::Int64), args.node(2));
    if (!made) return Value::unknown();
    handles.push_back(made.handle);
    strideTypes.push_back(made.type);
  }
  if (!hasTma(emit, args)) return Value::unknown();
  if (emit.options().instruments("iisan") &&
      !checkDescriptorAlignment(emit, base, steps, llvm::ArrayRef(handles).take_back(rank), bytes,
                                args.call))
    return Value::unknown();
  if (!checkShape(emit, block, args.node(3))) return Value::unknown();
  auto padding = paddingOption(emit, args, 5);
  const LayoutObject* layout =
      padding ? layoutArgument(emit, args, 4, language::LayoutFamily::Shared, "layout") : nullptr;
  if (!layout) return Value::unknown();
  if (!isA(layout, LayoutKind::NVMMASharedLayout))
    return emit.error(Id::NotALayout, args.node(4), "layout", "NVMMASharedLayout", args[4]);
  if (element->isInt() && *padding == tt::PaddingOption::PAD_NAN)
    return emit.error(Id::BadArgument, args.node(5),
                      "padding with nan needs a floating-point dtype, not " + emit.text(element));
  language::TypeContext& types = emit.types();
  const Type* type =
      types.descriptor(language::DescriptorKind::Tiled, types.tensor(element, block, nullptr),
                       types.tuple(shapeTypes), types.tuple(strideTypes), layout);
  mlir::Type ir = emit.irType(type);
  if (!ir) return Value::unknown();
  auto all = llvm::ArrayRef(handles).drop_front();
  handles[0] = emit.create<tt::MakeTensorDescOp>(ir, base.handle, all.take_front(rank),
                                                 all.drop_front(rank), *padding);
  return emit.value(mlir::ValueRange(handles), type);
}

// ---------------------------------------------------------------- cluster launch control

Value clcTryCancel(IrBuilder& emit, const Arguments& args) {
  Memory result = sharedArgument(emit, args, 0, "result");
  Memory barrier = result ? sharedArgument(emit, args, 1, "barrier") : Memory();
  if (!barrier) return Value::unknown();
  emit.create<ttng::CLCTryCancelOp>(result.handle, barrier.handle);
  return Value::none();
}

Value clcLoadResult(IrBuilder& emit, const Arguments& args) {
  Memory src = sharedArgument(emit, args, 0, "src");
  if (!src) return Value::unknown();
  auto op = emit.create<ttng::CLCLoadResultOp>(emit.opBuilder().getIntegerType(128), src.handle);
  return emit.value(op, emit.types().opaque(language::OpaqueKind::ClcResult));
}

Value clcIsCanceled(IrBuilder& emit, const Arguments& args) {
  mlir::Value result = handleArgument(emit, args, 0, "self");
  if (!result) return Value::unknown();
  return emit.value(emit.create<ttng::CLCIsCanceledOp>(emit.opBuilder().getI1Type(), result),
                    scalarType(ScalarKind::Int1));
}

Value clcProgramId(IrBuilder& emit, const Arguments& args) {
  mlir::Value result = handleArgument(emit, args, 0, "self");
  auto dim = result ? intArgument(emit, args, 1, "dim") : std::nullopt;
  if (!dim) return Value::unknown();
  if (*dim < 0 || *dim > 2)
    return emit.error(Id::InvalidProgramAxis, args.node(1), "program_id", std::to_string(*dim));
  return emit.value(emit.create<ttng::CLCGetProgramIdOp>(emit.opBuilder().getI32Type(), result,
                                                         static_cast<tt::ProgramIDDim>(*dim)),
                    scalarType(ScalarKind::Int32));
}

} // namespace rules

} // namespace gluond::codegen
