// Reads the [tool.gluond] tables of a pyproject.toml: as much of TOML as passing over the rest of
// the file safely takes (strings of all four kinds, arrays, comments, inline tables), and the
// values settings have (strings, integers, booleans, arrays of strings). Internal to driver/.
#pragma once

#include "driver/Configuration.h"

namespace gluond::driver {

class ProjectReader {
public:
  ProjectReader(llvm::StringRef text, ProjectSettings& project) : text_(text), project_(project) {}
  void run();

private:
  struct Value {
    std::optional<SettingValue> known; // nothing: of a kind that no setting has
    bool isSound = true;               // false: no TOML
  };
  void header();
  void assignment();
  Value value(unsigned depth = 0);
  Value array(unsigned depth);
  std::optional<std::string> string();
  std::optional<std::string> key(); // dotted, its parts joined with '.'

  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool atEnd() const { return at_ >= text_.size(); }
  void skipBlanks(); // within a line
  void skipSpace();  // line breaks and comments too
  void skipLine();
  text::Range since(size_t begin) const {
    return {static_cast<text::Offset>(begin), static_cast<text::Offset>(at_)};
  }

  llvm::StringRef text_;
  size_t at_ = 0;
  ProjectSettings& project_;
  std::optional<std::string> table_; // below tool.gluond: "" or "inlay-hints"; nothing: elsewhere
};

} // namespace gluond::driver
