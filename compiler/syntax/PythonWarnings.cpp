#include "syntax/PythonWarnings.h"

#include "syntax/parser/Literals.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::syntax {
namespace {

using diagnostics::FixId;
using diagnostics::Id;
using text::Range;

// The name of a constant's class.
llvm::StringRef className(ConstantKind kind) {
  switch (kind) {
  case ConstantKind::None:
    return "NoneType";
  case ConstantKind::True:
  case ConstantKind::False:
    return "bool";
  case ConstantKind::Ellipsis:
    return "ellipsis";
  case ConstantKind::Int:
  case ConstantKind::BigInt:
    return "int";
  case ConstantKind::Float:
    return "float";
  case ConstantKind::Complex:
    return "complex";
  case ConstantKind::Str:
    return "str";
  case ConstantKind::Bytes:
    return "bytes";
  }
  return "";
}

// The name of the class of a literal or a display; "" for any other expression.
llvm::StringRef className(const Expr* expr) {
  if (auto* constant = llvm::dyn_cast<Constant>(expr)) return className(constant->constant);
  if (auto* comprehension = llvm::dyn_cast<Comprehension>(expr)) {
    static constexpr llvm::StringLiteral names[] = {"list", "set", "dict", "generator"};
    return names[static_cast<size_t>(comprehension->comprehension)];
  }
  switch (expr->kind) {
  case NodeKind::Tuple:
    return "tuple";
  case NodeKind::List:
    return "list";
  case NodeKind::Set:
    return "set";
  case NodeKind::Dict:
    return "dict";
  case NodeKind::JoinedStr:
    return "str";
  default:
    return "";
  }
}

// A literal of which Python may or may not make a new object: not None, True, False and `...`.
bool hasNoIdentity(const Expr* expr) {
  if (auto* tuple = llvm::dyn_cast<Tuple>(expr))
    return llvm::all_of(tuple->elements, [](const Expr* each) {
      return llvm::isa<Constant>(each) || hasNoIdentity(each);
    });
  auto* constant = llvm::dyn_cast<Constant>(expr);
  return constant && !llvm::is_contained({ConstantKind::None, ConstantKind::True,
                                          ConstantKind::False, ConstantKind::Ellipsis},
                                         constant->constant);
}

class Warnings {
public:
  Warnings(const text::SourceText& source, diagnostics::Reporter& emit)
      : source_(source), emit_(emit) {}

  void look(const Node* node) {
    switch (node->kind) {
    case NodeKind::Compare:
      return compare(llvm::cast<Compare>(node));
    case NodeKind::Assert:
      return assertion(llvm::cast<Assert>(node));
    case NodeKind::Call:
      return call(llvm::cast<Call>(node));
    case NodeKind::Subscript:
      return subscript(llvm::cast<Subscript>(node));
    case NodeKind::Constant:
      if (auto* constant = llvm::cast<Constant>(node);
          constant->constant == ConstantKind::Str || constant->constant == ConstantKind::Bytes)
        escapes(constant->range);
      return;
    case NodeKind::JoinedStr:
      return escapes(node->range);
    default:
      return;
    }
  }

private:
  void compare(const Compare* node) {
    const Expr* left = node->left;
    for (auto [op, right] : llvm::zip(node->ops, node->comparators)) {
      bool isNot = op == CompareOp::IsNot;
      const Expr* literal = hasNoIdentity(right) ? right : hasNoIdentity(left) ? left : nullptr;
      if ((isNot || op == CompareOp::Is) && literal) {
        llvm::StringRef wanted = isNot ? "!=" : "==";
        auto told = emit_(Id::IdentityOfLiteral, node->range, isNot ? "is not" : "is",
                          className(literal), wanted);
        // Between the operands there are brackets at most.
        Range between{left->range.end, right->range.begin};
        llvm::StringRef text = source_.slice(between);
        size_t at = text.find("is"), end = isNot ? text.find("not") : at;
        if (at != llvm::StringRef::npos && end != llvm::StringRef::npos && !text.contains('#')) {
          auto begin = between.begin + static_cast<uint32_t>(at);
          auto last = between.begin + static_cast<uint32_t>(end) + (isNot ? 3 : 2);
          told.fix(FixId::TryText, {{{begin, last}, wanted.str()}}, wanted);
        }
      }
      left = right;
    }
  }

