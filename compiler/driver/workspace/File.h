// One version of one file: its text, and results computed from that text alone.
//
// It is logically immutable; results are computed on first use and cached (Lazy). A version made by
// edits knows the last version that was parsed and the edits since then, so that the cost of
// parsing it depends on the size of the change.
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

class NotebookFile;

class File {
public:
  // `path` is absolute, or any other name for a document that is not on disk.
  File(std::string path, diagnostics::FileId id, std::optional<int32_t> version,
       text::SourceText text);
  // The program of a notebook's cells.
  File(std::string path, diagnostics::FileId id, std::optional<int32_t> version,
       std::shared_ptr<const NotebookFile> notebook);
  // Makes the next version of the same file.
  File(const File& before, std::optional<int32_t> version, text::SourceText text);
  File(const File& before, std::optional<int32_t> version,
       std::shared_ptr<const NotebookFile> notebook);
  ~File();

  const std::string& path() const { return path_; }
  diagnostics::FileId id() const { return id_; } // the same for all versions
  // The editor's version of an open document; nullopt for a file read from disk.
  std::optional<int32_t> version() const { return version_; }
  // A notebook's is the program that its Python cells make.
  const text::SourceText& text() const { return *text_; }
  // The notebook whose program the text is, or null for any other file, and for the notebooks that
  // are open in editors, which know where their cells are.
  const std::shared_ptr<const NotebookFile>& notebook() const { return notebook_; }
  // What is stored on disk for this text: a notebook's JSON.
  llvm::StringRef stored() const;
  uint64_t hash() const; // of the text

  // Returns the typed syntax tree, or null if cancelled.
  std::shared_ptr<const syntax::SyntaxTree> tree(Interner& names, CancellationToken token) const;

  // A result that another room derives from this version's tree alone, computed on first use and
  // cached. There is one for each type T; make() is quick, returns a shared_ptr<const T>, or null
  // if it had to stop, which is not cached, and does not call derived() itself.
  template <typename T, typename Make> std::shared_ptr<const T> derived(Make make) const {
    std::lock_guard lock(derivedMutex_);
    for (const auto& [key, value] : derived_)
      if (key == &keyOf<T>) return std::static_pointer_cast<const T>(value);
    std::shared_ptr<const T> made = make();
    if (made) derived_.emplace_back(&keyOf<T>, made);
    return made;
  }

  // The allowance for work on this version (FileWork.h). Once spent, it stays the same until it is
  // renewed or the limits change; otherwise forgive() makes the next one whole again.
  std::shared_ptr<Allowance> allowance(Allowance::Limits limits) const;
  void forgive(const std::shared_ptr<Allowance>& allowance) const;
  void renewAllowance() const;
  // The CPU time that the longest work on this version took.
  std::chrono::nanoseconds longestWork() const;
  // What work on the version before held when it was replaced by this one: until there are results
  // for this version, those of the other are kept.
  size_t heldBefore() const { return heldBefore_; }

private:
  size_t heldBytes() const;
  void release(std::shared_ptr<Allowance> next) const; // with `allowanceMutex_` held

  std::string path_;
  diagnostics::FileId id_;
  std::optional<int32_t> version_;
  std::shared_ptr<const text::SourceText> text_;
  std::shared_ptr<const NotebookFile> notebook_;
  Lazy<syntax::SyntaxTree> tree_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const syntax::SyntaxTree> previous_; // until tree_ is made
  mutable std::mutex allowanceMutex_;
  mutable std::shared_ptr<Allowance> allowance_; // null if there is no work on it
  mutable int64_t heldBytes_ = 0;                // by work before that
  mutable std::chrono::nanoseconds longestWork_{0};
  size_t heldBefore_ = 0;
  template <typename T> static constexpr char keyOf = 0; // used for its address
  mutable std::mutex derivedMutex_;
  mutable std::vector<std::pair<const char*, std::shared_ptr<const void>>> derived_;
};

} // namespace gluond::driver
