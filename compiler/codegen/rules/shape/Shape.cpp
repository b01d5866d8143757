// Shapes and layouts of tensors; x[:, None].
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/builder/Values.h"
#include "codegen/rules/common/Args.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "layout/exchange/ConvertLayout.h"
#include "layout/named/FieldNames.h"
#include "syntax/tree/Children.h"

#include <numeric>

namespace gluond::codegen {

using language::LayoutFamily;

static mlir::RankedTensorType irTensor(Tensor tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.handle.getType());
}

// The dialect that knows how the layout of a result follows; null (reported) for a tensor without
// one.
static const tt::InferLayoutInterface* inference(IrBuilder& emit, Tensor tensor, const Node* at) {
  mlir::Attribute encoding = irTensor(tensor).getEncoding();
  auto* interface = encoding ? tt::inferLayout(encoding) : nullptr;
  if (!interface) emit.error(Id::NotATensor, at, "input", emit.text(tensor.type));
  return interface;
}

// `rank`: of the result, for which no layout follows.
static Tensor noLayout(IrBuilder& emit, Tensor tensor, llvm::StringRef function, const Node* at,
                       size_t rank = 0) {
  if (rank > layout::maxRank) {
    emit.unsupported(at, "tensors of more than " + llvm::Twine(layout::maxRank) + " dimensions");
    return {};
  }
  emit.error(Id::AutoLayoutHere, at, function, tensor.type->layout());
  return {};
}

// Offers what makes `at[index]` right: the dimension of the operand's slice, or a slice.
static void offerIndex(IrBuilder& emit, Reported& reported, Tensor tensor, int64_t axis,
                       std::optional<int64_t> dim, const Node* at, const Node* index) {
  auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(index);
  size_t rank = tensor.shape().size() + 1;
  if (!tuple || tuple->elements.size() != rank || !emit.source()) return;
  if (dim) {
    std::string text;
    for (size_t i = 0; i < rank; ++i)
      text += (i ? ", " : "") + std::string(int64_t(i) == *dim ? "None" : ":");
    reported.fix(FixId::TryText, {{index->range, text}}, primaryText(emit, at) + "[" + text + "]");
    return;
  }
  std::string language = emit.languageName();
  for (const std::string& layout : variablesThat(emit, [&](Value held) {
         auto* object = held.as<LayoutObject>();
         return object && object->cls->family == language::LayoutFamily::Distributed &&
                language::rankOf(*object) == rank;
       })) {
    std::string text = language + ".convert_layout(" + emit.sourceText(at).str() + ", " + language +
                       ".SliceLayout(" + std::to_string(axis) + ", " + layout + "))";
    if (!language.empty()) reported.fix(FixId::TryText, {{at->range, text}}, text);
  }
}

