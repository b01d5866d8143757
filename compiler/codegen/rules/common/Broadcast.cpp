// Bringing tensors to one shape and layout.
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/rules/common/Semantics.h"
#include "ir/gluon/Dialect.h"
#include "ir/tt/Ops.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

bool checkShape(IrBuilder& emit, llvm::ArrayRef<int64_t> shape, const Node* at) {
  constexpr int64_t limit = 1048576;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(size))) {
      emit.error(Id::NotPowerOfTwo, at, "a dimension of the shape", size);
      return false;
    }
    if (size > limit || (count *= size) > limit) {
      emit.error(Id::TensorTooLarge, at, size > limit ? size : count, limit);
      return false;
    }
  }
  return true;
}

const Type* tensorType(IrBuilder& emit, const Type* scalar, llvm::ArrayRef<int64_t> shape,
                       const LayoutObject* layout, const Node* at) {
  if (!checkShape(emit, shape, at)) return nullptr;
  if (!language::isUnresolved(layout)) {
    auto rank = language::rankOf(*layout);
    if (rank && *rank != shape.size()) {
      auto reported =
          emit.error(Id::LayoutRankMismatch, at, shapeText(shape), shape.size(), layout, *rank);
      offerSlice(emit, reported, at, shape.size(), *layout);
      return nullptr;
    }
  }
  const Type* type = emit.types().tensor(scalar, shape, layout);
  return emit.irType(type) ? type : nullptr;
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

// createOrFold<SplatOp>: a constant becomes a constant block at once.
Tensor splat(IrBuilder& emit, Tensor scalar, const Type* blockType) {
  mlir::Type type = emit.irType(blockType);
  if (!type) return {};
  if (auto constant = scalar.handle.getDefiningOp<mlir::arith::ConstantOp>()) {
    auto attribute =
        mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(type), constant.getValue());
    return {emit.constant(attribute), blockType};
  }
  return {emit.create<tt::SplatOp>(type, scalar.handle), blockType};
}

Tensor setAutoLayout(IrBuilder& emit, Tensor tensor, const LayoutObject* layout, const Node* at) {
  const Type* type = tensorType(emit, tensor.scalar(), tensor.shape(), layout, at);
  if (!type) return {};
  return {emit.create<gluon::SetAutoLayoutOp>(emit.irType(type), tensor.handle), type};
}

Tensor broadcastTo(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int64_t> shape, const Node* at) {
  llvm::ArrayRef<int64_t> from = tensor.shape();
  if (from.size() != shape.size()) {
    emit.error(Id::RankMismatch, at, shapeText(from), shapeText(shape));
    return {};
  }
  if (from == shape) return tensor;
  for (size_t i = 0; i < shape.size(); ++i)
    if (from[i] != shape[i] && from[i] != 1) {
      emit.error(Id::BadBroadcast, at, shapeText(from), shapeText(shape), i, from[i]);
      return {};
    }
  const Type* type = emit.types().tensor(tensor.scalar(), shape, tensor.type->layout());
  mlir::Type ir = emit.irType(type);
  if (!ir) return {};
  return {emit.create<tt::BroadcastOp>(ir, tensor.handle), type};
}

bool keepsShape(IrBuilder& emit, Tensor wide, llvm::ArrayRef<int64_t> shape, const Node* at) {
  llvm::ArrayRef<int64_t> from = wide.shape();
  for (size_t i = 0; i < shape.size() && i < from.size(); ++i)
    if (from[i] != shape[i]) {
      emit.error(Id::BadBroadcast, at, shapeText(from), shapeText(shape) + ", the pointer's shape",
                 i, from[i]);
      return false;
    }
  return true;
}

static bool isAuto(const Type* type) {
  return language::isA(type->layout(), LayoutKind::AutoLayout);
}

// The field in which two layouts of one class differ; empty when it is more than one, or the
// classes are two.
static std::string differingField(const LayoutObject* a, const LayoutObject* b) {
  std::string result;
  if (a->cls != b->cls) return result;
  for (size_t i = 0; i < a->fields.size(); ++i) {
    if (language::equal(a->fields[i], b->fields[i])) continue;
    if (!result.empty()) return {};
    result = a->cls->fields[i].name.str();
  }
  return result;
}

