// One version of one file: its text, and what is computed from that text alone.
//
// Immutable to everybody; results are made when first asked for and kept (Lazy). A version that
// came from edits knows the last version that was parsed and the edits since, so that parsing it
// costs what changed.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/workspace/Lazy.h"
#include "support/Allowance.h"
#include "support/Interner.h"
#include "text/SourceText.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  uint64_t hash() const; // of the text

  // The typed syntax tree; null when cancelled.
  std::shared_ptr<const syntax::SyntaxTree> tree(Interner& names, CancellationToken token) const;

  // What another room makes of this version's tree alone: made by who first asks and kept. One
  // thing for each type; make() is quick, gives a shared_ptr<const T>, and does not ask for
  // another.
  template <typename T, typename Make> std::shared_ptr<const T> derived(Make make) const {
    std::lock_guard lock(derivedMutex_);
    for (const auto& [key, value] : derived_)
      if (key == &keyOf<T>) return std::static_pointer_cast<const T>(value);
    std::shared_ptr<const T> made = make();
    derived_.emplace_back(&keyOf<T>, made);
    return made;
  }

  // What work on this version may still cost (FileWork.h). Spent, it stays the same one until it is
  // renewed or the limits are others; else forgive() makes the next one whole again.
  std::shared_ptr<Allowance> allowance(Allowance::Limits limits) const;
  void forgive(const std::shared_ptr<Allowance>& allowance) const;
  void renewAllowance() const;

private:
  std::string path_;
  diagnostics::FileId id_;
  std::optional<int32_t> version_;
  std::shared_ptr<const text::SourceText> text_;
  Lazy<syntax::SyntaxTree> tree_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const syntax::SyntaxTree> previous_; // until tree_ is made
  mutable std::mutex allowanceMutex_;
  mutable std::shared_ptr<Allowance> allowance_;         // null: nobody works on it
  template <typename T> static constexpr char keyOf = 0; // its address
  mutable std::mutex derivedMutex_;
  mutable std::vector<std::pair<const char*, std::shared_ptr<const void>>> derived_;
};

} // namespace gluond::driver
