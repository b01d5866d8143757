// The typed syntax tree: Python's abstract grammar as CPython's `ast` names it, with byte ranges.
//
// Nodes live in the arena of the SyntaxTree that made them and are immutable; children are plain
// pointers and ArrayRefs into the same arena. Every node has an id, dense within its tree, so that
// side tables are vectors. Ranges are CPython's: without the parentheses around an expression (a
// tuple's include them), a definition's starts at `def` or `class`, after its decorators, a
// compound statement's goes to the end of its last statement. Incomplete code becomes ErrorExpr /
// ErrorStmt, and the tree around it stays whole; an expression is never null unless the grammar
// makes it optional.
//
//   if (auto* call = llvm::dyn_cast<Call>(expr)) visit(call->func);
#pragma once

#include "support/Interner.h"
#include "text/SourceText.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Casting.h>

#include <cstdint>

namespace gluond::syntax {

enum class NodeKind : uint8_t {
  // Expressions
  NameExpr,
  Constant,
  JoinedStr,
  FormattedValue,
  Tuple,
  List,
  Set,
  Dict,
  Comprehension,
  Attribute,
  Subscript,
  Slice,
  Starred,
  Call,
  BinOp,
  UnaryOp,
  BoolOp,
  Compare,
  IfExp,
  Lambda,
  NamedExpr,
  Await,
  Yield,
  ErrorExpr,
  // Statements
  FunctionDef,
  ClassDef,
  Return,
  Delete,
  Assign,
  AugAssign,
  AnnAssign,
  For,
  While,
  If,
  With,
  Raise,
  Try,
  Assert,
  Import,
  ImportFrom,
  Global,
  ExprStmt,
  Pass,
  Break,
  Continue,
  Match,
  TypeAlias,
  ErrorStmt,
};
inline constexpr NodeKind firstStmt = NodeKind::FunctionDef;

struct Node {
  NodeKind kind;
  uint32_t id = 0;
  text::Range range;
};

struct Expr : Node {
  static bool classof(const Node* node) { return node->kind < firstStmt; }
};
struct Stmt : Node {
  static bool classof(const Node* node) { return node->kind >= firstStmt; }
};
using Exprs = llvm::ArrayRef<const Expr*>;
using Stmts = llvm::ArrayRef<const Stmt*>;

// clang-format off: one node a few lines
#define GLUOND_NODE(Type, Base)                                                                    \
  struct Type : Base {                                                                             \
    static constexpr NodeKind nodeKind = NodeKind::Type;                                           \
    static bool classof(const Node* node) { return node->kind == nodeKind; }

// An identifier and its place: names of attributes, parameters, keywords, definitions.
struct Identifier {
  Name name;
  text::Range range;
};

// ---------------------------------------------------------------- expressions

GLUOND_NODE(NameExpr, Expr) Name name; };

// A literal. Adjacent string literals form one Constant (or one JoinedStr if any is an f-string).
enum class ConstantKind : uint8_t { None, True, False, Ellipsis, Int, BigInt, Float, Complex, Str, Bytes };
GLUOND_NODE(Constant, Expr)
  ConstantKind constant;
  int64_t integer = 0;    // Int: its value. An int that does not fit is BigInt: decimal digits in `string`.
  double real = 0;        // Float, Complex (imaginary part)
  llvm::StringRef string; // Str, Bytes: the value, escapes resolved, UTF-8, in the arena
};

// f"...": parts are Constant (Str) and FormattedValue.
GLUOND_NODE(JoinedStr, Expr) Exprs parts; };
GLUOND_NODE(FormattedValue, Expr)
  const Expr* value;
  char conversion = 0;                   // 's', 'r', 'a' or 0
  const JoinedStr* formatSpec = nullptr; // optional
  llvm::StringRef debugText;             // for {x=}: the text with its "=", else empty
};

GLUOND_NODE(Tuple, Expr) Exprs elements; bool parenthesized = false; };
GLUOND_NODE(List, Expr) Exprs elements; };
GLUOND_NODE(Set, Expr) Exprs elements; };
struct DictItem {
  const Expr* key; // null for **value
  const Expr* value;
};
GLUOND_NODE(Dict, Expr) llvm::ArrayRef<DictItem> items; };

struct Generator {
  const Expr* target;
  const Expr* iter;
  Exprs conditions;
  bool isAsync = false;
};
enum class ComprehensionKind : uint8_t { List, Set, Dict, Generator };
GLUOND_NODE(Comprehension, Expr)
  ComprehensionKind comprehension;
  const Expr* element;         // the key of a Dict
  const Expr* value = nullptr; // Dict only
  llvm::ArrayRef<Generator> generators;
};

GLUOND_NODE(Attribute, Expr) const Expr* value; Identifier attribute; };
GLUOND_NODE(Subscript, Expr) const Expr* value; const Expr* index; }; // x[a, b]: index is a Tuple
GLUOND_NODE(Slice, Expr) const Expr *lower, *upper, *step; };         // each may be null
GLUOND_NODE(Starred, Expr) const Expr* value; };                      // *args in a call, a display or a target

struct Keyword {
  Identifier name; // empty for **value
  const Expr* value;
};
GLUOND_NODE(Call, Expr)
  const Expr* func;
  Exprs args; // may hold Starred
  llvm::ArrayRef<Keyword> keywords;
};

