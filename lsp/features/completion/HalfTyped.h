// What stands left of a cursor in code that is still being typed, where no tree and no fact covers
// it: names are looked up in scope, and what they hold is what they were assigned last.
#pragma once

#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct HalfTyped {
  Denoted denoted;
  std::optional<Fact> fact; // of the value, where codegen knows it
};
// A dotted name ("gl.nvidia", "self.barriers") as it reads at `offset`.
HalfTyped dottedBefore(Resolver& resolver, const IndexedFile& file, llvm::StringRef dotted,
                       text::Offset offset);
// The value that a name in scope holds at `offset`: of the last place before it that is known.
std::optional<Fact> lastFact(Resolver& resolver, const IndexedFile& file, const Entity& entity,
                             text::Offset offset);
// Any expression that ends before the dot at `dot`: analyses the text as if a name stood behind it.
// `resolver` is left alone; the answer's own resolver and file are in it.
struct BeforeDot {
  std::unique_ptr<Resolver> resolver;
  const IndexedFile* file = nullptr;
  HalfTyped found;
};
BeforeDot expressionBefore(Resolver& resolver, const IndexedFile& file,
                           const CursorContext& context);

} // namespace gluond::lsp
