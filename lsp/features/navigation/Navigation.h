// Definition, type definition, references and rename: free functions over a NameResolver; places
// are files and byte ranges.
#pragma once

#include "lsp/features/names/NameResolver.h"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::lsp {

struct Place {
  std::shared_ptr<const driver::File> file;
  text::Range range; // of the name
  text::Range whole; // of the definition that it belongs to
};

struct Definition {
  text::Range origin; // the name under the cursor
  std::vector<Place> places;
};
// Returns where the name at `offset` is bound. For an imported name that is the defining module in
// the workspace, for an attribute its class, for a keyword argument the parameter.
std::optional<Definition> definitionAt(NameResolver& resolver, const IndexedFile& file,
                                       text::Offset offset);
// Returns the class of the value at `offset`.
std::optional<Definition> typeDefinitionAt(NameResolver& resolver, const IndexedFile& file,
                                           text::Offset offset);

struct Use {
  const IndexedFile* file = nullptr;
  text::Range range;
  bool binds = false;   // whether it defines or assigns
  bool isAlias = false; // another name for it: `g` in `from m import f as g`
};
enum class Where : uint8_t { File, Workspace };
// Returns all places of the name at `offset`, including bindings and keyword arguments, sorted by
// file and place; empty if there is no name.
std::vector<Use> referencesAt(NameResolver& resolver, const IndexedFile& file, text::Offset offset,
                              Where where);
std::vector<Use> usesOf(NameResolver& resolver, const Symbol& symbol, Where where);

struct FileEdits {
  std::shared_ptr<const driver::File> file;
  std::vector<text::Edit> edits;
};
// Returns the name that can be renamed here; the error says why none can.
tl::expected<text::Range, std::string> renameable(NameResolver& resolver, const IndexedFile& file,
                                                  text::Offset offset);
// Returns the edits that rename the name at `offset`; the error says why that is not possible.
tl::expected<std::vector<FileEdits>, std::string> renameAt(NameResolver& resolver,
                                                           const IndexedFile& file,
                                                           text::Offset offset,
                                                           llvm::StringRef newName);

} // namespace gluond::lsp
