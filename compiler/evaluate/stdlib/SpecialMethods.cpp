// Special methods of builtin values, called by name: (1).__add__, [].__len__, ...
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/stdlib/Builtins.h"

namespace gluond::evaluate {

namespace {

using syntax::BinaryOp;
using syntax::CompareOp;

template <BinaryOp op, bool reflected>
Value specialBinary(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 2, 2);
  return reflected ? in.binary(op, arguments.positional[1], arguments.positional[0])
                   : in.binary(op, arguments.positional[0], arguments.positional[1]);
}
template <CompareOp op> Value specialCompare(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 2, 2);
  return in.compare(op, arguments.positional[0], arguments.positional[1]);
}
Value specialGetItem(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__getitem__", 2, 2);
  return in.getItem(arguments.positional[0], arguments.positional[1]);
}
Value specialSetItem(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__setitem__", 3, 3);
  return in.setItem(arguments.positional[0], arguments.positional[1], arguments.positional[2])
             ? Value::none()
             : Value::absent();
}
Value specialContains(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("__contains__", 2, 2);
  auto result = in.contains(arguments.positional[0], arguments.positional[1]);
  return result ? Value::boolean(*result) : unknownOrRaised(in);
}
Value toStr(Interpreter& in, const CallArguments& arguments) {
  return in.textOf(arguments.positional[0]);
}
Value specialBool(Interpreter& in, const CallArguments& arguments) {
  auto known = in.truth(arguments.positional[0]);
  return known ? Value::boolean(*known) : unknownOrRaised(in);
}

template <syntax::UnaryOperator op>
Value specialUnary(Interpreter& in, const CallArguments& arguments) {
  GLUOND_COUNT("special method", 1, 1);
  return in.unary(op, arguments.positional[0]);
}

constexpr NativeRow specialRows[] = {
    {"__add__", specialBinary<BinaryOp::Add, false>},
    {"__and__", specialBinary<BinaryOp::BitAnd, false>},
    {"__bool__", specialBool},
    {"__contains__", specialContains},
    {"__eq__", specialCompare<CompareOp::Eq>},
    {"__floordiv__", specialBinary<BinaryOp::FloorDiv, false>},
    {"__ge__", specialCompare<CompareOp::GtE>},
    {"__getitem__", specialGetItem},
    {"__gt__", specialCompare<CompareOp::Gt>},
    {"__invert__", specialUnary<syntax::UnaryOperator::Invert>},
    {"__le__", specialCompare<CompareOp::LtE>},
    {"__lshift__", specialBinary<BinaryOp::LShift, false>},
    {"__lt__", specialCompare<CompareOp::Lt>},
    {"__mod__", specialBinary<BinaryOp::Mod, false>},
    {"__mul__", specialBinary<BinaryOp::Mult, false>},
    {"__ne__", specialCompare<CompareOp::NotEq>},
    {"__neg__", specialUnary<syntax::UnaryOperator::USub>},
    {"__or__", specialBinary<BinaryOp::BitOr, false>},
    {"__pos__", specialUnary<syntax::UnaryOperator::UAdd>},
    {"__pow__", specialBinary<BinaryOp::Pow, false>},
    {"__radd__", specialBinary<BinaryOp::Add, true>},
    {"__rfloordiv__", specialBinary<BinaryOp::FloorDiv, true>},
    {"__rmul__", specialBinary<BinaryOp::Mult, true>},
    {"__rpow__", specialBinary<BinaryOp::Pow, true>},
    {"__rshift__", specialBinary<BinaryOp::RShift, false>},
    {"__rsub__", specialBinary<BinaryOp::Sub, true>},
    {"__rtruediv__", specialBinary<BinaryOp::Div, true>},
    {"__setitem__", specialSetItem},
    {"__str__", toStr},
    {"__sub__", specialBinary<BinaryOp::Sub, false>},
    {"__truediv__", specialBinary<BinaryOp::Div, false>},
    {"__xor__", specialBinary<BinaryOp::BitXor, false>},
};

// Those that are a builtin function under another name.
struct FunctionRow {
  llvm::StringLiteral special, function;
};
constexpr FunctionRow functionRows[] = {
    {"__abs__", "abs"},   {"__format__", "format"}, {"__hash__", "hash"},
    {"__iter__", "iter"}, {"__len__", "len"},       {"__repr__", "repr"},
};
Native nativeOf(llvm::StringRef function) {
  for (const NativeRow& row : builtinFunctions())
    if (row.name == function) return row.function;
  return nullptr;
}

} // namespace

Value builtinSpecial(Interpreter& in, Value object, Name name) {
  llvm::StringRef text = in.text(name);
  if (!text.starts_with("__")) return Value::absent();
  bool isContainer = object.is(ValueKind::Str) || object.is(ValueKind::List) ||
                     object.is(ValueKind::Tuple) || object.is(ValueKind::Dict) ||
                     object.is(ValueKind::Set) || object.is(ValueKind::Range) ||
                     object.is(ValueKind::Bytes);
  bool needsContainer = text == "__len__" || text == "__iter__" || text == "__getitem__" ||
                        text == "__setitem__" || text == "__contains__";
  if (needsContainer && !isContainer) return Value::absent();
  for (const NativeRow& row : specialRows)
    if (row.name == text) return in.function(row.name, row.function, object);
  for (const FunctionRow& row : functionRows)
    if (row.special == text) return in.function(row.special, nativeOf(row.function), object);
  return Value::absent();
}

} // namespace gluond::evaluate
