// The state that the server or the command line works on: open documents, files on disk, settings,
// selected specializations.
//
// A Workspace belongs to one thread (the server's reader; main() in the command line), which
// changes it and takes snapshots. A Snapshot is one immutable version of all of it, and may be used
// from any thread, even after the Workspace has changed. Results for a file version are kept with
// it, so consecutive snapshots share everything that no edit touched.
#pragma once

#include "driver/settings/Settings.h"
#include "driver/workspace/Caches.h"
#include "driver/workspace/File.h"
#include "support/Cancellation.h"
#include "support/Interner.h"

#include <llvm/ADT/StringMap.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

struct WorkspaceState; // shared by the snapshots of a workspace (WorkspaceState.h)

// The specialization the user chose for a kernel of a file.
using Selections = std::map<std::pair<std::string, std::string>,
                            std::string>; // (path, qualname) -> specialization id

// Texts whose analysis crashed the process, by path: the hash of the text (File::hash) and what
// happened. They are parsed but not evaluated. The path "*" stands for any path and text.
struct Quarantined {
  uint64_t hash = 0;
  std::string why; // "it crashed (segmentation fault)"
};
using Quarantine = std::map<std::string, Quarantined>;

class Snapshot {
public:
  // Returns the file at `path`: the open document, or the file on disk. Returns null if there is
  // neither (or it is too large, or no notebook although its name says so).
  //
  // found() is for files that gluond finds itself: imports, records, settings, walks. It reads only
  // in the workspace, and follows no link out of it. file() is for files that the user names, on
  // the command line or by opening them: they are read wherever they are, and the project around
  // them counts as part of the workspace from then on.
  std::shared_ptr<const File> found(llvm::StringRef path) const;
  std::shared_ptr<const File> file(llvm::StringRef path) const;
  // The workspace: Settings::roots, and the projects of the files that the user named.
  std::vector<std::string> folders() const;
  // Returns the path of an id, or "" if there is no such file. Every file keeps one id as long as
  // the workspace lives; diagnostics name files by it.
  std::string path(diagnostics::FileId id) const;
  bool isOpen(llvm::StringRef path) const { return open_.contains(path); }
  std::vector<std::string> openPaths() const;
  const Settings& settings() const { return *settings_; }
  // The settings for one file, including those of the nearest pyproject.toml.
  std::shared_ptr<const Settings> settingsOf(llvm::StringRef file) const;
  const Selections& selections() const { return *selections_; }
  // Returns the same workspace with another text for one file, to see its diagnostics.
  std::shared_ptr<const Snapshot> with(const File& file, std::string text) const;
  // The same with a file's edits; those of a notebook are edits of its cells. Returns null if a
  // notebook cannot have them, because one spans two cells.
  std::shared_ptr<const Snapshot> withEdits(const File& file,
                                            llvm::ArrayRef<text::Edit> edits) const;
  // Returns null if this text may be evaluated.
  const Quarantined* quarantined(const File& file) const;
  uint64_t diskGeneration() const { return diskGeneration_; } // counts changes on disk
  Interner& names() const;
  // Data kept as long as the workspace lives, and data shared by the requests on this one snapshot,
  // selected by the type T (see Caches.h).
  template <typename T> T& cache() const { return caches_->of<T>(); }
  template <typename T> T& shared() const { return shared_->of<T>(); }

private:
  friend class Workspace;
  std::shared_ptr<const Snapshot> with(std::shared_ptr<const File> file) const;
  std::shared_ptr<WorkspaceState> state_;
  Caches* caches_ = nullptr; // the state's
  std::shared_ptr<Caches> shared_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Selections> selections_;
  std::shared_ptr<const Quarantine> quarantine_;
  llvm::StringMap<std::shared_ptr<const File>> open_;
  uint64_t diskGeneration_ = 0;
};

class Workspace {
public:
  explicit Workspace(Settings settings);
  ~Workspace();

  std::shared_ptr<const Snapshot> snapshot() const;
  const Settings& settings() const { return *settings_; }
  void changeSettings(Settings settings);

  // Open documents.
  void open(llvm::StringRef path, int32_t version, std::string text);
  void open(llvm::StringRef path, int32_t version, std::shared_ptr<const NotebookFile> notebook);
  // Returns the current text, or null if the document is not open.
  std::shared_ptr<const File> document(llvm::StringRef path) const;
  // Sets the next version of an open document. Returns false if it is not open.
  bool change(llvm::StringRef path, int32_t version, text::SourceText text);
  void close(llvm::StringRef path);

  // Something on disk changed: files read from disk are checked again on their next use.
  void diskChanged();

  // Prevents a text from being evaluated; other texts at the path still are.
  void quarantine(llvm::StringRef path, Quarantined what);

  // Selects the specialization for hover, hints and IR views; nullopt lets gluond choose.
  void select(llvm::StringRef path, llvm::StringRef kernel,
              std::optional<std::string> specialization);

private:
  void open(std::shared_ptr<const File> file);
  std::shared_ptr<WorkspaceState> state_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Selections> selections_;
  std::shared_ptr<const Quarantine> quarantine_;
  llvm::StringMap<std::shared_ptr<const File>> open_;
  uint64_t diskGeneration_ = 0;
  mutable std::shared_ptr<const Snapshot> snapshot_; // of the state above; null after a change
};

} // namespace gluond::driver
