// All that the server or the command line works on: open documents, files on disk, settings, chosen
// specializations.
//
// A Workspace belongs to one thread (the server's reader; main() in the command line), which
// changes it and takes snapshots. A Snapshot is one version of all of it, immutable, and may be
// used from any thread, also after the Workspace went on. What was computed for a file version is
// kept with it, so consecutive snapshots share everything that no edit touched.
#pragma once

#include "driver/workspace/File.h"
#include "driver/workspace/Memories.h"
#include "support/Cancellation.h"
#include "support/Interner.h"

#include <llvm/ADT/StringMap.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gluond::driver {

// A setting by name, as an editor, a pyproject.toml or the command line gives it (Configuration.h).
using SettingValue = std::variant<bool, uint64_t, std::string, std::vector<std::string>>;
struct NamedSetting {
  std::string name;
  SettingValue value;
  text::Range place = {}; // of its name in the file it stands in
};
using SettingValues = std::vector<NamedSetting>;

struct Settings {
  std::string target;                   // of kernels whose launch does not say; "": LikelyTarget.h
  std::vector<std::string> roots;       // workspace folders, absolute
  std::vector<std::string> recordFiles; // launch records beyond those found by themselves
  bool useRecords = true;               // look for record files beside programs
  std::string documentation;        // path of the page that describes the diagnostics; may be empty
  std::vector<std::string> ignored; // slugs of warnings and hints that are not wanted anywhere
  std::vector<std::string> selected;      // slugs of all that is wanted; none: everything
  std::vector<std::string> excluded;      // shell patterns of files that are not looked for
  size_t maxFileBytes = size_t{16} << 20; // larger files are not read
  bool lints = true;                      // warn of what compiles but is slow or racy
  bool plainPython = false;               // speak of Python that has nothing to do with Gluon
  bool besidePython = false;              // leave to another server what it shows as well
  bool hintTypes = true, hintLayouts = true, hintValues = true, hintParameters = true,
       hintCosts = true;
  uint64_t evaluationSteps = 4'000'000; // expressions evaluated per file
  uint64_t evaluationMegabytes = 128;
  uint64_t analysisSeconds = 2; // of CPU time that the analysis of a file may take (FileWork.h)
  uint64_t analysisMegabytes = 512;
  std::string cacheDirectory; // of compiled code (DiskCache.h); "": the user's, "off": none
  uint64_t cacheMegabytes = 512;
  std::vector<std::string> runnerCommands; // each starts a GPU process; none: gluond-runner
  uint64_t runnerLimit = 10;               // seconds after which a kernel hangs
  SettingValues overrides;                 // what wins over a pyproject.toml
  // Whoever talks to gluond may not be its user (a web page): nothing outside the roots is read, no
  // file in them but programs and what belongs to them, and personal settings are not theirs.
  bool isConfined = false;
};

struct WorkspaceState; // shared by the snapshots of a workspace (WorkspaceState.h)

// The specialization the user chose for a kernel of a file.
using Selections = std::map<std::pair<std::string, std::string>,
                            std::string>; // (path, qualname) -> specialization id

// Texts whose analysis ended the process, with what happened: by path, the hash of the text
// (File::hash). They are parsed and not evaluated. Of "*", the files of any path and text.
struct Quarantined {
  uint64_t hash = 0;
  std::string why; // "it crashed (segmentation fault)"
};
using Quarantine = std::map<std::string, Quarantined>;

class Snapshot {
public:
  // The file at `path`: the open document, or what is on disk. Null when there is neither (or it is
  // too large).
  //
  // found() is for what gluond comes upon by itself: imports, records, settings, walks. It reads in
  // the workspace only, and follows no link out of it. file() is for what the user names, on the
  // command line or by opening it: that is read wherever it is, and the project around it counts as
  // part of the workspace from then on.
  std::shared_ptr<const File> found(llvm::StringRef path) const;
  std::shared_ptr<const File> file(llvm::StringRef path) const;
  // The workspace: Settings::roots, and the projects of the files that the user named.
  std::vector<std::string> folders() const;
  // Every file has one id as long as the workspace lives; diagnostics name files by it. Empty: no
  // such file.
  std::string path(diagnostics::FileId id) const;
  bool isOpen(llvm::StringRef path) const { return open_.contains(path); }
  std::vector<std::string> openPaths() const;
  const Settings& settings() const { return *settings_; }
  // For one file: with what the nearest pyproject.toml says.
  std::shared_ptr<const Settings> settingsOf(llvm::StringRef file) const;
  const Selections& selections() const { return *selections_; }
  // The same workspace with another text for one file, to see what would be said of it.
  std::shared_ptr<const Snapshot> with(const File& file, std::string text) const;
  // Null: nothing is known against evaluating this text.
  const Quarantined* quarantined(const File& file) const;
  uint64_t diskGeneration() const { return diskGeneration_; } // counts changes on disk
  Interner& names() const;
  // What is kept as long as the workspace lives, and what requests on this one snapshot have in
  // common. T says which, as in Memories.h.
  template <typename T> T& memory() const { return memories_->of<T>(); }
  template <typename T> T& shared() const { return shared_->of<T>(); }

private:
  friend class Workspace;
  std::shared_ptr<WorkspaceState> state_;
  Memories* memories_ = nullptr; // the state's
  std::shared_ptr<Memories> shared_;
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
  // The current text; null when the document is not open.
  std::shared_ptr<const File> document(llvm::StringRef path) const;
  // The next version of an open document. False when it is not open.
  bool change(llvm::StringRef path, int32_t version, text::SourceText text);
  void close(llvm::StringRef path);

  // Something on disk changed: what was read from there is read again when next asked for.
  void diskChanged();

  // Keeps a text from being evaluated; other texts at the path are.
  void quarantine(llvm::StringRef path, Quarantined what);

  // Chooses the specialization that hover, hints and IR views speak about; nothing: gluond chooses.
  void select(llvm::StringRef path, llvm::StringRef kernel,
              std::optional<std::string> specialization);

private:
  std::shared_ptr<WorkspaceState> state_;
  std::shared_ptr<const Settings> settings_;
  std::shared_ptr<const Selections> selections_;
  std::shared_ptr<const Quarantine> quarantine_;
  llvm::StringMap<std::shared_ptr<const File>> open_;
  uint64_t diskGeneration_ = 0;
  mutable std::shared_ptr<const Snapshot> snapshot_; // of the state above; null when that changed
};

} // namespace gluond::driver
