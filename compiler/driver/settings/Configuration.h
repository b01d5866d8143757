// Settings by name: one table of what pyproject.toml's [tool.gluond], an editor and the command
// line may set. The table is also the documentation (docs/configuration.md is checked against it).
//
// The precedence, highest first, is: the editor or the command line (Settings::overrides), the
// nearest pyproject.toml above a file that has [tool.gluond], the defaults. Both spellings are
// read: inlayHints.types as in editors, inlay-hints.types as in TOML files.
#pragma once

#include "driver/settings/Settings.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <optional>
#include <variant>

namespace gluond::driver {

using SettingMember = std::variant<bool Settings::*, uint64_t Settings::*, std::string Settings::*,
                                   std::vector<std::string> Settings::*>;

// Who may set a setting. A pyproject.toml comes with the project, and opening a project must not
// run its programs, write where it likes or use as much time and memory as it likes. Settings with
// such effects are personal: only an editor's settings and the command line may set them.
enum class SettingKind : uint8_t {
  Taste,   // what is shown and how it is judged: anyone may set it
  Files,   // names files to read, inside the project: anyone may set it
  Place,   // names a program or a place to write to
  Command, // starts programs
  Budget,  // limits time, memory or disk
};

struct SettingRow {
  llvm::StringLiteral name; // "inlayHints.types"
  SettingMember member;     // has the setting's type
  llvm::StringLiteral documentation;
  SettingKind kind = SettingKind::Taste;
  uint64_t least = 0, most = UINT64_MAX; // for numbers
  bool isPersonal() const { return kind > SettingKind::Files; }
};
llvm::ArrayRef<SettingRow> settingRows();
// Finds a setting by name in either spelling; returns null if there is none.
const SettingRow* findSetting(llvm::StringRef name);
// Returns "boolean", "number", "string" or "list of strings".
llvm::StringRef typeName(const SettingRow& row);
// Returns the default value, as TOML writes it.
std::string defaultText(const SettingRow& row);

// The error is a sentence about the name or the type.
tl::expected<void, std::string> applySetting(Settings& settings, llvm::StringRef name,
                                             const SettingValue& value);

// Returns why there is no diagnostic with that code, as a sentence, or nullopt if there is one.
std::optional<std::string> whyNoCode(llvm::StringRef code);

// Parses "NAME=VALUE" from the command line. The error is a sentence.
tl::expected<NamedSetting, std::string> readSetting(llvm::StringRef text);

// The [tool.gluond] table of a pyproject.toml. Mistakes are listed in `problems`, each as a
// sentence with the name it is about and, for a misspelt one, the probable correction; the rest is
// used.
struct ProjectSettings {
  SettingValues values;
  struct Problem {
    text::Range place;
    std::string text;
    std::string meant = {}; // the probable correction; empty if there is none
  };
  std::vector<Problem> problems;
  bool isPresent = false; // whether there is such a table
};
ProjectSettings readProject(llvm::StringRef text);

constexpr llvm::StringLiteral projectFileName = "pyproject.toml";
bool isProjectFile(llvm::StringRef path);

} // namespace gluond::driver
