#include "driver/settings/Configuration.h"

#include "codegen/suggestions/Suggest.h"
#include "codegen/targets/TargetNames.h"
#include "diagnostics/Table.h"
#include "driver/settings/ProjectReader.h"
#include "evaluate/interpreter/ProgramEnvironment.h"
#include "files/GitIgnore.h"
#include "releases/Release.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

llvm::ArrayRef<SettingRow> settingRows() {
  static const SettingRow rows[] = {
      {"target", &Settings::target,
       "The target of launches that do not name one, such as `cuda:90` or `hip:gfx942`. If empty, "
       "the file's imports decide, `cuda:100` for Blackwell modules and `hip:gfx942` for CDNA 3 "
       "modules, and its path, `hip:gfx950` for `gfx950/mla.py`; else it is `cuda:90`."},
      {"triton", &Settings::triton,
       "The release of Triton for which the programs are written: `3.6`, `3.7`, `3.8` or `3.9`. If "
       "empty: the one that is installed in the selected Python environment, else the newest one "
       "that the requirements of the project allow, else `3.9`."},
      {"python.environment", &Settings::pythonEnvironment,
       "The folder of the Python environment in which the programs run, as an absolute path. Only "
       "the version of its Triton is read. If empty: `$VIRTUAL_ENV`, else `$CONDA_PREFIX`.",
       SettingKind::Place},
      {"environmentVariables", &Settings::environment,
       "Variables that the programs find in `os.environ`, as `NAME=VALUE`. All others are unknown: "
       "gluond does not read its own environment for them."},
      {"constants", &Settings::constants,
       "Values of module-level names that gluond cannot determine, or that it should not use, as "
       "`package.module.NAME=VALUE`. The value is a number, a string in quotes, `True`, `False` or "
       "`None`. The module may be a file of the project, whose first packages may be left out, or "
       "one that is not found."},
      {"moduleAliases", &Settings::moduleAliases,
       "Modules that programs import by another name, as `NAME=MODULE`: "
       "`vendored.triton=triton`. A package whose `experimental.gluon` is imported is taken for a "
       "copy of Triton if it is not found."},
      {"lints", &Settings::lints,
       "Report code that compiles but is slow, racy or wasteful. Errors are always reported."},
      {"ignored", &Settings::ignored,
       "Codes of warnings and hints that are never reported, such as `bank-conflict`. `ignore` is "
       "another spelling."},
      {"select", &Settings::selected,
       "Codes of the diagnostics that are reported. If not empty, no other diagnostic is reported, "
       "errors included."},
      {"exclude", &Settings::excluded,
       "Shell patterns of files and folders that `gluond check FOLDER` skips in addition to those "
       "that git ignores, such as `generated/**` or `*_pb2.py`. They are relative to the folder of "
       "the pyproject.toml."},
      {"useRecords", &Settings::useRecords, "Read the launch records that lie beside programs."},
      {"recordFiles", &Settings::recordFiles,
       "Additional files with launch records, inside the workspace. Paths are relative to the file "
       "that contains the setting.",
       SettingKind::Files},
      {"plainPython", &Settings::plainPython,
       "Offer hover, completion and diagnostics for Python code without Gluon, too. For editors "
       "without another Python server."},
      {"besidePython", &Settings::besidePython,
       "Leave the outline and the completion of local names to another Python server (Pylance, "
       "Pyright), so that they are not shown twice."},
      {"inlayHints.types", &Settings::hintTypes, "Show the type of each assigned name in kernels."},
      {"inlayHints.layouts", &Settings::hintLayouts,
       "Show a short form of the layout after these types."},
      {"inlayHints.values", &Settings::hintValues,
       "Show the values of computed constants in kernels."},
      {"inlayHints.parameters", &Settings::hintParameters,
       "Show the type or value that each kernel parameter has in the selected specialization."},
      {"inlayHints.costs", &Settings::hintCosts,
       "Show the cost of an access or a conversion at the end of each line that has a warning "
       "about it."},
      {"evaluation.steps", &Settings::evaluationSteps,
       "The maximum number of expressions that gluond evaluates per file to find its constants and "
       "launches.",
       SettingKind::Budget, 1000, uint64_t{1} << 40},
      {"evaluation.memory", &Settings::evaluationMegabytes,
       "The maximum memory for the objects that gluond makes when it evaluates a file, in MiB.",
       SettingKind::Budget, 1, 16384},
      {"analysis.seconds", &Settings::analysisSeconds,
       "The maximum CPU time for the analysis of a file, in seconds. gluond then stops and reports "
       "where. `gluond check` allows 10.",
       SettingKind::Budget, 1, 3600},
      {"analysis.memory", &Settings::analysisMegabytes,
       "The maximum memory for the analysis of a file, in MiB. gluond then stops and reports "
       "where. `gluond check` allows 2048.",
       SettingKind::Budget, 16, 65536},
      {"cache.directory", &Settings::cacheDirectory,
       "The folder for compiled code, as an absolute path, or `off` for none. If empty: `gluond` "
       "in `$XDG_CACHE_HOME` or in `~/.cache`. The environment variable `GLUOND_CACHE_DIR` takes "
       "precedence.",
       SettingKind::Place},
      {"cache.megabytes", &Settings::cacheMegabytes,
       "The maximum size of the folder for compiled code, in MiB. The entries that were used "
       "longest ago are "
       "removed first.",
       SettingKind::Budget, 1, 1 << 24},
      {"runner.command", &Settings::runnerCommands,
       "Commands that start GPU processes, such as `ssh box gluond-runner`. If empty, gluond "
       "starts the `gluond-runner` beside `gluond` or on the `PATH`. Several runners share the "
       "launches of a benchmark.",
       SettingKind::Command},
      {"runner.timeLimit", &Settings::runnerLimit,
       "Stop a kernel that still runs after this many seconds, and report that it hangs.",
       SettingKind::Budget, 1, 86400},
  };
  return rows;
}

