#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Literals.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SaveAndRestore.h>

namespace gluond::syntax {

using diagnostics::Id;
using text::Offset;
using text::Range;

const Expr* AstBuilder::number(TSNode node, Sym) {
  Range range = rangeOf(node);
  auto* constant = make<Constant>(range);
  llvm::StringRef text = textOf(node);
  // Small decimal numbers are nearly all there are.
  if (text.size() <= 18 && (text.front() != '0' || text.size() == 1) &&
      llvm::all_of(text, llvm::isDigit)) {
    for (char c : text)
      constant->integer = constant->integer * 10 + (c - '0');
    constant->constant = ConstantKind::Int;
    return constant;
  }
  NumberValue value = numberValue(text);
  constant->constant = value.kind;
  constant->integer = value.integer;
  constant->real = value.real;
  constant->string = arena_.copy(llvm::StringRef(value.digits));
  if (!value.problem.empty()) emit_(Id::InvalidNumber, range, value.problem);
  return constant;
}

// One literal's pieces so far: text gathered, parts finished.
struct AstBuilder::StringParts {
  llvm::SmallVector<const Expr*, 8> parts;
  std::string text;
  Range textRange{};
  bool hasText = false, isFormat = false;
};

void AstBuilder::literalText(uint32_t begin, uint32_t end, bool isRaw, bool isBytes, bool isFormat,
                             StringParts& parts) {
  if (begin >= end) return;
  if (!parts.hasText) parts.textRange.begin = place(begin);
  parts.textRange.end = place(end);
  parts.hasText = true;
  LiteralProblem problem;
  StringFlags flags{isRaw, isBytes, isFormat, false};
  if (!appendStringValue(text_.slice(begin, end), flags, parts.text, problem))
    emit_(Id::InvalidString,
          Range{place(begin + problem.offset), place(begin + problem.offset + problem.length)},
          problem.message);
}

namespace {
void flush(NodeArena& arena, auto& parts) {
  if (parts.text.empty()) return;
  auto* constant = arena.template make<Constant>(parts.textRange);
  constant->constant = ConstantKind::Str;
  constant->string = arena.copy(llvm::StringRef(parts.text));
  parts.parts.push_back(constant);
  parts.text.clear();
  parts.hasText = false;
}
} // namespace

void AstBuilder::formattedValue(TSNode node, bool isRaw, StringParts& parts) {
  if (isTooDeep(node)) return;
  ++depth_; // specifications hold values that hold specifications
  llvm::scope_exit restore([&] { --depth_; });
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  const Expr* value = nullptr;
  const JoinedStr* spec = nullptr;
  char conversion = 0;
  bool isDebug = false;
  uint32_t debugEnd = 0;
  for (size_t i = 0; i < children.size(); ++i) {
    const Child& child = children[i];
    switch (child.sym) {
    case Sym::LBrace:
    case Sym::RBrace:
      break;
    case Sym::Equal:
      isDebug = true;
      break;
    case Sym::TypeConversion: {
      llvm::StringRef text = textOf(child.node);
      conversion = text.size() == 2 ? text[1] : 0;
      if (conversion != 's' && conversion != 'r' && conversion != 'a') {
        emit_(Id::InvalidFString, rangeOf(child.node),
              "invalid conversion character: expected 's', 'r', or 'a'");
        conversion = 0;
      }
      break;
    }
    case Sym::NamedExpression: { // `{x:=5}` is x with the specification "=5"
      Children parts = childrenOf(child.node);
      if (parts.size() != 3) break;
      value = nameExpr(parts[0].node);
      StringParts text;
      literalText(ts_node_start_byte(parts[1].node) + 1, ts_node_end_byte(child.node), isRaw, false,
                  true, text);
      flush(arena_, text);
      auto* joined = make<JoinedStr>({rangeOf(parts[1].node).begin, rangeOf(child.node).end});
      joined->parts = arena_.copy(text.parts);
      spec = joined;
      break;
    }
    case Sym::FormatSpecifier:
      spec = formatSpec(child.node, isRaw);
      break;
    default:
      if (value) break;
      if (child.sym == Sym::LambdaSym)
        emit_(Id::InvalidFString, rangeOf(child.node),
              "lambda expressions are not allowed without parentheses");
      value = expr(child.node, child.sym);
    }
    // `{x = }`: the text up to what follows the equals sign, spaces included.
    if (isDebug && !debugEnd && child.sym != Sym::Equal) debugEnd = ts_node_start_byte(child.node);
  }
  if (!value) {
    emit_(Id::InvalidFString, range, "valid expression required before '}'");
    value = errorExpr(range);
  }
  auto* result = make<FormattedValue>(range);
  result->value = value;
  result->conversion = conversion;
  result->formatSpec = spec;
  if (isDebug) result->debugText = arena_.copy(text_.slice(ts_node_start_byte(node) + 1, debugEnd));
  flush(arena_, parts);
  parts.parts.push_back(result);
}

const JoinedStr* AstBuilder::formatSpec(TSNode node, bool isRaw) {
  StringParts parts;
  constexpr unsigned mostSpecs = 2; // in CPython
  llvm::SaveAndRestore inside(specs_, specs_ + 1);
  uint32_t at = ts_node_start_byte(node) + 1, end = ts_node_end_byte(node);
  for (const Child& child : childrenOf(node)) {
    if (child.sym != Sym::FormatExpression && child.sym != Sym::Interpolation) continue;
    literalText(at, ts_node_start_byte(child.node), isRaw, false, true, parts);
    if (specs_ > mostSpecs)
      emit_(Id::InvalidFString, rangeOf(child.node), "expressions nested too deeply");
    formattedValue(child.node, isRaw, parts);
    at = ts_node_end_byte(child.node);
  }
  literalText(at, end, isRaw, false, true, parts);
  flush(arena_, parts);
  auto* result = make<JoinedStr>(rangeOf(node));
  result->parts = arena_.copy(parts.parts);
  return result;
}

// One `string` node: text between the interpolations is decoded by its extent, whatever nodes it
// has.
void AstBuilder::stringPiece(TSNode node, StringParts& parts) {
  Children children = childrenOf(node);
  if (children.empty() || children.front().sym != Sym::StringStart) return;
  llvm::StringRef start = textOf(children.front().node);
  StringFlags flags = stringFlags(start);
  static constexpr llvm::StringLiteral prefixes[] = {"",  "r",  "u",  "b", "br", "rb",
                                                     "f", "fr", "rf", "t", "tr", "rt"};
  if (!llvm::is_contained(prefixes, start.take_while(llvm::isAlpha).lower()))
    emit_(Id::InvalidSyntax, rangeOf(children.front().node));
  parts.isFormat |= flags.isFormat;
  uint32_t at = ts_node_end_byte(children.front().node), end = ts_node_end_byte(node);
  // Not where its string_end starts: after escapes in raw strings the grammar takes these into it.
  if (children.back().sym == Sym::StringEnd && end >= at + (flags.isTriple ? 3 : 1))
    end -= flags.isTriple ? 3 : 1;
  for (const Child& child : children) {
    if (child.sym != Sym::Interpolation) continue;
    literalText(at, ts_node_start_byte(child.node), flags.isRaw, flags.isBytes, flags.isFormat,
                parts);
    formattedValue(child.node, flags.isRaw, parts);
    at = ts_node_end_byte(child.node);
  }
  literalText(at, end, flags.isRaw, flags.isBytes, flags.isFormat, parts);
}

const Expr* AstBuilder::string(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  StringParts parts;
  bool anyBytes = false, anyText = false;
  auto piece = [&](TSNode literal) {
    stringPiece(literal, parts);
    TSNode start = ts_node_child(literal, 0);
    bool isBytes = !ts_node_is_null(start) && symOf(start) == Sym::StringStart &&
                   stringFlags(textOf(start)).isBytes;
    (isBytes ? anyBytes : anyText) = true;
  };
  if (sym == Sym::String) {
    piece(node);
  } else {
    for (const Child& child : childrenOf(node))
      if (child.sym == Sym::String) piece(child.node);
  }
  if (anyBytes && anyText)
    emit_(Id::InvalidString, range, "cannot mix bytes and nonbytes literals");
  if (!parts.isFormat) {
    auto* constant = make<Constant>(range);
    constant->constant = anyBytes ? ConstantKind::Bytes : ConstantKind::Str;
    constant->string = arena_.copy(llvm::StringRef(parts.text));
    return constant;
  }
  flush(arena_, parts);
  auto* joined = make<JoinedStr>(range);
  joined->parts = arena_.copy(parts.parts);
  return joined;
}

} // namespace gluond::syntax
