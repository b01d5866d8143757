// One version of one file: its text, and what is computed from that text alone.
//
// Immutable to everybody; results are made when first asked for and kept (Lazy). A version that
// came from edits knows the last version that was parsed and the edits since, so that parsing it
// costs what changed.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/Lazy.h"
#include "support/Interner.h"
#include "text/SourceText.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

class File {
public:
  // `path` is absolute, or any other name for a document that is not on disk.
  File(std::string path, diagnostics::FileId id, std::optional<int32_t> version,
       text::SourceText text);
  // The next version of the same file.
  File(const File& before, std::optional<int32_t> version, text::SourceText text);
  ~File();

  const std::string& path() const { return path_; }
  diagnostics::FileId id() const { return id_; } // the same for all versions
  // The editor's version of an open document; nothing for a file read from disk.
  std::optional<int32_t> version() const { return version_; }
  const text::SourceText& text() const { return *text_; }
  const std::shared_ptr<const text::SourceText>& textPtr() const { return text_; }

  // The typed syntax tree; null when cancelled.
  std::shared_ptr<const syntax::SyntaxTree> tree(Interner& names, CancellationToken token) const;

private:
  std::string path_;
  diagnostics::FileId id_;
  std::optional<int32_t> version_;
  std::shared_ptr<const text::SourceText> text_;
  Lazy<syntax::SyntaxTree> tree_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const syntax::SyntaxTree> previous_; // until tree_ is made
};

} // namespace gluond::driver
