// Definition, type definition, references and rename. Free functions over a Resolver; places are
// files and byte ranges.
#pragma once

#include "lsp/features/names/NameResolver.h"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::lsp {

struct Place {
  std::shared_ptr<const driver::File> file;
  text::Range range; // of the name
  text::Range whole; // of the definition it belongs to
};

struct Definition {
  text::Range origin; // the name under the cursor
  std::vector<Place> places;
};
// Where the name at `offset` is bound. An imported name leads into the workspace's module that
// defines it, an attribute into its class, a keyword argument to the parameter.
std::optional<Definition> definitionAt(Resolver& resolver, const IndexedFile& file,
                                       text::Offset offset);
// The class of what stands there.
std::optional<Definition> typeDefinitionAt(Resolver& resolver, const IndexedFile& file,
                                           text::Offset offset);

struct Use {
  const IndexedFile* file = nullptr;
  text::Range range;
  bool binds = false;   // defines or assigns
  bool isAlias = false; // another name for it: `g` of `from m import f as g`
};
enum class Where : uint8_t { File, Workspace };
// All places of the name at `offset`, bindings and keyword arguments included, in order of files
// and places; empty when it is none.
std::vector<Use> referencesAt(Resolver& resolver, const IndexedFile& file, text::Offset offset,
                              Where where);
std::vector<Use> usesOf(Resolver& resolver, const Symbol& symbol, Where where);

struct FileEdits {
  std::shared_ptr<const driver::File> file;
  std::vector<text::Edit> edits;
};
// The name that can be renamed here; the error says why there is none.
tl::expected<text::Range, std::string> renameable(Resolver& resolver, const IndexedFile& file,
                                                  text::Offset offset);
// The edits that give the name at `offset` another one; the error says why that is not possible.
tl::expected<std::vector<FileEdits>, std::string>
renameAt(Resolver& resolver, const IndexedFile& file, text::Offset offset, llvm::StringRef newName);

} // namespace gluond::lsp