// Offers the variables that are sliced along the wanted dimension, in place of an operand that is
// not: the indices of the other dimension.
static void offerSameShape(IrBuilder& emit, Reported& reported, Tensor tensor, int64_t axis,
                           const Node* at) {
  const Node* operand = at;
  if (auto* index = llvm::dyn_cast<syntax::Subscript>(at)) operand = index->value;
  auto isMeant = [&](Value held) {
    if (!isTensor(held) || irTypeOf(held)->shape() != tensor.shape()) return false;
    const LayoutObject* layout = irTypeOf(held)->layout();
    return language::isA(layout, LayoutKind::SliceLayout) &&
           language::field(*layout, "dim")->asInt() == axis &&
           language::equal(*language::field(*layout, "parent"),
                           *language::field(*tensor.type->layout(), "parent"));
  };
  // (k + ak)[:, None]: each name of an expression is tried.
  auto offer = [&](auto&& self, const Node& node) -> void {
    if (llvm::isa<syntax::NameExpr>(node)) {
      emit.forEachVariable([&](llvm::StringRef name, Value value) {
        if (name == emit.sourceText(&node) && isTensor(value) && irTypeOf(value)->isTensor())
          offerVariables(emit, reported, &node, isMeant);
      });
      return;
    }
    syntax::forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  offer(offer, *operand);
}

// Whether the function adds a dimension to the variable in this place only, wherever it indexes it:
// then rather its slice is wrong than each of its indices.
static bool isIndexedAlike(IrBuilder& emit, int64_t axis, const Node* at) {
  auto* operand = llvm::dyn_cast<syntax::Subscript>(at);
  auto* variable = llvm::dyn_cast<syntax::NameExpr>(operand ? operand->value : at);
  if (!variable || !emit.definition()) return false;
  bool isAlike = true;
  auto visit = [&](auto&& self, const Node& node) -> void {
    if (auto* index = llvm::dyn_cast<syntax::Subscript>(&node)) {
      auto* base = llvm::dyn_cast<syntax::NameExpr>(index->value);
      auto* places = llvm::dyn_cast<syntax::Tuple>(index->index);
      if (base && places && base->name == variable->name)
        for (auto [i, place] : llvm::enumerate(places->elements))
          if (auto* constant = llvm::dyn_cast<syntax::Constant>(place);
              constant && constant->constant == syntax::ConstantKind::None)
            isAlike &= static_cast<int64_t>(i) == axis;
    }
    syntax::forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  visit(visit, *emit.definition());
  return isAlike;
}

Tensor expandDims(IrBuilder& emit, Tensor tensor, int64_t axis, const Node* at, const Node* index) {
  if (axis < 0) axis += static_cast<int64_t>(tensor.shape().size());
  if (!tensor.isBlock()) {
    emit.error(Id::NotATensor, at, "input", emit.text(tensor.type));
    return {};
  }
  const LayoutObject* layout = tensor.type->layout();
  if (!language::isUnresolved(layout)) {
    if (!language::isA(layout, LayoutKind::SliceLayout)) {
      auto reported = emit.error(Id::SliceLayoutExpected, at, layout);
      if (auto place = emit.placeOf(layout))
        reported.relatedAt(NoteId::LayoutWrittenHere, place->location(), layout);
      offerIndex(emit, reported, tensor, axis, std::nullopt, at, index);
      return {};
    }
    int64_t dim = language::field(*layout, "dim")->asInt();
    if (dim != axis) {
      auto reported = emit.error(Id::SliceDimMismatch, at, axis, dim, layout);
      auto offerOtherIndex = [&] {
        offerIndex(emit, reported, tensor, axis, dim, at, index);
        if (llvm::isa_and_present<syntax::Constant>(index))
          reported.fix(FixId::TryText, {{index->range, std::to_string(dim)}}, std::to_string(dim));
      };
      bool isSliceWrong = isIndexedAlike(emit, axis, at);
      if (!isSliceWrong) offerOtherIndex();
      auto* made = layoutConstructor(emit, at, "SliceLayout");
      auto* written = made ? constructorArgument(emit, *made, 0, "dim") : nullptr;
      if (written) {
        reported.related(NoteId::LayoutWrittenHere, made, layout);
        reported.fix(FixId::UseDimension, {{written->range, std::to_string(axis)}}, axis, dim);
      } else if (auto place = emit.placeOf(layout, layout::fields::dim)) {
        reported.relatedAt(NoteId::LayoutWrittenHere, place->location(), layout);
        // The constructor is in this file, so one edit changes the dimension.
        if (place->argument && place->location().file == place->use.file)
          reported.fix(FixId::UseDimension, {{place->argument->range, std::to_string(axis)}}, axis,
                       dim);
      }
      if (isSliceWrong) offerOtherIndex();
      if (written) offerSameShape(emit, reported, tensor, axis, at);
      return {};
    }
  }
  auto* infer = inference(emit, tensor, at);
  if (!infer) return {};
  auto encoding =
      infer->expandDims(irTensor(tensor).getEncoding(), static_cast<unsigned>(axis), std::nullopt);
  if (failed(encoding)) return noLayout(emit, tensor, "expand_dims", at);
  llvm::SmallVector<int64_t, 4> shape(tensor.shape());
  shape.insert(shape.begin() + axis, 1);
  auto type = mlir::RankedTensorType::get(shape, irTensor(tensor).getElementType(), *encoding);
  return inferLayout(
      emit, emit.create<tt::ExpandDimsOp>(type, tensor.handle, static_cast<uint32_t>(axis)),
      tensor.scalar(), at);
}

Tensor permuted(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int32_t> order, const Node* at) {
  auto* infer = inference(emit, tensor, at);
  if (!infer) return {};
  auto encoding = infer->trans(irTensor(tensor).getEncoding(), tensor.shape(), order, std::nullopt);
  if (failed(encoding)) return noLayout(emit, tensor, "permute", at);
  llvm::SmallVector<int64_t, 4> shape;
  for (int32_t dim : order)
    shape.push_back(tensor.shape()[static_cast<size_t>(dim)]);
  auto type = mlir::RankedTensorType::get(shape, irTensor(tensor).getElementType(), *encoding);
  return inferLayout(emit, emit.create<tt::TransOp>(type, tensor.handle, order), tensor.scalar(),
                     at);
}

Tensor reshaped(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int64_t> shape, const Node* at) {
  if (!tensor.isBlock()) {
    emit.error(Id::NotATensor, at, "input", emit.text(tensor.type));
    return {};
  }
  int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  if (count != tensor.type->numel()) {
    emit.error(Id::ReshapeCount, at, shapeText(tensor.shape()), tensor.type->numel(),
               shapeText(shape), count);
    return {};
  }
  auto type = tt::inferReshapeType(irTensor(tensor), shape, false, std::nullopt);
  if (failed(type)) return noLayout(emit, tensor, "reshape", at, shape.size());
  return inferLayout(emit, emit.create<tt::ReshapeOp>(*type, tensor.handle, false, false),
                     tensor.scalar(), at);
}

Tensor unsplatted(IrBuilder& emit, Tensor tensor, const Node* at) {
  if (!tensor.isBlock()) return tensor;
  if (tensor.type->numel() != 1) {
    emit.error(Id::AmbiguousCondition, at, emit.text(tensor.type));
    return {};
  }
  return {emit.create<tt::UnsplatOp>(tensor.handle), tensor.scalar()};
}

Value unsplat(IrBuilder& emit, Value value, const Node* at) {
  Tensor tensor = asTensor(value);
  return tensor ? wrap(emit, unsplatted(emit, tensor, at)) : Value::unknown();
}

// ---------------------------------------------------------------- subscripts

// pointer[index], as in C: a load, or the address where it is an argument of a load or store.
static Reported offerAccess(IrBuilder& emit, Reported reported, Tensor tensor,
                            const Arguments& args) {
  std::string language = emit.languageName();
  if (!tensor.scalar()->isPointer() || language.empty() || !args.call) return reported;
  const Node* index = args.node(1);
  bool isNumber = llvm::isa_and_present<syntax::Constant>(index);
  std::string text = primaryText(emit, args.node(0)) + " + " +
                     (isNumber ? emit.sourceText(index).str() : primaryText(emit, index));
  bool isArgument = false;
  if (const syntax::FunctionDef* def = emit.definition())
    for (const Node* each : syntax::pathFrom(def->body, args.call->range.begin))
      if (auto* call = llvm::dyn_cast<syntax::Call>(each))
        isArgument |= llvm::is_contained(call->args, args.call);
  if (!isArgument) {
    // A mask of the index's shape that the kernel has: without it, the load may be out of bounds.
    std::string mask;
    Tensor at = asTensor(args[1]);
    emit.forEachVariable([&](llvm::StringRef name, Value value) {
      Tensor each = asTensor(value);
      if (each && at && each.isBlock() && each.scalar()->isBool() && each.shape() == at.shape())
        mask = name.str();
    });
    text = language + ".load(" + text + (mask.empty() ? "" : ", mask=" + mask) + ")";
  }
  return reported.fix(FixId::TryText, {{args.call->range, text}}, text);
}

// An item of an index, for a message: a slice as it is written, otherwise the value.
static std::string indexText(IrBuilder& emit, const Arguments& args, size_t dim, Value item) {
  const syntax::Node* node = args.node(1);
  auto* tuple = llvm::dyn_cast_if_present<syntax::Tuple>(node);
  if (tuple) node = dim < tuple->elements.size() ? tuple->elements[dim] : nullptr;
  llvm::StringRef written = node ? emit.sourceText(node) : llvm::StringRef();
  if (!item.as<language::SliceObject>() || written.empty()) return emit.text(item);
  return "the slice `" + written.str() + "`";
}

// tensor[...]: None inserts a dimension, `:` keeps one.
std::optional<Value> subscript(IrBuilder& emit, const Arguments& args) {
  Tensor tensor = asTensor(args[0]);
  if (!tensor) return std::nullopt;
  llvm::SmallVector<Value, 1> single{args[1]};
  bool several = args[1].is(ValueKind::Tuple);
  Tensor result = tensor;
  size_t kept = 0, rank = tensor.shape().size();
  for (auto [dim, item] :
       llvm::enumerate(several ? language::itemsOf(args[1]) : language::Items(single))) {
    if (item.isNone()) {
      result = expandDims(emit, result, static_cast<int64_t>(dim), args.node(0), args.node(1));
      if (!result) return Value::unknown();
      continue;
    }
    auto* slice = item.as<language::SliceObject>();
    if (!slice || !slice->start.isNone() || !slice->stop.isNone() || !slice->step.isNone())
      return offerAccess(
          emit, emit.error(Id::BadTensorIndex, args.node(1), indexText(emit, args, dim, item)),
          tensor, args);
    if (++kept > rank) return emit.error(Id::TooManyIndices, args.node(1), rank);
  }
  return wrap(emit, result);
}

// ---------------------------------------------------------------- builtins

namespace rules {

// Whether a conversion moves nothing between threads.
static bool isTrivial(mlir::RankedTensorType from, mlir::RankedTensorType to) {
  if (from.getEncoding() == to.getEncoding()) return true;
  const auto &a = ir::toLinearLayout(from), &b = ir::toLinearLayout(to);
  if (!a.valid() || !b.valid()) return false;
  auto map = layout::minimalConversion(a, b);
  return map && (map->ins().empty() ||
                 (map->ins().size() == 1 && map->ins()[0].dim == layout::Dim::Register));
}

Value convertLayout(IrBuilder& emit, const Arguments& args) {
  Tensor value = blockArgument(emit, args, 0, "value");
  if (!value) return Value::unknown();
  const LayoutObject* layout = layoutArgument(emit, args, 1, LayoutFamily::Distributed, "layout");
  auto trivial = layout ? truthArgument(emit, args, 2, "assert_trivial") : std::nullopt;
  if (!trivial) return Value::unknown();
  const Type* type = tensorType(emit, value.scalar(), value.shape(), layout, args.node(1));
  if (!type) return Value::unknown();
  auto ir = llvm::cast<mlir::RankedTensorType>(emit.irType(type));
  if (*trivial && !isTrivial(irTensor(value), ir))
    return emit.error(Id::ConvertNotTrivial, args.call, value.type->layout(), layout);
  return emit.value(emit.create<ttg::ConvertLayoutOp>(ir, value.handle), type);
}

Value setAutoLayout(IrBuilder& emit, const Arguments& args) {
  Tensor value = blockArgument(emit, args, 0, "value");
  const LayoutObject* layout =
      value ? layoutArgument(emit, args, 1, LayoutFamily::Distributed, "layout") : nullptr;
  if (!layout) return Value::unknown();
  if (!language::isA(value.type->layout(), LayoutKind::AutoLayout))
    return emit.error(Id::BadArgument, args.node(0),
                      "set_auto_layout needs a tensor with AutoLayout, but this one has " +
                          emit.text(value.type->layout()));
  return wrap(emit, codegen::setAutoLayout(emit, value, layout, args.node(1)));
}

Value broadcastRule(IrBuilder& emit, const Arguments& args) {
  Tensor a = tensorArgument(emit, args, 0, "input"),
         b = a ? tensorArgument(emit, args, 1, "other") : Tensor();
  if (!b || !broadcast(emit, a, b, args.node(0), args.node(1))) return Value::unknown();
  Value items[] = {wrap(emit, a), wrap(emit, b)};
  return emit.heap().tuple(items);
}

Value broadcastTo(IrBuilder& emit, const Arguments& args) {
  auto shape = variadicInts(emit, args, 1, "shape");
  Tensor input = shape ? blockArgument(emit, args, 0, "input") : Tensor();
  if (!input || !checkShape(emit, *shape, args.node(1))) return Value::unknown();
  return wrap(emit, codegen::broadcastTo(emit, input, *shape, args.node(1)));
}

Value expandDims(IrBuilder& emit, const Arguments& args) {
  Tensor input = toTensorArgument(emit, args, 0);
  if (!input) return Value::unknown();
  llvm::SmallVector<int64_t, 4> axes;
  if (language::isSequence(args[1])) {
    auto list = intsArgument(emit, args, 1, "axis");
    if (!list) return Value::unknown();
    axes = *list;
  } else {
    auto one = intArgument(emit, args, 1, "axis");
    if (!one) return Value::unknown();
    axes.push_back(*one);
  }
  auto rank = static_cast<int64_t>(input.shape().size() + axes.size());
  for (int64_t& axis : axes) {
    if (axis < -rank || axis >= rank) return invalidAxis(emit, args.node(1), axis, rank);
    if (axis < 0) axis += rank;
  }
  llvm::sort(axes);
  if (std::adjacent_find(axes.begin(), axes.end()) != axes.end())
    return emit.error(Id::BadArgument, args.node(1), "expand_dims got the same axis twice");
  for (int64_t axis : axes)
    if (!(input = codegen::expandDims(emit, input, axis, args.node(0)))) return Value::unknown();
  return wrap(emit, input);
}

static Value permuteBy(IrBuilder& emit, const Arguments& args, Tensor input,
                       llvm::ArrayRef<int64_t> dims) {
  size_t rank = input.shape().size();
  llvm::SmallVector<int64_t, 4> sorted(dims);
  llvm::sort(sorted);
  bool valid = dims.size() == rank;
  for (size_t i = 0; i < sorted.size(); ++i)
    valid &= sorted[i] == static_cast<int64_t>(i);
  if (!valid)
    return emit.error(Id::BadPermutation, args.call, shapeText(dims),
                      static_cast<int64_t>(rank) - 1);
  llvm::SmallVector<int32_t, 4> order(dims);
  return wrap(emit, permuted(emit, input, order, args.node(0)));
}

Value permute(IrBuilder& emit, const Arguments& args) {
  auto dims = variadicInts(emit, args, 1, "dims");
  Tensor input = dims ? blockArgument(emit, args, 0, "input") : Tensor();
  return input ? permuteBy(emit, args, input, *dims) : Value::unknown();
}

Value transpose(IrBuilder& emit, const Arguments& args) {
  auto dims = variadicInts(emit, args, 1, "dims");
  Tensor input = dims ? blockArgument(emit, args, 0, "input") : Tensor();
  if (!input) return Value::unknown();
  if (dims->empty()) {
    size_t rank = input.shape().size();
    if (rank < 2)
      return emit.error(Id::BadArgument, args.node(0),
                        "trans needs a tensor with two or more dimensions");
    for (size_t i = 0; i < rank; ++i)
      dims->push_back(static_cast<int64_t>(i));
    std::swap((*dims)[rank - 1], (*dims)[rank - 2]);
  }
  return permuteBy(emit, args, input, *dims);
}

// reshape(-1, 8), as torch and NumPy write it: offers the size that is left for the dimension.
static Value notInferred(IrBuilder& emit, const Arguments& args, Tensor input,
                         llvm::ArrayRef<int64_t> shape) {
  Reported reported = emit.error(Id::BadArgument, args.node(1),
                                 "reshape does not compute a size that is written as -1");
  int64_t count = 1, others = 1;
  for (int64_t size : input.shape())
    count *= size;
  for (int64_t size : shape)
    others *= size == -1 ? 1 : size;
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
  if (!call || others <= 0 || count % others != 0) return reported;
  std::string size = sizeText(emit, count / others);
  auto offer = [&](auto&& self, const Node& node) -> void {
    auto* minus = llvm::dyn_cast<syntax::UnaryOp>(&node);
    if (minus && emit.sourceText(minus) == "-1")
      reported.fix(FixId::TryText, {{minus->range, size}}, size);
    else
      syntax::forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  for (const syntax::Expr* argument : call->args)
    offer(offer, *argument);
  return reported;
}

// What `asked` for is the element of a tensor of one.
static Value onlyElement(IrBuilder& emit, Tensor tensor, const Node* at, llvm::StringRef asked) {
  if (tensor.isBlock() && tensor.type->numel() != 1)
    return emit.error(Id::BadArgument, at,
                      asked.str() + " needs a tensor of one element, but got " +
                          emit.text(tensor.type));
  return wrap(emit, unsplatted(emit, tensor, at));
}

Value reshape(IrBuilder& emit, const Arguments& args) {
  auto shape = variadicInts(emit, args, 1, "shape");
  auto reorder = shape ? boolArgument(emit, args, 2, "can_reorder") : std::nullopt;
  Tensor input = reorder ? tensorArgument(emit, args, 0, "input") : Tensor();
  if (input && llvm::count(*shape, -1) == 1) return notInferred(emit, args, input, *shape);
  if (!input || !checkShape(emit, *shape, args.node(1))) return Value::unknown();
  if (shape->empty()) return onlyElement(emit, input, args.node(0), "reshape to []");
  if (*reorder)
    return emit.error(Id::BadArgument, args.node(2), "can_reorder is not supported in Gluon");
  return wrap(emit, reshaped(emit, input, *shape, args.call));
}

Value view(IrBuilder& emit, const Arguments& args) {
  Reported reported =
      emit.error(Id::BadArgument, args.call,
                 "view may reorder elements, which Gluon does not support; call reshape");
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
  if (auto* method = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr)
    reported.fix(FixId::TryText, {{method->attribute.range, "reshape"}}, "reshape");
  return reported;
}

Value item(IrBuilder& emit, const Arguments& args) {
  Tensor input = tensorArgument(emit, args, 0, "input");
  return input ? onlyElement(emit, input, args.node(0), "item") : Value::unknown();
}

static Tensor joined(IrBuilder& emit, Tensor a, Tensor b, const Arguments& args) {
  if (!broadcast(emit, a, b, args.node(0), args.node(1))) return {};
  if (!a.isBlock()) {
    emit.error(Id::BadArgument, args.call, "scalars cannot be joined in Gluon");
    return {};
  }
  if (a.scalar() != b.scalar()) {
    emit.error(Id::BadArgument, args.node(1),
               "the operands of join must have the same dtype, but they have " +
                   emit.text(a.scalar()) + " and " + emit.text(b.scalar()));
    return {};
  }
  auto type = tt::inferJoinType(irTensor(a), std::nullopt);
  if (failed(type)) return noLayout(emit, a, "join", args.call, a.shape().size() + 1);
  return inferLayout(emit, emit.create<tt::JoinOp>(*type, a.handle, b.handle), a.scalar(),
                     args.call);
}

Value join(IrBuilder& emit, const Arguments& args) {
  Tensor a = tensorArgument(emit, args, 0, "a"),
         b = a ? tensorArgument(emit, args, 1, "b") : Tensor();
  return b ? wrap(emit, joined(emit, a, b, args)) : Value::unknown();
}

Value split(IrBuilder& emit, const Arguments& args) {
  Tensor a = blockArgument(emit, args, 0, "a");
  if (!a) return Value::unknown();
  bool wasRank1 = a.shape().size() == 1;
  auto needsPairs = [&] {
    return emit.error(Id::BadArgument, args.node(0),
                      "split needs a tensor whose last dimension is 2, but this one has shape " +
                          shapeText(a.shape()));
  };
  if (wasRank1 && a.shape().back() != 2) return needsPairs();
  if (wasRank1 && !(a = codegen::expandDims(emit, a, 0, args.node(0)))) return Value::unknown();
  if (a.shape().back() != 2) return needsPairs();
  mlir::RankedTensorType type = irTensor(a);
  mlir::Attribute encoding;
  auto shape = a.shape().drop_back();
  // The halves must be in one thread, whatever the layout; if the layout is known, the result is a
  // slice of it.
  auto* infer = inference(emit, a, args.node(0));
  if (!infer) return Value::unknown();
  auto inferred = infer->split(type.getEncoding(), a.shape(), std::nullopt);
  bool isKnown = llvm::isa<ttg::DistributedEncodingTrait>(type.getEncoding());
  if (failed(inferred) && isKnown)
    return emit.error(Id::BadArgument, args.node(0),
                      "split needs both elements of each pair in the same thread: use a layout "
                      "with two elements per thread along the last dimension");
  if (failed(inferred)) return wrap(emit, noLayout(emit, a, "split", args.node(0)));
  if (auto distributed = llvm::dyn_cast<ttg::DistributedEncodingTrait>(type.getEncoding()))
    encoding = ttg::SliceEncodingAttr::get(emit.context(), static_cast<unsigned>(shape.size()),
                                           distributed);
  else
    encoding = *inferred;
  auto half = mlir::RankedTensorType::get(shape, type.getElementType(), encoding);
  auto op = emit.create<tt::SplitOp>(mlir::TypeRange{half, half}, a.handle);
  Value items[2];
  for (unsigned i = 0; i < 2; ++i) {
    Tensor part = inferLayout(emit, op->getResult(i), a.scalar(), args.call);
    if (part && wasRank1) part = unsplatted(emit, part, args.call);
    if (!part) return Value::unknown();
    items[i] = wrap(emit, part);
  }
  return emit.heap().tuple(items);
}

// cat(a, b, dim=d): join, move the new dimension before d, merge.
Value cat(IrBuilder& emit, const Arguments& args) {
  Tensor a = blockArgument(emit, args, 0, "input"),
         b = a ? blockArgument(emit, args, 1, "other") : Tensor();
  auto reorder = b ? boolArgument(emit, args, 2, "can_reorder") : std::nullopt;
  auto dim = reorder ? intArgument(emit, args, 3, "dim") : std::nullopt;
  if (!dim) return Value::unknown();
  if (*reorder)
    return emit.error(Id::BadArgument, args.node(2), "can_reorder is not supported in Gluon");
  auto rank = static_cast<int64_t>(a.shape().size());
  if (a.shape() != b.shape())
    return emit.error(Id::BadArgument, args.call,
                      "cat needs tensors of the same shape, not " + shapeText(a.shape()) + " and " +
                          shapeText(b.shape()));
  if (*dim < -rank || *dim >= rank) return invalidAxis(emit, args.node(3), *dim, rank);
  if (*dim < 0) *dim += rank;
  llvm::SmallVector<int64_t, 4> shape(a.shape());
  shape[static_cast<size_t>(*dim)] *= 2;
  Tensor result = joined(emit, a, b, args);
  if (!result) return Value::unknown();
  llvm::SmallVector<int32_t, 4> order;
  for (int32_t i = 0; i < rank; ++i)
    order.push_back(i);
  order.insert(order.begin() + *dim, static_cast<int32_t>(rank));
  result = permuted(emit, result, order, args.call);
  return result ? wrap(emit, reshaped(emit, result, shape, args.call)) : Value::unknown();
}

Value fp4ToFp(IrBuilder& emit, const Arguments& args) {
  Tensor src = blockArgument(emit, args, 0, "src");
  const Type* element = src ? dtypeArgument(emit, args, 1, "elem_type") : nullptr;
  auto axis = element ? intArgument(emit, args, 2, "axis") : std::nullopt;
  if (!axis) return Value::unknown();
  auto rank = static_cast<int64_t>(src.shape().size());
  if (*axis < -rank || *axis >= rank) return invalidAxis(emit, args.node(2), *axis, rank);
  if (*axis < 0) return invalidAxis(emit, args.node(2), *axis, rank);
  auto* infer = inference(emit, src, args.node(0));
  if (!infer) return Value::unknown();
  llvm::SmallVector<int64_t, 4> shape(src.shape());
  shape[static_cast<size_t>(*axis)] *= 2;
  // Triton reads the operand's layout for the result's shape, and doubles it then.
  auto encoding = infer->fp4ToFp(shape, static_cast<unsigned>(*axis), irTensor(src).getEncoding(),
                                 true, std::nullopt);
  if (failed(encoding)) return wrap(emit, noLayout(emit, src, "fp4_to_fp", args.call));
  auto type = mlir::RankedTensorType::get(shape, emit.irType(element), *encoding);
  return wrap(
      emit,
      inferLayout(emit, emit.create<ttg::Fp4ToFpOp>(type, src.handle, static_cast<int32_t>(*axis)),
                  element, args.call));
}

} // namespace rules

} // namespace gluond::codegen