  void assertion(const Assert* node) {
    auto* tuple = llvm::dyn_cast<Tuple>(node->test);
    if (!tuple || tuple->elements.empty()) return;
    auto told = emit_(Id::AssertOfTuple, tuple->range);
    llvm::StringRef text = source_.slice(tuple->range);
    if (node->message || tuple->elements.size() != 2 || text.contains('\n') ||
        !text.consume_front("(") || !text.consume_back(")"))
      return;
    std::string plain = text.trim().rtrim(',').str();
    told.fix(FixId::TryText, {{tuple->range, plain}}, plain);
  }

  void call(const Call* node) {
    if (llvm::StringRef name = className(node->func); !name.empty())
      emit_(Id::MissingComma, node->range, ("a '" + name + "' cannot be called").str());
  }

  void subscript(const Subscript* node) {
    llvm::StringRef value = className(node->value), index = className(node->index);
    if (llvm::is_contained(
            {"NoneType", "ellipsis", "int", "float", "complex", "bool", "set", "generator"},
            value)) {
      emit_(Id::MissingComma, node->range, ("a '" + value + "' cannot be indexed").str());
    } else if (llvm::is_contained({"str", "bytes", "tuple", "list"}, value) && !index.empty() &&
               index != "int" && index != "bool") {
      emit_(
          Id::MissingComma, node->range,
          ("the index of a '" + value + "' is an integer or a slice, not a '" + index + "'").str());
    }
  }

  // The string tokens of a literal, with what is between them.
  void escapes(Range literal) {
    llvm::StringRef text = source_.slice(literal);
    if (!text.contains('\\')) return;
    for (size_t at = 0; at < text.size();) {
      if (text[at] == '#') { // between the tokens
        at = std::min(text.find('\n', at), text.size());
        continue;
      }
      size_t quote = text.find_first_of("'\"#", at);
      if (quote == llvm::StringRef::npos) return;
      if (text[quote] == '#') {
        at = quote;
        continue;
      }
      size_t prefix = quote;
      while (prefix > at && llvm::isAlpha(text[prefix - 1]))
        --prefix;
      bool isTriple = text.substr(quote).starts_with(std::string(3, text[quote]));
      llvm::StringRef mark = text.substr(quote, isTriple ? 3 : 1);
      at = token(text, literal.begin, quote + mark.size(), mark,
                 stringFlags(text.slice(prefix, quote + mark.size())));
    }
  }

  // Returns the end of the token whose inside begins at `at`.
  size_t token(llvm::StringRef text, text::Offset begin, size_t at, llvm::StringRef mark,
               StringFlags flags) {
    constexpr llvm::StringLiteral known = "\n\r\\'\"abfnrtv01234567x";
    for (; at < text.size(); ++at) {
      if (text.substr(at).starts_with(mark)) return at + mark.size();
      if (text[at] != '\\') continue;
      char escaped = ++at < text.size() ? text[at] : '\\';
      bool isUnicode = !flags.isBytes && llvm::is_contained({'N', 'u', 'U'}, escaped);
      // A brace of a format string is not part of the escape.
      bool isValid = flags.isRaw || known.contains(escaped) || isUnicode;
      if (isValid) continue;
      text::Offset place = begin + static_cast<text::Offset>(at) - 1;
      bool isAscii = static_cast<unsigned char>(escaped) < 0x80;
      bool isBrace = flags.isFormat && (escaped == '{' || escaped == '}');
      Range range{place, place + (isAscii && !isBrace ? 2 : 1)};
      std::string written = source_.slice(range).str();
      emit_(Id::InvalidEscape, range, written)
          .fix(FixId::UseText, {{{place, place}, "\\"}}, "\\" + written);
      if (isBrace) --at;
    }
    return at;
  }

  const text::SourceText& source_;
  diagnostics::Reporter& emit_;
};

} // namespace

void warnAsPython(Stmts body, const text::SourceText& source, diagnostics::Reporter& emit) {
  Warnings warnings(source, emit);
  for (const Stmt* stmt : body)
    walk(stmt, [&](const Node* node) {
      warnings.look(node);
      return node->kind != NodeKind::JoinedStr;
    });
}

} // namespace gluond::syntax
