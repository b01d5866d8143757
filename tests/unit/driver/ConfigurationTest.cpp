#include "driver/settings/Configuration.h"

#include "driver/workspace/ProjectSettings.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Regex.h>

#include <fstream>
#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

std::string text(const SettingValue& value) {
  if (auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (auto* number = std::get_if<uint64_t>(&value)) return std::to_string(*number);
  if (auto* string = std::get_if<std::string>(&value)) return *string;
  std::string all;
  for (const std::string& each : std::get<std::vector<std::string>>(value))
    all += each + ";";
  return all;
}
size_t lineOf(llvm::StringRef toml, text::Range place) {
  return toml.take_front(place.begin).count('\n') + 1;
}
std::string values(llvm::StringRef toml) {
  std::string all;
  for (const NamedSetting& each : readProject(toml).values)
    all +=
        each.name + "=" + text(each.value) + "@" + std::to_string(lineOf(toml, each.place)) + " ";
  return all;
}
std::string problems(llvm::StringRef toml) {
  std::string all;
  for (const ProjectSettings::Problem& each : readProject(toml).problems)
    all += std::to_string(lineOf(toml, each.place)) + ": " + each.text + "\n";
  return all;
}

TEST(Configuration, tablesOfAProject) {
  EXPECT_EQ(values("[tool.gluond]\ntarget = \"cuda:100\"\nlints=false # why\n"),
            "target=cuda:100@2 lints=false@3 ");
  EXPECT_EQ(values("[tool.gluond.inlay-hints]\ntypes = false\n[other]\ntypes = true\n"),
            "inlay-hints.types=false@2 ");
  EXPECT_EQ(values("[tool . \"gluond\"]\ninlayHints.layouts = true\n"),
            "inlayHints.layouts=true@2 ");
  EXPECT_EQ(values("tool.gluond.target = 'hip:gfx942'\n"), "target=hip:gfx942@1 ");
  EXPECT_EQ(values("[tool.gluond]\nrecordFiles = [\n  'a', # one\n  "
                   "\"b\\u0041\",\n]\nuse-records = false\n"),
            "recordFiles=a;bA;@2 use-records=false@6 ");
  EXPECT_FALSE(readProject("[tool.ruff]\nline-length = 100\n").isPresent);
  EXPECT_TRUE(readProject("[tool.gluond]\n").isPresent);
}

TEST(Configuration, theRestOfTheFileIsPassedOver) {
  EXPECT_EQ(values("[project]\ntext = \"\"\"\n[tool.gluond]\ntarget = 'no'\n\"\"\"\nraw = "
                   "'''\n[tool.gluond]\n'''\n"
                   "when = 1979-05-27T07:32:00Z\nodds = [1.5, -2, {a = "
                   "[\"[tool.gluond]\"]}]\n[[tool.others]]\ntarget='x'\n"
                   "[tool.gluond]\ntarget = 'cuda:80'\n"),
            "target=cuda:80@14 ");
}

TEST(Configuration, mistakesAreToldAndTheRestIsRead) {
  EXPECT_EQ(problems("[tool.gluond]\ntarge = 'x'\ntarget = 5\nlints = \"no\"\nuseRecords = "
                     "1.5\nplainPython = true\n"),
            "2: unknown setting 'targe'; did you mean 'target'?\n3: 'target' takes a string\n"
            "4: 'lints' takes a boolean\n5: 'useRecords' has a value of the wrong type\n");
  EXPECT_EQ(values("[tool.gluond]\ntarge = 'x'\nplainPython = true\n"), "plainPython=true@3 ");
  EXPECT_EQ(problems("[tool.gluond]\ntarget = -1\n"),
            "2: 'target' has a value of the wrong type\n");
  for (const char* broken : {"[tool.gluond]\ntarget\n", "[tool.gluond]\ntarget = \"open\n",
                             "[tool.gluond]\ntarget = 'a'\ntarget = 'b'\n"}) {
    EXPECT_NE(problems(broken).find(": this file is not valid TOML: "), std::string::npos)
        << broken;
    EXPECT_EQ(values(broken), "") << broken;
  }
  EXPECT_EQ(problems("[tool.ruff\n"), "") << "is not ours";
  EXPECT_EQ(problems("[tool]\ngluond = 3\n"), "2: 'tool.gluond' must be a table\n");
  EXPECT_EQ(problems("[tool.gluon]\nlints = true\n"),
            "1: unknown table 'tool.gluon'; did you mean 'tool.gluond'?\n");
  EXPECT_EQ(problems("[tool.glue]\nlints = true\n"), "");
}

TEST(Configuration, aMisspeltNameIsMarkedWithWhatItMeans) {
  auto meant = [](llvm::StringRef toml) {
    std::string all;
    for (const ProjectSettings::Problem& each : readProject(toml).problems)
      all += toml.slice(each.place.begin, each.place.end).str() + " -> " + each.meant + "\n";
    return all;
  };
  EXPECT_EQ(meant("[tool.gluond]\n  lint = true\n"), "lint -> lints\n");
  EXPECT_EQ(meant("[tool.gluond.inlay-hints]\ntype = true\n"), "type -> types\n");
  EXPECT_EQ(meant("[tool.gluond]\ninlay-hint.layouts = true\n"),
            "inlay-hint.layouts -> inlayHints.layouts\n");
  EXPECT_EQ(meant("tool.gluond.use_record = true\n"), "use_record -> useRecords\n");
  EXPECT_EQ(meant("[tool.gluond]\nfavourite-colour = 'blue'\n"), "favourite-colour -> \n");
  EXPECT_EQ(meant("[tool.gluond.inlay-hint]\ntypes = true\n"), "types -> \n");
  EXPECT_EQ(problems("[tool.gluond.inlay-hint]\ntypes = true\n"),
            "2: unknown setting 'inlay-hint.types'; did you mean 'inlayHints.types'?\n");
  EXPECT_EQ(problems("[tool.gluond]\nignored = [\"bank-conflct\", \"uncoalesced\"]\n"),
            "2: unknown diagnostic 'bank-conflct'; did you mean 'bank-conflict'?\n");
}

// The table says of each setting whose word it is; what it does is seen from what it holds.
TEST(Configuration, placesCommandsAndBudgetsArePersonal) {
  for (const SettingRow& row : settingRows()) {
    bool isNumber = std::holds_alternative<uint64_t Settings::*>(row.member);
    llvm::StringRef name = row.name;
    bool namesAPlace =
        name.ends_with("directory") || name.ends_with("path") || name.ends_with("command");
    if (name == "recordFiles") namesAPlace = false; // read in the workspace only
    if (isNumber || namesAPlace) EXPECT_TRUE(row.isPersonal()) << name.str();
    std::string value = name == "target"          ? "'cuda:90'"
                        : name == "triton"        ? "'3.8'"
                        : name == "constants"     ? "['x.Y=1']"
                        : name == "moduleAliases" ? "['x=y']"
                        : isNumber                ? std::to_string(row.least + 1)
                        : std::holds_alternative<std::string Settings::*>(row.member) ? "'x'"
                        : std::holds_alternative<bool Settings::*>(row.member)        ? "true"
                                                                                      : "['x']";
    ProjectSettings read = readProject("[tool.gluond]\n" + name.str() + " = " + value + "\n");
    EXPECT_EQ(read.values.empty(), row.isPersonal()) << name.str();
    bool isTold = !read.problems.empty() &&
                  llvm::StringRef(read.problems[0].text).contains("personal setting");
    EXPECT_EQ(isTold, row.isPersonal()) << name.str();
  }
}

TEST(Configuration, numbersHaveLimits) {
  Settings settings;
  EXPECT_TRUE(applySetting(settings, "runner.timeLimit", uint64_t{7}));
  auto applied = applySetting(settings, "runner.timeLimit", UINT64_MAX);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error(), "'runner.timeLimit' must be a number from 1 to 86400");
  EXPECT_EQ(settings.runnerLimit, 86400u);
}

