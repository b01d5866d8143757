#include "syntax/recovery/HeaderPlaceholder.h"

#include "syntax/parser/Keywords.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

using text::Offset;
using text::Range;

Stmt* headerPlaceholder(llvm::StringRef text, const LogicalLine& line, NodeArena& arena,
                        Interner& interner) {
  Range range{line.begin, line.end};
  auto error = [&] { return arena.make<ErrorExpr>(range); };
  switch (line.lead) {
  case Lead::Def:
  case Lead::Async:
  case Lead::Class: {
    size_t at = line.begin;
    llvm::StringRef word;
    Identifier name{{}, range};
    while (at < line.end) {
      while (at < line.end && !isIdentifierStart(text[at])) {
        if (text[at] == '(' || text[at] == ':')
          at = line.end;
        else
          ++at;
      }
      size_t begin = at;
      while (at < line.end && isIdentifierPart(text[at]))
        ++at;
      word = text.slice(begin, at);
      if (word.empty() || isKeyword(word)) continue;
      name = {interner.intern(word), {static_cast<Offset>(begin), static_cast<Offset>(at)}};
      break;
    }
    if (line.lead == Lead::Class) {
      auto* cls = arena.make<ClassDef>(range);
      cls->name = name;
      return cls;
    }
    auto* def = arena.make<FunctionDef>(range);
    def->name = name;
    def->header = range;
    return def;
  }
  case Lead::For: {
    auto* loop = arena.make<For>(range);
    loop->target = error();
    loop->iter = error();
    return loop;
  }
  case Lead::While: {
    auto* loop = arena.make<While>(range);
    loop->test = error();
    return loop;
  }
  case Lead::With: {
    auto* with = arena.make<With>(range);
    with->items = arena.copy(llvm::ArrayRef<WithItem>({error(), nullptr}));
    return with;
  }
  case Lead::Try:
    return arena.make<Try>(range);
  case Lead::Match: {
    auto* match = arena.make<Match>(range);
    match->subject = error();
    return match;
  }
  default: {
    auto* branch = arena.make<If>(range);
    branch->test = error();
    return branch;
  }
  }
}

} // namespace gluond::syntax
