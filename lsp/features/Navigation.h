// Definition, references and rename of names. Free functions over a Snapshot; places are files and
// byte ranges.
#pragma once

#include "driver/Workspace.h"
#include "lsp/features/NameIndex.h"

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
// defines it.
std::optional<Definition> definitionAt(const driver::Snapshot& snapshot, const driver::File& file,
                                       text::Offset offset, CancellationToken token);

// The places of the name at `offset` in its file, its bindings and keyword arguments included;
// empty when it is none.
std::vector<Occurrence> referencesAt(const driver::Snapshot& snapshot, const driver::File& file,
                                     text::Offset offset, CancellationToken token);

// The edits that give the name at `offset` another one; the error says why that is not possible.
tl::expected<std::vector<text::Edit>, std::string>
renameAt(const driver::Snapshot& snapshot, const driver::File& file, text::Offset offset,
         llvm::StringRef newName, CancellationToken token);

} // namespace gluond::lsp