TEST(Configuration, anyTextIsSurvived) {
  const std::string sample =
      "[tool.gluond]\nrecordFiles = [\"a\", '''b''', {c = [1, \"\\U0001F600\"]}]\ntarget = \"x\"\n";
  for (size_t length = 0; length <= sample.size(); ++length) {
    readProject(llvm::StringRef(sample).take_front(length));
    readProject(llvm::StringRef(sample).drop_front(length));
  }
  readProject(std::string(100000, '['));
  readProject("[tool.gluond]\ntarget = " + std::string(100000, '['));
  readProject("[tool.gluond]\ntarget = " + std::string(100000, '{'));
  readProject(std::string("\0\xff\xfe[tool.gluond]\n\0=\0", 20));
}

TEST(Configuration, everySettingIsDocumentedAndInTheExtension) {
  auto textOf = [](const std::string& path) {
    std::ifstream file(GLUOND_SOURCE_DIR + path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  std::string page = textOf("/docs/configuration.md"),
              extension = textOf("/vscode-extension/package.json");
  for (const SettingRow& row : settingRows()) {
    std::string line = "| `" + row.name.str() + "` | " + typeName(row).str() + " | `" +
                       defaultText(row) + "` | " + row.documentation.str() + " |";
    EXPECT_NE(page.find(line), std::string::npos) << "docs/configuration.md lacks\n" << line;
    EXPECT_NE(extension.find("\"gluond." + row.name.str() + "\""), std::string::npos)
        << "vscode-extension/package.json lacks gluond." << row.name.str();
  }
  // And the other way round: what they name is a setting, or one of the extension's own.
  auto isSetting = [](llvm::StringRef name) {
    return llvm::any_of(settingRows(), [&](const SettingRow& row) { return row.name == name; });
  };
  auto namesIn = [](const std::string& text, const char* pattern) {
    std::vector<std::string> names;
    llvm::Regex regex(pattern);
    llvm::SmallVector<llvm::StringRef, 2> found;
    for (llvm::StringRef line : llvm::split(text, '\n'))
      if (regex.match(line, &found)) names.push_back(found[1].str());
    return names;
  };
  for (const std::string& name :
       namesIn(page, "^\\| `([A-Za-z.]+)` \\| (string|boolean|number|list of strings) \\|"))
    EXPECT_TRUE(isSetting(name)) << "docs/configuration.md has " << name << ", which is no setting";
  for (const std::string& name : namesIn(extension, "^ +\"gluond\\.([A-Za-z.]+)\": \\{$")) {
    bool isOwn = llvm::StringRef(name).starts_with("panels.") ||
                 llvm::StringRef(name).starts_with("server.") || name == "trace.server";
    EXPECT_TRUE(isSetting(name) || isOwn)
        << "vscode-extension/package.json has gluond." << name << ", which is no setting";
  }
}

// What a project's file may cost does not grow with it.
TEST(ProjectFile, hasLimits) {
  std::string tables, keys = "[tool]\ngluond = { ";
  while (tables.size() < size_t{600} << 10)
    tables += "[[a]]\n[[a.b]]\n[a.b.c]\nd = 1\n";
  ProjectSettings large = readProject(tables);
  ASSERT_EQ(large.problems.size(), 1u);
  EXPECT_EQ(large.problems[0].text, "this file is larger than 512 KB: it is not read");
  for (int i = 0; i < 40'000; ++i)
    keys += "k" + std::to_string(i) + " = 1, ";
  ProjectSettings many = readProject(keys + "last = 1 }\n");
  EXPECT_LE(many.problems.size(), 1000u);
  EXPECT_GE(many.problems.size(), 100u);
}

} // namespace
} // namespace gluond::driver
