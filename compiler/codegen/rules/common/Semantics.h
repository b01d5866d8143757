// Triton's semantics of values, shared by the rules: constants, promotion, broadcasting, casts,
// arithmetic.
//
// A Tensor is a value in the IR with its language type: a scalar, a pointer or a block. An Operand
// is a Tensor or a Python number that has not become one yet: numbers follow the promotion rules of
// scalars, and become constants of the type they are promoted to. The order in which ops are made
// is Triton's: it shows in `source`.
//
// Functions that can fail report at the node they are given and return an empty Tensor; callers
// then return at once.
#pragma once

#include "codegen/builder/IrBuilder.h"
#include "codegen/rules/common/Tags.h"
#include "ir/tt/Dialect.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/TypeContext.h"

#include <optional>
#include <utility>

namespace gluond::codegen {

using diagnostics::FixId;
using diagnostics::Id;
using diagnostics::NoteId;
using language::BuiltinId;
using language::LayoutKind;
using language::LayoutObject;
using language::ScalarKind;
using language::TypeKind;
using language::ValueKind;
using syntax::Node;

struct Tensor {
  mlir::Value handle;
  const Type* type = nullptr;
  explicit operator bool() const { return type != nullptr; }
  const Type* scalar() const { return type->scalar(); }
  bool isBlock() const { return type->isTensor(); }
  llvm::ArrayRef<int64_t> shape() const {
    return isBlock() ? type->shape() : llvm::ArrayRef<int64_t>();
  }
};

struct Operand {
  Value number; // Int, Bool, Float or BigInt if `tensor` is empty
  Tensor tensor;
  const Node* at = nullptr;
  bool isNumber() const { return !tensor; }
};

using language::scalarType;
bool isNumber(Value value);
// A scalar or block in the IR; empty for anything else (descriptors, numbers).
Tensor asTensor(Value value);
inline Value wrap(IrBuilder& emit, Tensor tensor) {
  return tensor ? emit.value(tensor.handle, tensor.type) : Value::unknown();
}
// Reads a tensor or number; returns nullopt after reporting.
std::optional<Operand> asOperand(IrBuilder& emit, Value value, const Node* at);
// Reads the two operands of `what` ("+") and reports them together.
bool asOperands(IrBuilder& emit, const Arguments& args, llvm::StringRef what, Operand& a,
                Operand& b);
// The first three arguments.
bool asOperands(IrBuilder& emit, const Arguments& args, Operand (&operands)[3]);

// ---------------------------------------------------------------- constants (Constants.cpp)

// to_tensor_type of a number: int1, int32, uint32, int64, uint64, float32 or float64; null if no
// type can hold it.
const Type* typeOfNumber(Value number);
// scalar_constant.
Tensor constant(IrBuilder& emit, Value number, const Type* scalar, const Node* at);
inline Tensor constant(IrBuilder& emit, int64_t number, ScalarKind kind) {
  return constant(emit, Value::integer(number), scalarType(kind), nullptr);
}
// to_tensor
Tensor toTensor(IrBuilder& emit, const Operand& operand);
// In earlier releases, functions convert their operands first: each to a tensor, and bfloat16 to
// float32. Both return false after reporting.
bool takeTensors(IrBuilder& emit, llvm::MutableArrayRef<Operand> operands);
bool widenBfloat16(IrBuilder& emit, llvm::MutableArrayRef<Operand> operands);
// make_scalar: a number, or a one-element tensor cast to `scalar`.
Tensor makeScalar(IrBuilder& emit, Value value, const Type* scalar, const Node* at);
double asDouble(Value number);

// ---------------------------------------------------------------- promotion (Promotion.cpp)

const Type* integerPromote(const Type* a, const Type* b);
// computation_type_impl; returns null after reporting.
const Type* computationType(IrBuilder& emit, const Type* a, bool aIsNumber, const Type* b,
                            bool bIsNumber, bool divOrMod, const Node* at);
// _cast_to_computation_type
Tensor castOperand(IrBuilder& emit, const Operand& operand, const Type* scalar);

struct BinaryRules {
  bool leftPointer = false, rightPointer = false, arithmetic = true, divOrMod = false;
};
// binary_op_type_checking_impl: both of one scalar type, shape and layout.
bool unify(IrBuilder& emit, const Operand& left, const Operand& right, Tensor& a, Tensor& b,
           const Node* at, BinaryRules rules = {});
bool unify(IrBuilder& emit, Operand (&operands)[3], Tensor (&out)[3],
           const Node* at); // ternary_op_type_checking_impl
// The same in earlier releases: binary_op_type_checking_impl of one pair of the operands after the
// other. All operands must be tensors.
using Pairs = std::pair<size_t, size_t>[3];
bool unifyInPairs(IrBuilder& emit, const Operand (&operands)[3], Tensor (&out)[3],
                  const Pairs& pairs, const Node* at);

// ---------------------------------------------------------------- shapes (Broadcast.cpp)

Tensor splat(IrBuilder& emit, Tensor scalar, const Type* blockType);
// broadcast_impl_shape, broadcast_impl_value, broadcast_tensors. `atA` and `atB` are the operands
// in the user's text.
Tensor broadcastTo(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int64_t> shape, const Node* at);
// Whether a pointer that was broadcast with a value and a mask still has its own shape: they are
// broadcast to it, and not the other way around. Reports it if not.
bool keepsShape(IrBuilder& emit, Tensor wide, llvm::ArrayRef<int64_t> shape, const Node* at);
// `operand` and `names` say, for messages, what the second operand (or each) is in a memory access
// whose pointer is the first.
bool broadcast(IrBuilder& emit, Tensor& a, Tensor& b, const Node* atA, const Node* atB,
               llvm::StringRef operand = {});
bool broadcast(IrBuilder& emit, llvm::MutableArrayRef<Tensor> tensors,
               llvm::ArrayRef<const Node*> at, llvm::ArrayRef<llvm::StringLiteral> names = {});
Tensor setAutoLayout(IrBuilder& emit, Tensor tensor, const LayoutObject* layout, const Node* at);
// Returns a block with the layout of the IR (_wrap_handle_infer_layout), or a scalar for shape ().
Tensor inferLayout(IrBuilder& emit, mlir::Value handle, const Type* scalar, const Node* at);
Tensor permuted(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int32_t> order, const Node* at);
// `index` is the index of `at[index]`, if it is written so.
Tensor expandDims(IrBuilder& emit, Tensor tensor, int64_t axis, const Node* at,
                  const Node* index = nullptr);
Tensor reshaped(IrBuilder& emit, Tensor tensor, llvm::ArrayRef<int64_t> shape, const Node* at);
// "[16, 32]", for messages.
std::string shapeText(llvm::ArrayRef<int64_t> shape);
// Reports and returns false unless every size is a power of two and the product is not too large.
bool checkShape(IrBuilder& emit, llvm::ArrayRef<int64_t> shape, const Node* at);
// Returns the distributed type with its IR type; returns null, after reporting, if the layout does
// not fit the shape or the launch.
const Type* tensorType(IrBuilder& emit, const Type* scalar, llvm::ArrayRef<int64_t> shape,
                       const LayoutObject* layout, const Node* at);

// ---------------------------------------------------------------- casts (Casts.cpp)

Tensor cast(IrBuilder& emit, Tensor tensor, const Type* scalar, const Node* at,
            std::optional<llvm::StringRef> rounding = std::nullopt);
Tensor bitcast(IrBuilder& emit, Tensor tensor, const Type* scalar, const Node* at);

// ---------------------------------------------------------------- arithmetic (Arithmetic.cpp,
// Bitwise.cpp, Compare.cpp)

Tensor add(IrBuilder& emit, const Operand& a, const Operand& b, bool sanitize, const Node* at);
Tensor sub(IrBuilder& emit, const Operand& a, const Operand& b, bool sanitize, const Node* at);
Tensor mul(IrBuilder& emit, const Operand& a, const Operand& b, bool sanitize, const Node* at);
Tensor mod(IrBuilder& emit, const Operand& a, const Operand& b, const Node* at);
// Only floats ask whether NaN propagates; nullopt after reporting.
Tensor minMax(IrBuilder& emit, const Operand& a, const Operand& b, bool isMax,
              llvm::function_ref<std::optional<bool>()> propagatesNan, const Node* at);
enum class Bitwise : uint8_t { And, Or, Xor, ShiftLeft, ShiftRightLogical, ShiftRightArithmetic };
Tensor bitwise(IrBuilder& emit, Bitwise op, const Operand& a, const Operand& b, const Node* at);
Tensor negate(IrBuilder& emit, Tensor tensor, const Node* at);
Tensor invert(IrBuilder& emit, Tensor tensor, const Node* at);
Tensor logicalNot(IrBuilder& emit, Tensor tensor, const Node* at);
Tensor compare(IrBuilder& emit, syntax::CompareOp op, const Operand& a, const Operand& b,
               const Node* at);
Tensor select(IrBuilder& emit, Tensor condition, const Operand& a, const Operand& b, const Node* at,
              const Node* atCondition); // where
Tensor unsplatted(IrBuilder& emit, Tensor tensor, const Node* at);
Operand operand(Tensor tensor, const Node* at);
inline Operand number(int64_t value, const Node* at = nullptr) {
  return {Value::integer(value), {}, at};
}

// Reads a propagate_nan argument; returns nullopt after reporting.
std::optional<bool> propagatesNan(IrBuilder& emit, const Arguments& args, size_t i);
// Emits tt.assert, only in debug builds (Program.cpp).
void deviceAssertion(IrBuilder& emit, Tensor condition, llvm::StringRef message);

// ---------------------------------------------------------------- matrix products (Dot.cpp)

// Reads input_precision; None is the target's default. Returns nullopt after reporting.
std::optional<tt::InputPrecision> inputPrecision(IrBuilder& emit, Value value, const Node* at);
// semantic.dot with an accumulator; returns an empty Tensor after reporting.
Tensor dot(IrBuilder& emit, Tensor a, Tensor b, Tensor acc, Value inputPrecision,
           const Arguments& args);
// Reads (a, b, acc, ...), blocks with layouts; returns false after reporting.
bool productArguments(IrBuilder& emit, const Arguments& args, Tensor& a, Tensor& b, Tensor& acc);
// Checks that both operands have DotOperandLayouts whose parent is the accumulator's layout;
// returns false after reporting.
bool checkDotOperands(IrBuilder& emit, const Arguments& args, Tensor a, Tensor b, Tensor acc);

} // namespace gluond::codegen