llvm::StringRef typeName(const SettingRow& row) {
  static constexpr llvm::StringLiteral names[] = {"boolean", "number", "string", "list of strings"};
  return names[row.member.index()];
}

std::string defaultText(const SettingRow& row) {
  Settings fresh;
  auto quoted = [](llvm::StringRef text) { return "\"" + text.str() + "\""; };
  if (auto* member = std::get_if<bool Settings::*>(&row.member))
    return fresh.*(*member) ? "true" : "false";
  if (auto* member = std::get_if<uint64_t Settings::*>(&row.member))
    return std::to_string(fresh.*(*member));
  if (auto* member = std::get_if<std::string Settings::*>(&row.member))
    return quoted(fresh.*(*member));
  std::string text = "[";
  for (const std::string& each : fresh.*std::get<std::vector<std::string> Settings::*>(row.member))
    text += (text.size() > 1 ? ", " : "") + quoted(each);
  return text + "]";
}

// inlay-hints.types and inlayHints.types are one name.
static std::string squeezed(llvm::StringRef name) {
  std::string text;
  for (char c : name)
    if (c != '-' && c != '_') text += llvm::toLower(c);
  return text == "ignore" ? "ignored" : text; // as other linters spell it
}

tl::expected<void, std::string> applySetting(Settings& settings, llvm::StringRef name,
                                             const SettingValue& value) {
  std::string wanted = squeezed(name);
  for (const SettingRow& row : settingRows()) {
    if (squeezed(row.name) != wanted) continue;
    auto* target = std::get_if<std::string>(&value);
    if (wanted == "target" && target && !target->empty())
      if (auto why = codegen::whyNoTarget(*target)) return tl::unexpected(*why);
    if (wanted == "triton" && target && !target->empty() && !releases::parse(*target)) {
      std::string known;
      for (releases::Release each : releases::all())
        known += (known.empty() ? "" : ", ") + releases::name(each).str();
      return tl::unexpected("gluond does not know Triton '" + *target + "'; it knows " + known);
    }
    if (auto* lines = std::get_if<std::vector<std::string>>(&value))
      for (const std::string& line : *lines) {
        if (wanted == "constants" && !evaluate::readConstant(line))
          return tl::unexpected("'" + line + "' is not a constant such as module.NAME=64 or " +
                                "module.NAME=\"text\"");
        if (wanted == "modulealiases" && !evaluate::readAlias(line))
          return tl::unexpected("'" + line + "' is not an alias such as vendored.triton=triton");
        if (wanted == "exclude")
          if (auto why = files::whyNoGlob(line)) return tl::unexpected(*why);
      }
    bool fits = std::visit(
        [&](auto member) {
          using Type = std::remove_cvref_t<decltype(settings.*member)>;
          auto* typed = std::get_if<Type>(&value);
          if (typed) settings.*member = *typed;
          return typed != nullptr;
        },
        row.member);
    auto* number = std::get_if<uint64_t>(&value);
    if (fits && number && (*number < row.least || *number > row.most)) {
      settings.*std::get<uint64_t Settings::*>(row.member) =
          std::clamp(*number, row.least, row.most);
      return tl::unexpected("'" + name.str() + "' must be a number from " +
                            std::to_string(row.least) + " to " + std::to_string(row.most));
    }
    if (fits) return {};
    return tl::unexpected("'" + name.str() + "' takes a " + typeName(row).str());
  }
  return tl::unexpected("unknown setting '" + name.str() + "'");
}

// Returns the setting closest to a misspelt name, or null if none is close.
static const SettingRow* meantBy(llvm::StringRef name) {
  std::string wanted = squeezed(name);
  codegen::Nearest nearest(wanted);
  std::vector<std::string> known;
  for (const SettingRow& row : settingRows())
    known.push_back(squeezed(row.name));
  for (const std::string& each : known)
    nearest.offer(each);
  return nearest.name().empty() ? nullptr : findSetting(nearest.name());
}

std::optional<std::string> whyNoCode(llvm::StringRef code) {
  if (diagnostics::idOf(code)) return std::nullopt;
  codegen::Nearest nearest(code);
  for (const diagnostics::Row& row : diagnostics::table())
    nearest.offer(row.slug);
  return "unknown diagnostic '" + code.str() + "'" +
         (nearest.name().empty() ? "" : "; did you mean '" + nearest.name().str() + "'?");
}

