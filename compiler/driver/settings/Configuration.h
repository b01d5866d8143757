// Settings by name: what pyproject.toml's [tool.gluond], an editor and the command line may set, in
// one table. The table is also the documentation (docs/configuration.md is checked against it).
//
// Precedence, strongest first: what the editor or the command line says (Settings::overrides), the
// nearest pyproject.toml above a file that has [tool.gluond], the defaults. Both spellings are
// read: inlayHints.types as editors write it, inlay-hints.types as TOML files do.
#pragma once

#include "driver/workspace/Workspace.h"

#include <llvm/ADT/ArrayRef.h>
#include <tl/expected.hpp>

#include <mutex>
#include <variant>

namespace gluond::driver {

using SettingMember = std::variant<bool Settings::*, uint64_t Settings::*, std::string Settings::*,
                                   std::vector<std::string> Settings::*>;

// Whose word a setting is. What a project says in its pyproject.toml came with the project: opening
// it must not run its programs, write where it likes or spend what it likes. Such settings are
// personal: an editor's settings and the command line say them.
enum class SettingKind : uint8_t {
  Taste,   // what is shown and how it is judged: anybody's
  Files,   // names files to read, inside the project: anybody's
  Place,   // names a place to write to, or a program
  Command, // starts programs
  Budget,  // bounds time, memory or disk
};

struct SettingRow {
  llvm::StringLiteral name; // "inlayHints.types"
  SettingMember member;     // its type is the setting's
  llvm::StringLiteral documentation;
  SettingKind kind = SettingKind::Taste;
  uint64_t least = 0, most = UINT64_MAX; // of a number
  bool isPersonal() const { return kind > SettingKind::Files; }
};
llvm::ArrayRef<SettingRow> settingRows();
// By its name, however it is spelt; null: there is none.
const SettingRow* findSetting(llvm::StringRef name);
// "boolean", "number", "string", "list of strings"
llvm::StringRef typeName(const SettingRow& row);
// The value that a fresh Settings has, as TOML writes it.
std::string defaultText(const SettingRow& row);

// The error is a sentence: the name or the type is wrong.
tl::expected<void, std::string> applySetting(Settings& settings, llvm::StringRef name,
                                             const SettingValue& value);

// Why no diagnostic has that code, as a sentence; nothing: one has.
std::optional<std::string> whyNoCode(llvm::StringRef code);

// "NAME=VALUE", as the command line has it. The error is a sentence.
tl::expected<NamedSetting, std::string> readSetting(llvm::StringRef text);

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
struct ProjectCache : Memory {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  llvm::StringMap<std::shared_ptr<const Project>> projects;
  std::shared_ptr<const Settings> base; // what `merged` was made from
  llvm::StringMap<std::shared_ptr<const Settings>> merged;
};

} // namespace gluond::driver