enum class BinaryOp : uint8_t { Add, Sub, Mult, MatMult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd };
GLUOND_NODE(BinOp, Expr) BinaryOp op; const Expr *left, *right; };
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
GLUOND_NODE(UnaryOp, Expr) UnaryOperator op; const Expr* operand; };
GLUOND_NODE(BoolOp, Expr) bool isAnd; Exprs values; }; // a and b and c: one node
enum class CompareOp : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
GLUOND_NODE(Compare, Expr)
  const Expr* left;
  llvm::ArrayRef<CompareOp> ops;
  Exprs comparators;
};
GLUOND_NODE(IfExp, Expr) const Expr *test, *body, *orelse; };

enum class ParameterKind : uint8_t { PositionalOnly, Positional, VarArgs, KeywordOnly, KwArgs };
struct Parameter {
  Identifier name;
  const Expr* annotation = nullptr;
  const Expr* defaultValue = nullptr;
  ParameterKind kind = ParameterKind::Positional;
};
GLUOND_NODE(Lambda, Expr) llvm::ArrayRef<Parameter> parameters; const Expr* body; };
GLUOND_NODE(NamedExpr, Expr) const NameExpr* target; const Expr* value; };
GLUOND_NODE(Await, Expr) const Expr* value; };
GLUOND_NODE(Yield, Expr) const Expr* value; bool isFrom; }; // value may be null
GLUOND_NODE(ErrorExpr, Expr) };

// ---------------------------------------------------------------- statements

GLUOND_NODE(FunctionDef, Stmt)
  Identifier name;
  Exprs decorators;
  llvm::ArrayRef<Parameter> parameters;
  const Expr* returns = nullptr;
  Stmts body;
  llvm::StringRef docstring; // cleaned as inspect.cleandoc does; empty when there is none
  text::Range header;        // from `def` to the colon
  bool isAsync = false;
};
GLUOND_NODE(ClassDef, Stmt)
  Identifier name;
  Exprs decorators;
  Exprs bases;
  llvm::ArrayRef<Keyword> keywords;
  Stmts body;
  llvm::StringRef docstring;
};
GLUOND_NODE(Return, Stmt) const Expr* value; }; // may be null
GLUOND_NODE(Delete, Stmt) Exprs targets; };
GLUOND_NODE(Assign, Stmt) Exprs targets; const Expr* value; }; // a = b = value: two targets
GLUOND_NODE(AugAssign, Stmt) const Expr* target; BinaryOp op; const Expr* value; };
GLUOND_NODE(AnnAssign, Stmt) const Expr *target, *annotation, *value; }; // value may be null
GLUOND_NODE(For, Stmt) const Expr *target, *iter; Stmts body, orelse; bool isAsync = false; };
GLUOND_NODE(While, Stmt) const Expr* test; Stmts body, orelse; };
GLUOND_NODE(If, Stmt) const Expr* test; Stmts body, orelse; }; // elif: an If alone in orelse
struct WithItem {
  const Expr* context;
  const Expr* target; // may be null
};
GLUOND_NODE(With, Stmt) llvm::ArrayRef<WithItem> items; Stmts body; bool isAsync = false; };
GLUOND_NODE(Raise, Stmt) const Expr *exception, *cause; }; // each may be null
struct ExceptHandler {
  const Expr* type; // null if it catches everything
  Identifier name;  // may be empty
  Stmts body;
  text::Range range;
  bool isStar = false;
};
GLUOND_NODE(Try, Stmt) Stmts body; llvm::ArrayRef<ExceptHandler> handlers; Stmts orelse, finalbody; };
GLUOND_NODE(Assert, Stmt) const Expr *test, *message; }; // message may be null

// `a.b.c as d`: path holds the parts of the dotted name.
struct Alias {
  llvm::ArrayRef<Identifier> path;
  Identifier asName; // may be empty
};
GLUOND_NODE(Import, Stmt) llvm::ArrayRef<Alias> names; };
GLUOND_NODE(ImportFrom, Stmt)
  llvm::ArrayRef<Identifier> module; // empty for `from . import x`
  unsigned level = 0;                // leading dots
  llvm::ArrayRef<Alias> names;       // one part each
  bool isStar = false;
};
GLUOND_NODE(Global, Stmt) llvm::ArrayRef<Identifier> names; bool isNonlocal = false; };
GLUOND_NODE(ExprStmt, Stmt) const Expr* value; };
GLUOND_NODE(Pass, Stmt) };
GLUOND_NODE(Break, Stmt) };
GLUOND_NODE(Continue, Stmt) };
// A pattern is the expression that it looks like: `a | b` a BinOp, `p as x` a NamedExpr, `C(p, k=p)` a Call, `[p, *x]` and
// `p, q` a Tuple, `{k: p, **x}` a Dict; a NameExpr binds its name, `_` does not (PatternNames.h). Codegen rejects the statement.
struct MatchCase {
  const Expr* pattern = nullptr;
  const Expr* guard = nullptr; // may be null
  Stmts body;
};
GLUOND_NODE(Match, Stmt) const Expr* subject; llvm::ArrayRef<MatchCase> cases; };
GLUOND_NODE(TypeAlias, Stmt) const Expr *name, *value; };
GLUOND_NODE(ErrorStmt, Stmt) };

#undef GLUOND_NODE
// clang-format on

} // namespace gluond::syntax
