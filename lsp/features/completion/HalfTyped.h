// Resolves the expression left of a cursor in incomplete code, where neither tree nor facts cover
// it: names are looked up in scope, and have the values that were last assigned to them.
#pragma once

#include "lsp/features/completion/CursorContext.h"
#include "lsp/features/completion/ValueMembers.h"
#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct HalfTyped {
  Denoted denoted;
  std::optional<Fact> fact;        // of the value, if codegen knows it
  std::optional<TypeClass> typeOf; // if it is a type: `x.type`, `x.dtype`
  TypeClass typeClass() const;     // of the type that it is
  // The value's type, if no launch may give it another kind of one.
  const codegen::TypeFact* sureValue() const;
};
// Resolves a dotted name ("gl.nvidia", "self.barriers") as read at `offset`.
HalfTyped dottedBefore(NameResolver& resolver, const IndexedFile& file, llvm::StringRef dotted,
                       text::Offset offset);
// Returns the value of a name in scope at `offset`: from the last known place before it.
std::optional<Fact> lastFact(NameResolver& resolver, const IndexedFile& file, const Entity& entity,
                             text::Offset offset);
// Resolves any expression that ends before the dot at `dot`, by analysing the text with a name
// added after the dot. `resolver` is unchanged; the result has a resolver and file of its own.
struct BeforeDot {
  std::unique_ptr<NameResolver> resolver;
  const IndexedFile* file = nullptr;
  HalfTyped found;
};
BeforeDot expressionBefore(NameResolver& resolver, const IndexedFile& file,
                           const CursorContext& context);
// The same of the member that the innermost of the open `calls` calls; there is no `file` if it
// calls a name. The call is cut off before the text is analysed.
BeforeDot memberCalled(NameResolver& resolver, const IndexedFile& file,
                       llvm::ArrayRef<OpenCall> calls, text::Offset cursor);

} // namespace gluond::lsp