// Returns why one of the codes in a setting's list does not exist.
static std::optional<std::string> whyNoCodes(const NamedSetting& setting) {
  auto* codes = std::get_if<std::vector<std::string>>(&setting.value);
  std::string name = squeezed(setting.name);
  if (!codes || (name != "ignored" && name != "select")) return std::nullopt;
  for (const std::string& code : *codes)
    if (auto why = whyNoCode(code)) return why;
  return std::nullopt;
}

tl::expected<NamedSetting, std::string> readSetting(llvm::StringRef text) {
  auto [name, value] = text.split('=');
  name = name.trim();
  value = value.trim();
  const SettingRow* row = findSetting(name);
  if (!row) {
    const SettingRow* meant = meantBy(name);
    std::string advice = meant ? "; did you mean '" + meant->name.str() + "'?" : "; choose one of ";
    for (const SettingRow& each : settingRows())
      if (!meant) advice += (&each == settingRows().begin() ? "" : ", ") + each.name.str();
    return tl::unexpected("unknown setting '" + name.str() + "'" + advice);
  }
  if (!text.contains('='))
    return tl::unexpected("'" + row->name.str() + "' has no value: write " + row->name.str() +
                          "=VALUE");
  NamedSetting setting{row->name.str(), std::string(value)};
  uint64_t number = 0;
  if (std::holds_alternative<bool Settings::*>(row->member) &&
      (value == "true" || value == "false"))
    setting.value = value == "true";
  else if (std::holds_alternative<uint64_t Settings::*>(row->member) &&
           !value.getAsInteger(10, number))
    setting.value = number;
  else if (std::holds_alternative<std::vector<std::string> Settings::*>(row->member) &&
           value.starts_with("[") && value.ends_with("]"))
    return tl::unexpected("'" + row->name.str() +
                          "' is a list, whose entries are written without " +
                          "brackets, each with a --set of its own: --set " + row->name.str() +
                          "=FIRST --set " + row->name.str() + "=SECOND");
  else if (std::holds_alternative<std::vector<std::string> Settings::*>(row->member))
    setting.value = value.empty() ? std::vector<std::string>() : std::vector{value.str()};
  Settings scratch;
  if (auto applied = applySetting(scratch, row->name, setting.value); !applied)
    return tl::unexpected(applied.error());
  if (auto why = whyNoCodes(setting)) return tl::unexpected(*why);
  return setting;
}

const SettingRow* findSetting(llvm::StringRef name) {
  const auto* row = llvm::find_if(settingRows(), [wanted = squeezed(name)](const SettingRow& each) {
    return squeezed(each.name) == wanted;
  });
  return row == settingRows().end() ? nullptr : row;
}

namespace {

// Returns how to write a setting in place of a misspelt name, of which `written` is the part there
// and the rest is in the header of its table; "" if it belongs in another table.
std::string writtenHere(const SettingRow& row, llvm::StringRef name, llvm::StringRef written) {
  llvm::StringRef meant = row.name;
  for (size_t tables = name.count('.') - std::min(name.count('.'), written.count('.')); tables;
       --tables) {
    auto [table, rest] = name.split('.');
    auto [other, after] = meant.split('.');
    if (squeezed(table) != squeezed(other) || after.empty()) return "";
    name = rest;
    meant = after;
  }
  return meant.str();
}

} // namespace

ProjectSettings readProject(llvm::StringRef text) {
  ProjectSettings project = readTables(text);
  // Reports wrong names and types once, in the file itself, rather than at every use.
  Settings scratch;
  llvm::erase_if(project.values, [&](const NamedSetting& each) {
    const SettingRow* row = findSetting(each.name);
    if (!row) {
      llvm::StringRef written = text.slice(each.place.begin, each.place.end);
      const SettingRow* meant = meantBy(each.name);
      std::string here = meant ? writtenHere(*meant, each.name, written) : "";
      std::string better = here.empty() && meant ? meant->name.str() : here;
      project.problems.push_back({each.place,
                                  "unknown setting '" + each.name + "'" +
                                      (better.empty() ? "" : "; did you mean '" + better + "'?"),
                                  here});
      return true;
    }
    auto applied = applySetting(scratch, each.name, each.value);
    if (!applied) project.problems.push_back({each.place, applied.error()});
    if (row->isPersonal())
      project.problems.push_back(
          {each.place, "'" + each.name +
                           "' is a personal setting, which a project cannot set: set it in your "
                           "editor's settings, or with --set on the command line"});
    if (auto why = whyNoCodes(each)) project.problems.push_back({each.place, *why});
    return !applied || row->isPersonal();
  });
  llvm::sort(project.problems, [](const auto& a, const auto& b) {
    return std::pair(a.place.begin, a.place.end) < std::pair(b.place.begin, b.place.end);
  });
  return project;
}

bool isProjectFile(llvm::StringRef path) {
  return path::filename(path) == projectFileName;
}

} // namespace gluond::driver
