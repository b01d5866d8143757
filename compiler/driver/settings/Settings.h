// The values of all settings. Configuration.h has the table of their names.
#pragma once

#include "text/SourceText.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gluond::driver {

// A setting by name, as an editor, a pyproject.toml or the command line gives it (Configuration.h).
using SettingValue = std::variant<bool, uint64_t, std::string, std::vector<std::string>>;
struct NamedSetting {
  std::string name;
  SettingValue value;
  text::Range place = {}; // of its name in the file that contains it
};
using SettingValues = std::vector<NamedSetting>;

struct Settings {
  std::string target;                   // for launches that name none; "" for LikelyTarget.h
  std::string triton;                   // the release of Triton, "3.8"; "" for TritonRelease.h
  std::string pythonEnvironment;        // the folder of the selected Python environment; may be ""
  std::vector<std::string> environment; // "NAME=VALUE": what programs find in os.environ
  std::vector<std::string> constants;   // "module.NAME=VALUE": what names of modules are
  std::vector<std::string> moduleAliases; // "NAME=MODULE": other names that modules go by
  std::vector<std::string> roots;         // workspace folders, absolute
  std::vector<std::string> recordFiles;   // launch record files besides those found automatically
  bool useRecords = true;                 // whether to look for record files beside programs
  std::string documentation;        // path of the page that describes the diagnostics; may be empty
  std::vector<std::string> ignored; // slugs of warnings and hints to leave out everywhere
  std::vector<std::string> selected;      // slugs of all that is reported; empty for everything
  std::vector<std::string> excluded;      // shell patterns of files that are not looked for
  size_t maxFileBytes = size_t{16} << 20; // larger files are not read
  bool lints = true;                      // warn about code that compiles but is slow or racy
  bool plainPython = false;               // report on Python code that does not use Gluon
  bool besidePython = false;              // leave out what another Python server shows as well
  bool hintTypes = true, hintLayouts = true, hintValues = true, hintParameters = true,
       hintCosts = true;
  uint64_t evaluationSteps = 4'000'000; // expressions evaluated per file
  uint64_t evaluationMegabytes = 128;
  uint64_t analysisSeconds = 2; // CPU time that the analysis of a file may take (FileWork.h)
  uint64_t analysisMegabytes = 512;
  std::string cacheDirectory; // for compiled code (DiskCache.h); "" for the user's, "off" for none
  uint64_t cacheMegabytes = 512;
  std::vector<std::string> runnerCommands; // each starts a GPU process; empty for gluond-runner
  uint64_t runnerLimit = 10;               // seconds after which a kernel is taken to hang
  SettingValues overrides;                 // take precedence over a pyproject.toml
  // True if clients may not be the user (a web page): nothing outside the roots is read, in them
  // only programs and files that belong to them, and clients cannot change personal settings.
  bool isConfined = false;
};

} // namespace gluond::driver
