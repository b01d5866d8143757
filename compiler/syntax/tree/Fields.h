// The fields of every kind of node in one table, for code that treats all nodes alike (copying,
// comparing).
//
//   withFields(node.kind, [&]<typename T>(FieldsOf<T>, auto T::*... fields) { ... });
//
// names all that a T has beyond a Node, including ranges within it (a definition's
// header).
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/Support/ErrorHandling.h>

namespace gluond::syntax {

template <typename T> struct FieldsOf {};

template <typename Visit> decltype(auto) withFields(NodeKind kind, Visit&& visit) {
  switch (kind) {
#define GLUOND_FIELD(Type, field) , &Type::field
#define GLUOND_CASE(Type, ...)                                                                     \
  case NodeKind::Type:                                                                             \
    return visit(FieldsOf<Type>() __VA_ARGS__);
#define F GLUOND_FIELD
    // clang-format off: one kind a line
    GLUOND_CASE(NameExpr, F(NameExpr, name))
    GLUOND_CASE(Constant, F(Constant, constant) F(Constant, integer) F(Constant, real) F(Constant, string))
    GLUOND_CASE(JoinedStr, F(JoinedStr, parts))
    GLUOND_CASE(FormattedValue, F(FormattedValue, value) F(FormattedValue, conversion) F(FormattedValue, formatSpec) F(FormattedValue, debugText))
    GLUOND_CASE(Tuple, F(Tuple, elements) F(Tuple, parenthesized))
    GLUOND_CASE(List, F(List, elements))
    GLUOND_CASE(Set, F(Set, elements))
    GLUOND_CASE(Dict, F(Dict, items))
    GLUOND_CASE(Comprehension, F(Comprehension, comprehension) F(Comprehension, element) F(Comprehension, value) F(Comprehension, generators))
    GLUOND_CASE(Attribute, F(Attribute, value) F(Attribute, attribute))
    GLUOND_CASE(Subscript, F(Subscript, value) F(Subscript, index))
    GLUOND_CASE(Slice, F(Slice, lower) F(Slice, upper) F(Slice, step))
    GLUOND_CASE(Starred, F(Starred, value))
    GLUOND_CASE(Call, F(Call, func) F(Call, args) F(Call, keywords))
    GLUOND_CASE(BinOp, F(BinOp, op) F(BinOp, left) F(BinOp, right))
    GLUOND_CASE(UnaryOp, F(UnaryOp, op) F(UnaryOp, operand))
    GLUOND_CASE(BoolOp, F(BoolOp, isAnd) F(BoolOp, values))
    GLUOND_CASE(Compare, F(Compare, left) F(Compare, ops) F(Compare, comparators))
    GLUOND_CASE(IfExp, F(IfExp, test) F(IfExp, body) F(IfExp, orelse))
    GLUOND_CASE(Lambda, F(Lambda, parameters) F(Lambda, body))
    GLUOND_CASE(NamedExpr, F(NamedExpr, target) F(NamedExpr, value))
    GLUOND_CASE(Await, F(Await, value))
    GLUOND_CASE(Yield, F(Yield, value) F(Yield, isFrom))
    GLUOND_CASE(ErrorExpr)
    GLUOND_CASE(FunctionDef, F(FunctionDef, name) F(FunctionDef, decorators) F(FunctionDef, parameters) F(FunctionDef, returns)
                F(FunctionDef, body) F(FunctionDef, docstring) F(FunctionDef, header) F(FunctionDef, isAsync))
    GLUOND_CASE(ClassDef, F(ClassDef, name) F(ClassDef, decorators) F(ClassDef, bases) F(ClassDef, keywords) F(ClassDef, body) F(ClassDef, docstring))
    GLUOND_CASE(Return, F(Return, value))
    GLUOND_CASE(Delete, F(Delete, targets))
    GLUOND_CASE(Assign, F(Assign, targets) F(Assign, value))
    GLUOND_CASE(AugAssign, F(AugAssign, target) F(AugAssign, op) F(AugAssign, value))
    GLUOND_CASE(AnnAssign, F(AnnAssign, target) F(AnnAssign, annotation) F(AnnAssign, value))
    GLUOND_CASE(For, F(For, target) F(For, iter) F(For, body) F(For, orelse) F(For, isAsync))
    GLUOND_CASE(While, F(While, test) F(While, body) F(While, orelse))
    GLUOND_CASE(If, F(If, test) F(If, body) F(If, orelse))
    GLUOND_CASE(With, F(With, items) F(With, body) F(With, isAsync))
    GLUOND_CASE(Raise, F(Raise, exception) F(Raise, cause))
    GLUOND_CASE(Try, F(Try, body) F(Try, handlers) F(Try, orelse) F(Try, finalbody))
    GLUOND_CASE(Assert, F(Assert, test) F(Assert, message))
    GLUOND_CASE(Import, F(Import, names))
    GLUOND_CASE(ImportFrom, F(ImportFrom, module) F(ImportFrom, level) F(ImportFrom, names) F(ImportFrom, isStar))
    GLUOND_CASE(Global, F(Global, names) F(Global, isNonlocal))
    GLUOND_CASE(ExprStmt, F(ExprStmt, value))
    GLUOND_CASE(Pass)
    GLUOND_CASE(Break)
    GLUOND_CASE(Continue)
    GLUOND_CASE(Match, F(Match, subject) F(Match, cases))
    GLUOND_CASE(TypeAlias, F(TypeAlias, name) F(TypeAlias, value))
    GLUOND_CASE(ErrorStmt)
    // clang-format on
#undef F
#undef GLUOND_CASE
#undef GLUOND_FIELD
  }
  llvm_unreachable("a kind of node");
}

} // namespace gluond::syntax
