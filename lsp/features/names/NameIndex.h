// Resolves every identifier of a file by Python's scoping rules: one index for definition,
// references, rename, completion of names and semantic tokens.
//
// It is purely syntactic and fast (a fraction of a millisecond for a thousand lines), and made once
// for each version of a file (driver::File::derived). Scopes are the module, functions, lambdas,
// comprehensions and classes (whose names are not visible in their methods); global and nonlocal
// redirect. A name that is not bound in the file (a builtin, a star import) has no entity.
#pragma once

#include "syntax/SyntaxTree.h"

#include <optional>
#include <vector>

namespace gluond::lsp {

enum class EntityKind : uint8_t { Variable, Parameter, Function, Class, Import };

// The entity that a name is bound to in one scope, for all its bindings together.
struct Entity {
  Name name;
  EntityKind kind = EntityKind::Variable; // of the first binding more specific than "variable"
  const syntax::Node* node = nullptr;     // FunctionDef, ClassDef, Import, ImportFrom; else null
  const syntax::Alias* alias = nullptr;   // for Import: which alias of the statement
  uint32_t scope = 0;
  text::Range first{};   // the name in its first binding
  uint32_t bindings = 0; // number of bindings
};

struct Occurrence {
  text::Range range;
  uint32_t entity;
  bool binds;     // whether it defines or assigns
  bool isKeyword; // f(name=...): a parameter of a function of this file
};

class NameIndex {
public:
  static NameIndex build(const syntax::SyntaxTree& tree);

  llvm::ArrayRef<Entity> entities() const { return entities_; }
  // Sorted by place.
  llvm::ArrayRef<Occurrence> occurrences() const { return occurrences_; }
  // Returns the one that touches `offset`.
  const Occurrence* at(text::Offset offset) const;
  std::vector<Occurrence> of(uint32_t entity) const;
  // Returns the entity that `name` refers to at `offset`, or null if the file does not bind it.
  const Entity* lookup(Name name, text::Offset offset) const;
  // Returns the entity that `name` refers to in the scope of another one, or null.
  const Entity* inScopeOf(const Entity& entity, Name name) const {
    return find(scopes_[entity.scope], name);
  }
  // Returns what the module itself binds to that name, or null.
  const Entity* global(Name name) const;
  // Whether its scope is the body of a class.
  bool isInClass(const Entity& entity) const { return scopes_[entity.scope].isClass; }
  // Returns the entities visible at `offset`, the innermost scope's first, without shadowed ones.
  std::vector<uint32_t> visibleAt(text::Offset offset) const;

private:
  friend class NameIndexBuilder;
  uint32_t scopeAt(text::Offset offset) const;
  void sortScopes();
  void sortUses();
  struct Scope {
    text::Range range;
    uint32_t parent;
    bool isClass;
    std::vector<uint32_t> entities;
    std::vector<uint32_t> byName; // the same, sorted; empty if there are few
  };
  const Entity* find(const Scope& scope, Name name) const;
  std::vector<Entity> entities_;
  std::vector<Occurrence> occurrences_;
  std::vector<Scope> scopes_;
  // The scopes by where they begin, an outer one before those inside, with the place in this list
  // of the scope around.
  struct PlacedScope {
    uint32_t scope, around;
  };
  std::vector<PlacedScope> placed_;
  // The occurrences of an entity, as places in occurrences_: uses_[begins_[e]] to
  // uses_[begins_[e + 1]].
  std::vector<uint32_t> uses_, begins_;
};

} // namespace gluond::lsp
