// The patterns of `case`, as expressions (see MatchCase).
#include "syntax/parser/AstBuilder.h"

namespace gluond::syntax {

using diagnostics::Id;
using text::Range;

const Expr* AstBuilder::pattern(TSNode node, Sym sym) {
  if (isTooDeep(node)) return errorExpr(rangeOf(node));
  ++depth_;
  const Expr* result = patternOf(node, sym);
  --depth_;
  return result;
}

const Expr* AstBuilder::patternOf(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  switch (sym) {
  case Sym::Underscore:
    return nameExpr(node);
  case Sym::DottedName: {
    if (isTooDeep(node, children.size() / 2)) return errorExpr(range);
    const Expr* value = nullptr;
    for (const Child& part : children) {
      if (part.sym == Sym::Dot) continue;
      if (!value) {
        value = nameExpr(part.node);
        continue;
      }
      auto* attribute = make<Attribute>({range.begin, rangeOf(part.node).end});
      attribute->value = value;
      attribute->attribute = identifier(part.node);
      value = attribute;
    }
    return value ? value : errorExpr(range);
  }
  case Sym::CasePattern:
    if (children.size() == 1) return pattern(children[0].node, children[0].sym);
    return signedNumber(children, range);
  case Sym::AsPattern: {
    if (children.size() != 3) return errorExpr(range);
    Children inner = childrenOf(children[0].node);
    if (inner.size() == 1 && inner[0].sym == Sym::AsPattern)
      emit_(Id::InvalidSyntax, rangeOf(children[1].node));
    const Expr* value = pattern(children[0].node, children[0].sym);
    return namedPattern(value, children[2].node, range);
  }
  case Sym::ComplexPattern:
    return complexNumber(children, range);
  case Sym::UnionPattern: {
    if (isTooDeep(node, children.size() / 2)) return errorExpr(range);
    const Expr* all = nullptr;
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i].sym == Sym::Pipe) continue;
      bool isSigned = children[i].sym == Sym::Minus && i + 1 < children.size();
      const Expr* one =
          isSigned
              ? signedNumber(llvm::ArrayRef(children).slice(i, 2),
                             {rangeOf(children[i].node).begin, rangeOf(children[i + 1].node).end})
              : pattern(children[i].node, children[i].sym);
      i += isSigned;
      if (!all) {
        all = one;
        continue;
      }
      auto* either = make<BinOp>({range.begin, one->range.end});
      either->op = BinaryOp::BitOr;
      either->left = all;
      either->right = one;
      all = either;
    }
    return all ? all : errorExpr(range);
  }
  case Sym::ListPattern:
  case Sym::TuplePattern: {
    auto inside = llvm::ArrayRef(children);
    if (inside.size() < 2) return errorExpr(range);
    inside = inside.drop_front().drop_back();
    // (a | b) is the pattern within.
    if (sym == Sym::TuplePattern && inside.size() == 1)
      return pattern(inside[0].node, inside[0].sym);
    return patternSequence(inside, range);
  }
  case Sym::SplatPattern: // only sequences and mappings take it
    emit_(Id::InvalidSyntax, range);
    return errorExpr(range);
  case Sym::DictPattern: {
    llvm::SmallVector<DictItem, 4> items;
    const Expr* key = nullptr;
    for (size_t i = 0; i < children.size(); ++i) {
      const Child& child = children[i];
      if (child.sym == Sym::LBrace || child.sym == Sym::RBrace || child.sym == Sym::Comma ||
          child.sym == Sym::Colon)
        continue;
      if (child.sym == Sym::SplatPattern) {
        Children rest = childrenOf(child.node); // ** name
        bool isRest = rest.size() == 2 && rest[0].sym == Sym::DoubleStar;
        if (!isRest || textOf(rest[1].node) == "_") emit_(Id::InvalidSyntax, rangeOf(child.node));
        items.push_back({nullptr, rest.empty() ? errorExpr(range) : nameExpr(rest.back().node)});
      } else if (key) {
        checkKey(key, items);
        items.push_back({key, pattern(child.node, child.sym)});
        key = nullptr;
      } else if (child.sym == Sym::Minus && i + 1 < children.size()) {
        key = signedNumber(llvm::ArrayRef(children).slice(i, 2), rangeOf(children[i + 1].node));
        ++i;
      } else {
        key = pattern(child.node, child.sym);
      }
    }
    auto* dict = make<Dict>(range);
    dict->items = arena_.copy(items);
    return dict;
  }
  case Sym::ClassPattern: {
    llvm::SmallVector<const Expr*, 4> args;
    llvm::SmallVector<Keyword, 4> keywords;
    const Expr* func = nullptr;
    for (const Child& child : children) {
      if (child.sym == Sym::DottedName) {
        func = pattern(child.node, child.sym);
        continue;
      }
      if (child.sym != Sym::CasePattern) continue;
      // name = pattern; the grammar reads `name = p as x` as `(name = p) as x`.
      Children parts = childrenOf(child.node), named;
      if (parts.size() == 1 && parts[0].sym == Sym::AsPattern) {
        named = childrenOf(parts[0].node);
        if (named.size() == 3) parts = childrenOf(named[0].node);
      }
      if (parts.size() != 1 || parts[0].sym != Sym::KeywordPattern) {
        if (!keywords.empty())
          emit_(Id::InvalidPattern, rangeOf(child.node),
                "positional patterns follow keyword patterns");
        args.push_back(pattern(child.node, child.sym));
        continue;
      }
      Children keyword = childrenOf(parts[0].node);
      if (keyword.size() < 3) return errorExpr(range);
      auto value = llvm::ArrayRef(keyword).drop_front(2);
      const Expr* matched = value.size() == 1 ? pattern(value[0].node, value[0].sym)
                                              : signedNumber(value, rangeOf(parts[0].node));
      if (named.size() == 3) matched = namedPattern(matched, named[2].node, range);
      keywords.push_back({identifier(keyword[0].node), matched});
    }
    if (!func) return errorExpr(range);
    auto* call = make<Call>(range);
    call->func = func;
    call->args = arena_.copy(args);
    call->keywords = arena_.copy(keywords);
    return call;
  }
  case Sym::Integer:
  case Sym::Float:
  case Sym::String:
  case Sym::ConcatenatedString:
  case Sym::True:
  case Sym::False:
  case Sym::None:
    return expr(node, sym);
  default: // half-typed code
    return errorExpr(range);
  }
}

