// One version of one file: its text, and what is computed from that text alone.
//
// Immutable to everybody; results are made when first asked for and kept (Lazy). A version that
// came from edits knows the last version that was parsed and the edits since, so that parsing it
// costs what changed.
#pragma once

#include "driver/Lazy.h"
#include "support/Interner.h"
#include "text/SourceText.h"

#include <llvm/ADT/ArrayRef.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

class File {
public:
  // `path` is absolute, or any other name for a document that is not on disk.
  File(std::string path, std::optional<int32_t> version, text::SourceText text);
  // The version after `edits` (each applies to the text that the one before it made, which ends in
  // `text`).
  File(const std::shared_ptr<const File>& before, std::optional<int32_t> version,
       std::vector<text::Edit> edits, text::SourceText text);
  ~File();

  const std::string& path() const { return path_; }
  // The editor's version of an open document; nothing for a file read from disk.
  std::optional<int32_t> version() const { return version_; }
  const text::SourceText& text() const { return text_; }
  uint64_t contentHash() const; // of the text

  // The typed syntax tree; null when cancelled.
  std::shared_ptr<const syntax::SyntaxTree> tree(Interner& names, CancellationToken token) const;

private:
  std::string path_;
  std::optional<int32_t> version_;
  text::SourceText text_;
  Lazy<syntax::SyntaxTree> tree_;
  // Until the tree is made: the last parsed version and the edits since.
  struct Base {
    std::shared_ptr<const syntax::SyntaxTree> tree;
    std::vector<text::Edit> edits;
  };
  mutable std::mutex baseMutex_;
  mutable std::optional<Base> base_;
};

} // namespace gluond::driver
