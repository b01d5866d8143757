// Settings by name: what pyproject.toml's [tool.gluond], an editor and the command line may set, in
// one table. The table is also the documentation (docs/configuration.md is checked against it).
//
// Precedence, strongest first: what the editor or the command line says (Settings::overrides), the
// nearest pyproject.toml above a file that has [tool.gluond], the defaults. Both spellings are
// read: inlayHints.types as editors write it, inlay-hints.types as TOML files do.
#pragma once

#include "driver/Workspace.h"

#include <llvm/ADT/ArrayRef.h>
#include <tl/expected.hpp>

#include <mutex>
#include <variant>

namespace gluond::driver {

using SettingMember = std::variant<bool Settings::*, uint64_t Settings::*, std::string Settings::*,
                                   std::vector<std::string> Settings::*>;
struct SettingRow {
  llvm::StringLiteral name; // "inlayHints.types"
  SettingMember member;     // its type is the setting's
  llvm::StringLiteral documentation;
  bool isPersonal = false; // starts programs: not read from files that came with a project
};
llvm::ArrayRef<SettingRow> settingRows();
// "boolean", "number", "string", "list of strings"
llvm::StringRef typeName(const SettingRow& row);
// The value that a fresh Settings has, as TOML writes it.
std::string defaultText(const SettingRow& row);

// The error is a sentence: the name or the type is wrong.
tl::expected<void, std::string> applySetting(Settings& settings, llvm::StringRef name,
                                             const SettingValue& value);

// The [tool.gluond] table of a pyproject.toml. What is wrong with it is told in `problems`, each a
// sentence with the name it is about and, for a misspelt one, what was probably meant; the rest is
// read.
struct ProjectSettings {
  SettingValues values;
  struct Problem {
    text::Range place;
    std::string text;
    std::string meant = {}; // in place of what stands there; empty: not known
  };
  std::vector<Problem> problems;
  bool isPresent = false; // there is such a table
};
ProjectSettings readProject(llvm::StringRef text);

// The settings of the nearest pyproject.toml at or above `folder` with a [tool.gluond] table; its
// path in `path`. Nothing: there is none.
struct Project {
  std::string path;
  ProjectSettings settings;
};
std::shared_ptr<const Project> projectOf(const Snapshot& snapshot, llvm::StringRef folder);

constexpr llvm::StringLiteral projectFileName = "pyproject.toml";
bool isProjectFile(llvm::StringRef path);
// The problems of a pyproject.toml as diagnostics of that file.
std::vector<diagnostics::Diagnostic> projectDiagnostics(const File& file);

// Projects and merged settings, kept by folder. Internal to driver/.
struct ProjectCache {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  llvm::StringMap<std::shared_ptr<const Project>> projects;
  std::shared_ptr<const Settings> base; // what `merged` was made from
  llvm::StringMap<std::shared_ptr<const Settings>> merged;
};

} // namespace gluond::driver
