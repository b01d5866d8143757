// Every identifier of a file and what it stands for, by Python's scoping rules: one index for
// definition, references, rename, completion of names and semantic tokens.
//
// Purely syntactic and quick (a fraction of a millisecond for a thousand lines); made once for each
// version of a file (driver::File::derived). Scopes: the module, functions, lambdas, comprehensions
// and classes (whose names their methods do not see); global and nonlocal redirect. A name that
// nothing in the file binds (a builtin, a star import) has no entity.
#pragma once

#include "syntax/SyntaxTree.h"

#include <optional>
#include <vector>

namespace gluond::lsp {

enum class EntityKind : uint8_t { Variable, Parameter, Function, Class, Import };

// What a name is bound to in one scope; all its bindings together.
struct Entity {
  Name name;
  EntityKind kind = EntityKind::Variable; // of the first binding that says more than "variable"
  const syntax::Node* node = nullptr;     // FunctionDef, ClassDef, Import, ImportFrom; else null
  const syntax::Alias* alias = nullptr;   // Import: which of the statement's
  uint32_t scope = 0;
  text::Range first{};   // its first binding's name
  uint32_t bindings = 0; // how many there are
};

struct Occurrence {
  text::Range range;
  uint32_t entity;
  bool binds;     // defines or assigns
  bool isKeyword; // f(name=...): the parameter of a function of this file
};

class NameIndex {
public:
  static NameIndex build(const syntax::SyntaxTree& tree);

  llvm::ArrayRef<Entity> entities() const { return entities_; }
  // In order of place.
  llvm::ArrayRef<Occurrence> occurrences() const { return occurrences_; }
  // The one that touches `offset`.
  const Occurrence* at(text::Offset offset) const;
  std::vector<Occurrence> of(uint32_t entity) const;
  // The entity that `name` means at `offset`; null: nothing in the file binds it.
  const Entity* lookup(Name name, text::Offset offset) const;
  // What the module itself binds by that name; null: nothing.
  const Entity* global(Name name) const;
  // Whether its scope is the body of a class.
  bool isInClass(const Entity& entity) const { return scopes_[entity.scope].isClass; }
  // Entities visible at `offset`, the innermost scope's first; a shadowed one is left out.
  std::vector<uint32_t> visibleAt(text::Offset offset) const;

private:
  friend class NameIndexBuilder;
  uint32_t scopeAt(text::Offset offset) const;
  struct Scope {
    text::Range range;
    uint32_t parent;
    bool isClass;
    std::vector<uint32_t> entities;
    std::vector<uint32_t> byName; // the same, sorted; empty where there are few
  };
  const Entity* find(const Scope& scope, Name name) const;
  std::vector<Entity> entities_;
  std::vector<Occurrence> occurrences_;
  std::vector<Scope> scopes_;
};

} // namespace gluond::lsp