// value as name
const Expr* AstBuilder::namedPattern(const Expr* value, TSNode name, Range range) {
  auto* target = llvm::dyn_cast<NameExpr>(nameExpr(name));
  if (!target) return errorExpr(range);
  if (textOf(name) == "_") emit_(Id::InvalidPattern, rangeOf(name), "cannot use '_' as a target");
  auto* named = make<NamedExpr>(range);
  named->target = target;
  named->value = value;
  return named;
}

// -1
const Expr* AstBuilder::signedNumber(llvm::ArrayRef<Child> children, Range range) {
  if (children.size() != 2 || children[0].sym != Sym::Minus) return errorExpr(range);
  auto* negative = make<UnaryOp>(range);
  negative->op = UnaryOperator::USub;
  negative->operand = pattern(children[1].node, children[1].sym);
  return negative;
}

// 1 - 2j. The value itself is not needed.
const Expr* AstBuilder::complexNumber(llvm::ArrayRef<Child> children, Range range) {
  auto isImaginary = [&](const Child& number) {
    return textOf(number.node).ends_with_insensitive("j");
  };
  bool isWhole = children.size() >= 3;
  if (isWhole && isImaginary(children[children.size() - 3]))
    emit_(Id::InvalidPattern, range, "real number required in complex literal");
  else if (isWhole && !isImaginary(children.back()))
    emit_(Id::InvalidPattern, range, "imaginary number required in complex literal");
  return errorExpr(range);
}

// The keys of a mapping are literals and attributes.
void AstBuilder::checkKey(const Expr* key, llvm::ArrayRef<DictItem> earlier) {
  if (!llvm::isa<Constant, UnaryOp, Attribute, ErrorExpr>(key)) {
    emit_(Id::InvalidPattern, key->range,
          "mapping pattern keys may only match literals and attribute lookups");
    return;
  }
  auto* text = llvm::dyn_cast<Constant>(key);
  if (!text || text->constant != ConstantKind::Str) return;
  for (const DictItem& item : earlier)
    if (auto* other = llvm::dyn_cast_if_present<Constant>(item.key);
        other && other->constant == ConstantKind::Str && other->string == text->string) {
      emit_(Id::InvalidPattern, key->range,
            ("mapping pattern checks duplicate key ('" + text->string + "')").str());
      return;
    }
}

bool AstBuilder::isStarred(const Child& child) {
  if (child.sym != Sym::CasePattern) return child.sym == Sym::SplatPattern;
  Children parts = childrenOf(child.node);
  return parts.size() == 1 && parts[0].sym == Sym::SplatPattern;
}

// *rest
const Expr* AstBuilder::starPattern(const Child& child) {
  TSNode node = child.sym == Sym::CasePattern ? childrenOf(child.node).front().node : child.node;
  Range range = rangeOf(node);
  Children parts = childrenOf(node);
  if (parts.size() != 2 || parts[0].sym != Sym::Star) {
    emit_(Id::InvalidSyntax, range);
    return errorExpr(range);
  }
  auto* star = make<Starred>(range);
  star->value = nameExpr(parts[1].node);
  return star;
}

// a, *b: what stands between the commas.
const Expr* AstBuilder::patternSequence(llvm::ArrayRef<Child> children, Range range) {
  llvm::SmallVector<const Expr*, 4> elements;
  for (const Child& child : children)
    if (child.sym != Sym::Comma)
      elements.push_back(isStarred(child) ? starPattern(child) : pattern(child.node, child.sym));
  auto* tuple = make<Tuple>(range);
  tuple->elements = arena_.copy(elements);
  tuple->parenthesized = true;
  return tuple;
}

const Expr* AstBuilder::casePattern(llvm::ArrayRef<Child> children) {
  Range range{rangeOf(children.front().node).begin, rangeOf(children.back().node).end};
  if (children.size() == 1) return pattern(children[0].node, children[0].sym);
  return patternSequence(children, range);
}

} // namespace gluond::syntax
