#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Keywords.h"

#include <llvm/ADT/DenseSet.h>

#include <utility>

namespace gluond::syntax {

using diagnostics::Id;

void AstBuilder::parameters(TSNode node, llvm::SmallVectorImpl<Parameter>& out, bool isLambda) {
  bool keywordOnly = false, seenDefault = false, seenSlash = false, bareStar = false;
  llvm::SmallDenseSet<Name, 8> names;
  auto add = [&](Parameter parameter) {
    if (parameter.name.name && !names.insert(parameter.name.name).second)
      emit_(Id::DuplicateParameter, parameter.name.range, interner_.text(parameter.name.name));
    if (!out.empty() && out.back().kind == ParameterKind::KwArgs)
      emit_(Id::InvalidArguments, parameter.name.range,
            "arguments cannot follow var-keyword argument");
    if (parameter.kind == ParameterKind::Positional) {
      if (keywordOnly)
        parameter.kind = ParameterKind::KeywordOnly;
      else if (parameter.defaultValue)
        seenDefault = true;
      else if (seenDefault)
        emit_(Id::InvalidArguments, parameter.name.range,
              "parameter without a default follows parameter with a default");
    }
    if (parameter.kind == ParameterKind::VarArgs || parameter.kind == ParameterKind::KwArgs) {
      if (bareStar && (parameter.kind == ParameterKind::VarArgs || out.empty() ||
                       out.back().kind != ParameterKind::KeywordOnly))
        emit_(Id::InvalidArguments, parameter.name.range,
              parameter.kind == ParameterKind::VarArgs ? "* argument may appear only once"
                                                       : "named arguments must follow bare *");
      else if (parameter.kind == ParameterKind::VarArgs && keywordOnly)
        emit_(Id::InvalidArguments, parameter.name.range, "* argument may appear only once");
    }
    if (parameter.kind == ParameterKind::VarArgs) keywordOnly = true;
    out.push_back(parameter);
  };
  // A name, *name or **name.
  auto named = [&](const Child& child, Parameter& parameter) {
    if (child.sym == Sym::ListSplatPattern || child.sym == Sym::DictionarySplatPattern) {
      parameter.kind =
          child.sym == Sym::ListSplatPattern ? ParameterKind::VarArgs : ParameterKind::KwArgs;
      Children parts = childrenOf(child.node);
      if (parts.size() == 2 && isIdentifier(textOf(parts[1].node))) {
        parameter.name = identifier(parts[1].node);
        return;
      }
    } else if (isIdentifier(textOf(child.node))) {
      parameter.name = identifier(child.node);
      return;
    }
    emit_(Id::InvalidSyntax, rangeOf(child.node));
    parameter.name = {{}, rangeOf(child.node)};
  };

  Children children = childrenOf(node);
  size_t last = children.size(); // the last that is more than punctuation
  while (last > 0 &&
         (children[last - 1].sym == Sym::Comma || children[last - 1].sym == Sym::RParen))
    --last;
  for (size_t i = 0; i < children.size(); ++i) {
    const Child& child = children[i];
    Parameter parameter;
    switch (child.sym) {
    case Sym::LParen:
    case Sym::RParen:
    case Sym::Comma:
      break;
    case Sym::KeywordSeparator: {
      if (keywordOnly)
        emit_(Id::InvalidArguments, rangeOf(child.node), "* argument may appear only once");
      else if (i + 1 >= last)
        emit_(Id::InvalidArguments, rangeOf(child.node), "named arguments must follow bare *");
      keywordOnly = bareStar = true;
      break;
    }
    case Sym::PositionalSeparator:
      if (seenSlash)
        emit_(Id::InvalidArguments, rangeOf(child.node), "/ may appear only once");
      else if (keywordOnly)
        emit_(Id::InvalidArguments, rangeOf(child.node), "/ must be ahead of *");
      else if (out.empty())
        emit_(Id::InvalidArguments, rangeOf(child.node), "at least one argument must precede /");
      if (!std::exchange(seenSlash, true))
        for (Parameter& before : out)
          if (before.kind == ParameterKind::Positional) before.kind = ParameterKind::PositionalOnly;
      break;
    case Sym::TypedParameter:
    case Sym::DefaultParameter:
    case Sym::TypedDefaultParameter: {
      Children parts = childrenOf(child.node); // name [: type] [= value]
      if (parts.empty()) break;
      named(parts[0], parameter);
      for (size_t j = 1; j + 1 < parts.size(); ++j) {
        if (parts[j].sym == Sym::Colon) {
          parameter.annotation = typeExpr(parts[j + 1].node);
          if (isLambda) emit_(Id::InvalidSyntax, rangeOf(child.node));
        } else if (parts[j].sym == Sym::Equal) {
          parameter.defaultValue = expr(parts[j + 1].node, parts[j + 1].sym);
        }
      }
      add(parameter);
      break;
    }
    case Sym::TuplePattern:
      emit_(Id::Python2Syntax, rangeOf(child.node), "parameters cannot be tuples in Python 3");
      break;
    case Sym::Error:
      break;
    default:
      named(child, parameter);
      add(parameter);
    }
  }
}

} // namespace gluond::syntax
