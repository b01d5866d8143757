#include "lsp/features/Navigation.h"

#include "driver/Imports.h"
#include "syntax/Children.h"
#include "syntax/Keywords.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

std::string dotted(llvm::ArrayRef<Identifier> path, const Interner& names) {
  std::string text;
  for (const Identifier& part : path)
    text += (text.empty() ? "" : ".") + names.text(part.name).str();
  return text;
}

Place placeOf(std::shared_ptr<const driver::File> file, text::Range range, const Node* definition) {
  return {std::move(file), range, definition ? rangeWithDecorators(*definition) : range};
}

// Where `name` is bound at the top level of a file; its beginning when it is not.
std::vector<Place> topLevel(const driver::Snapshot& snapshot,
                            const std::shared_ptr<const driver::File>& file, Name name,
                            CancellationToken token) {
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return {};
  NameIndex index = NameIndex::build(*tree);
  std::vector<Place> places;
  for (const Occurrence& occurrence : index.occurrences()) {
    const Entity& entity = index.entities()[occurrence.entity];
    if (occurrence.binds && entity.scope == 0 && entity.name == name)
      places.push_back(placeOf(file, occurrence.range, entity.node));
  }
  return places;
}

// The file or name that an import statement's alias brings in.
std::vector<Place> imported(const driver::Snapshot& snapshot, const driver::File& file,
                            const SyntaxTree& tree, const Entity& entity, CancellationToken token) {
  const Interner& names = tree.interner();
  auto startOf = [](std::shared_ptr<const driver::File> module) {
    return std::vector<Place>{{std::move(module), {0, 0}, {0, 0}}};
  };
  if (auto* from = llvm::dyn_cast<ImportFrom>(entity.node)) {
    std::string module = dotted(from->module, names),
                name = names.text(entity.alias->path.front().name).str();
    // A submodule first: `from . import helpers`.
    std::string submodule = module.empty() ? name : module + "." + name;
    if (auto found = driver::findImport(snapshot, file.path(), submodule, from->level))
      return startOf(found);
    auto found = driver::findImport(snapshot, file.path(), module, from->level);
    return found ? topLevel(snapshot, found, entity.alias->path.front().name, token)
                 : std::vector<Place>();
  }
  llvm::ArrayRef<Identifier> path = entity.alias->path;
  if (!entity.alias->asName.name) path = path.take_front(1);
  auto found = driver::findImport(snapshot, file.path(), dotted(path, names), 0);
  return found ? startOf(found) : std::vector<Place>();
}

} // namespace

std::optional<Definition> definitionAt(const driver::Snapshot& snapshot, const driver::File& file,
                                       text::Offset offset, CancellationToken token) {
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  NameIndex index = NameIndex::build(*tree);
  const Occurrence* here = index.at(offset);
  if (!here) return std::nullopt;
  const Entity& entity = index.entities()[here->entity];
  Definition definition{here->range, {}};
  if (entity.kind == EntityKind::Import)
    definition.places = imported(snapshot, file, *tree, entity, token);
  auto self = snapshot.file(file.path());
  if (definition.places.empty())
    for (const Occurrence& occurrence : index.of(here->entity))
      if (occurrence.binds)
        definition.places.push_back(placeOf(self, occurrence.range, entity.node));
  // A variable assigned many times: what leads to the cursor is the last assignment before it, and
  // the first.
  if (entity.kind == EntityKind::Variable && definition.places.size() > 2) {
    Place first = definition.places.front(), last = first;
    for (const Place& place : definition.places)
      if (place.range.begin < here->range.begin) last = place;
    definition.places = last.range == first.range ? std::vector{first} : std::vector{last, first};
  }
  return definition;
}

std::vector<Occurrence> referencesAt(const driver::Snapshot& snapshot, const driver::File& file,
                                     text::Offset offset, CancellationToken token) {
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return {};
  NameIndex index = NameIndex::build(*tree);
  const Occurrence* here = index.at(offset);
  return here ? index.of(here->entity) : std::vector<Occurrence>();
}

tl::expected<std::vector<text::Edit>, std::string>
renameAt(const driver::Snapshot& snapshot, const driver::File& file, text::Offset offset,
         llvm::StringRef newName, CancellationToken token) {
  auto fail = [](std::string why) { return tl::unexpected(std::move(why)); };
  if (!isIdentifier(newName) || isKeyword(newName))
    return fail("'" + newName.str() + "' is not a name in Python");
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return fail("cancelled");
  NameIndex index = NameIndex::build(*tree);
  const Occurrence* here = index.at(offset);
  if (!here) return fail("no name of this file stands here");
  const Entity& entity = index.entities()[here->entity];
  if (entity.kind == EntityKind::Import && entity.alias && !entity.alias->asName.name)
    return fail("'" + tree->interner().text(entity.name).str() +
                "' is imported under its own name; add `as` to rename it");
  Name wanted = snapshot.names().intern(newName);
  for (const Entity& other : index.entities())
    if (other.scope == entity.scope && other.name == wanted && &other != &entity)
      return fail("'" + newName.str() + "' means something else here");
  std::vector<text::Edit> edits;
  for (const Occurrence& occurrence : index.of(here->entity))
    edits.push_back({occurrence.range, newName.str()});
  return edits;
}

} // namespace gluond::lsp
