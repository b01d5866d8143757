#include "driver/settings/ProjectReader.h"

#include <llvm/ADT/STLExtras.h>

// toml++ asserts what only correct text has (a header `[=]` has not), and without assertions tells
// the compiler to assume it. It checks the same again where it matters.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64
#include <toml++/toml.h>

namespace gluond::driver {

namespace {

class Reader {
public:
  Reader(const text::SourceText& text, ProjectSettings& project) : text_(text), project_(project) {}

  void read(const toml::table& table, const std::string& prefix, std::optional<text::Range> above) {
    for (const auto& [key, node] : table) {
      text::Range own = rangeOf(key.source()), place = own;
      // `inlay-hints.types = true` is marked as a whole.
      if (above && above->end <= own.begin &&
          text_.slice({above->end, own.begin}).trim(" \t") == ".")
        place.begin = above->begin;
      std::string name = prefix + std::string(key.str());
      if (const toml::table* inner = node.as_table())
        read(*inner, name + ".", place);
      else if (auto value = valueOf(node))
        project_.values.push_back({name, std::move(*value), place});
      else
        project_.problems.push_back({place, "'" + name + "' has a value of the wrong type"});
    }
  }

  void tell(const toml::parse_error& error) {
    text::Offset at = offsetOf(error.source().begin);
    text::Offset end = std::min(at + 1, text_.size());
    project_.problems.push_back(
        {{at, end}, "this file is not valid TOML: " + std::string(error.description())});
  }

  // `[tool] gluond = 3`
  void tellNoTable(const toml::table& tools) {
    project_.problems.push_back(
        {rangeOf(tools.find("gluond")->first.source()), "'tool.gluond' must be a table"});
  }
  // Reports [tool.gluond], which would have no effect.
  void tellMisspelt(const toml::table& tools) {
    for (const auto& [key, node] : tools)
      if (llvm::StringRef(key.str()).edit_distance("gluond") == 1) {
        project_.isPresent = true;
        project_.problems.push_back(
            {rangeOf(key.source()),
             "unknown table 'tool." + std::string(key.str()) + "'; did you mean 'tool.gluond'?",
             "gluond"});
      }
  }

private:
  // Lines and columns begin at 1, and columns count characters.
  text::Offset offsetOf(toml::source_position position) const {
    return text_.offset({position.line - 1, position.column - 1}, text::Unit::CodePoint);
  }
  text::Range rangeOf(const toml::source_region& region) const {
    return {offsetOf(region.begin), offsetOf(region.end)};
  }

  // Nothing for a kind that no setting has: a float, a date, a negative number.
  static std::optional<SettingValue> valueOf(const toml::node& node) {
    if (auto* flag = node.as_boolean()) return SettingValue(flag->get());
    if (auto* text = node.as_string()) return SettingValue(text->get());
    if (auto* number = node.as_integer(); number && number->get() >= 0)
      return SettingValue(static_cast<uint64_t>(number->get()));
    const toml::array* array = node.as_array();
    if (!array) return std::nullopt;
    std::vector<std::string> texts;
    for (const toml::node& item : *array) {
      auto* text = item.as_string();
      if (!text) return std::nullopt;
      texts.push_back(text->get());
    }
    return SettingValue(std::move(texts));
  }

  const text::SourceText& text_;
  ProjectSettings& project_;
};

} // namespace

ProjectSettings readTables(llvm::StringRef given) {
  ProjectSettings project;
  text::SourceText text(given.str());
  Reader reader(text, project);
  toml::parse_result parsed = toml::parse(std::string_view(given));
  if (!parsed) {
    project.isPresent = given.contains("tool") && given.contains("gluond");
    if (project.isPresent) reader.tell(parsed.error());
    return project;
  }
  const toml::table* tools = parsed.table()["tool"].as_table();
  if (!tools) return project;
  const toml::node* node = tools->get("gluond");
  if (!node) {
    reader.tellMisspelt(*tools);
    return project;
  }
  project.isPresent = true;
  const toml::table* table = node->as_table();
  if (!table) {
    reader.tellNoTable(*tools);
    return project;
  }
  reader.read(*table, "", std::nullopt);
  llvm::sort(project.values, [](const NamedSetting& a, const NamedSetting& b) {
    return a.place.begin < b.place.begin;
  });
  return project;
}

} // namespace gluond::driver