// Reports two incompatible layouts: at the second operand, with the first one's and both
// constructors as related places. The fix converts the second one.
static bool layoutMismatch(IrBuilder& emit, const Type* a, const Type* b, const Node* atA,
                           const Node* atB, llvm::StringRef operand) {
  const Node* at = atB ? atB : atA;
  const LayoutObject *first = a->layout(), *second = b->layout();
  auto reported = operand.empty() ? emit.error(Id::LayoutMismatch, at, first, second)
                                  : emit.error(Id::OperandLayoutMismatch, at, operand, second,
                                               "pointer", first);
  if (atA && atA != atB) reported.related(NoteId::LayoutFrom, atA, first);
  for (const LayoutObject* layout : {first, second})
    if (auto place = emit.placeOf(layout))
      reported.relatedAt(NoteId::LayoutWrittenHere, place->location(), layout);
  if (std::string field = differingField(first, second); !field.empty() && at)
    reported.related(NoteId::LayoutDiffersIn, at, field, *language::field(*first, field),
                     *language::field(*second, field));
  offerBothExpansions(emit, reported, a, b, atA, atB);
  // The constructor of one side may have the wrong number, or be the wrong one altogether.
  for (auto [layout, other] : {std::pair(first, second), std::pair(second, first)}) {
    std::string field = differingField(layout, other);
    auto place = field.empty() ? std::nullopt : emit.placeOf(layout, field);
    const Value* right = field.empty() ? nullptr : language::field(*other, field);
    if (place && place->argument && place->location().file == place->use.file &&
        right->isIntegral()) {
      std::string text = std::to_string(right->asInt());
      reported.fix(FixId::TryText, {{place->argument->range, text}}, text);
    }
  }
  offerLayoutOf(emit, reported, atB, second, first);
  offerLayoutOf(emit, reported, atA, first, second);
  std::string language = emit.languageName(), layout = layoutText(emit, first);
  if (!atB || language.empty() || layout.empty()) return false;
  auto convert = [&](const Node* node) {
    return language + ".convert_layout(" + emit.sourceText(node).str() + ", " + layout + ")";
  };
  reported.fix(FixId::InsertConvertLayout, {{atB->range, convert(atB)}}, emit.sourceText(atB),
               first);
  // A mask is often used again, by the store.
  if (const syntax::Expr* assigned = assignedValue(emit, atB))
    reported.fix(FixId::TryText, {{assigned->range, convert(assigned)}}, convert(assigned));
  return false;
}

bool broadcast(IrBuilder& emit, Tensor& a, Tensor& b, const Node* atA, const Node* atB,
               llvm::StringRef operand) {
  if (!a.isBlock() || !b.isBlock()) {
    if (a.isBlock() && !b.isBlock())
      b = splat(emit, b, emit.types().withElement(a.type, b.type));
    else if (b.isBlock())
      a = splat(emit, a, emit.types().withElement(b.type, a.type));
    return a && b;
  }
  llvm::ArrayRef<int64_t> aShape = a.shape(), bShape = b.shape();
  if (a.type->layout() == b.type->layout() && aShape == bShape) return true;
  if (aShape.size() != bShape.size()) {
    auto reported = emit.error(Id::RankMismatch, atB, shapeText(aShape), shapeText(bShape));
    offerExpansion(emit, reported, b.type, a.type, atB);
    offerExpansion(emit, reported, a.type, b.type, atA);
    return false;
  }
  llvm::SmallVector<int64_t, 4> shape;
  for (size_t i = 0; i < aShape.size(); ++i) {
    if (aShape[i] != 1 && bShape[i] != 1 && aShape[i] != bShape[i]) {
      auto reported = emit.error(Id::ShapeMismatch, atB, shapeText(aShape), shapeText(bShape), i);
      offerBothExpansions(emit, reported, a.type, b.type, atA, atB);
      return false;
    }
    shape.push_back(aShape[i] == 1 ? bShape[i] : aShape[i]);
  }
  if (isAuto(a.type) && !isAuto(b.type))
    a = setAutoLayout(emit, a, b.type->layout(), atA);
  else if (isAuto(b.type) && !isAuto(a.type))
    b = setAutoLayout(emit, b, a.type->layout(), atB);
  else if (a.type->layout() != b.type->layout() &&
           !language::equal(*a.type->layout(), *b.type->layout()))
    return layoutMismatch(emit, a.type, b.type, atA, atB, operand);
  if (!a || !b) return false;
  a = broadcastTo(emit, a, shape, atA);
  if (!a) return false;
  b = broadcastTo(emit, b, shape, atB);
  return static_cast<bool>(b);
}

bool broadcast(IrBuilder& emit, llvm::MutableArrayRef<Tensor> tensors,
               llvm::ArrayRef<const Node*> at, llvm::ArrayRef<llvm::StringLiteral> names) {
  for (size_t last : {tensors.size(), tensors.size() - 1})
    for (size_t i = 1; i < last; ++i)
      if (!broadcast(emit, tensors[0], tensors[i], at[0], at[i],
                     i < names.size() ? llvm::StringRef(names[i]) : llvm::StringRef()))
        return false;
  return true;
}

Tensor inferLayout(IrBuilder& emit, mlir::Value handle, const Type* scalar, const Node* at) {
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(handle.getType());
  if (!type) return {handle, scalar};
  const LayoutObject* layout = emit.layoutOf(type.getEncoding());
  if (!layout) {
    emit.unsupported(at, "the layout of this result");
    return {};
  }
  return {handle, emit.types().tensor(scalar, type.getShape(), layout)};
}

} // namespace gluond::codegen
