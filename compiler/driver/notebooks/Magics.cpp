#include "driver/notebooks/Magics.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <array>

namespace gluond::driver {

namespace {

// Cell magics whose cell is Python that runs in the notebook's session.
constexpr std::array<llvm::StringLiteral, 6> pythonCells = {"capture", "debug", "gluon",
                                                            "prun",    "time",  "timeit"};

// The open strings and brackets at the end of a line: a statement begins only where there are none.
class Nesting {
public:
  bool isStatement() const { return depth_ == 0 && quote_.empty() && !isContinued_; }

  void read(llvm::StringRef line) {
    isContinued_ = false;
    while (!line.empty()) {
      if (!quote_.empty()) {
        inString(line);
      } else if (line.front() == '#') {
        return;
      } else if (line == "\\") {
        isContinued_ = true;
        return;
      } else if (line.starts_with("'''") || line.starts_with("\"\"\"")) {
        quote_ = line.take_front(3);
        line = line.drop_front(3);
      } else if (line.front() == '\'' || line.front() == '"') {
        quote_ = line.take_front(1);
        line = line.drop_front(1);
      } else {
        if (llvm::StringRef("([{").contains(line.front())) ++depth_;
        if (llvm::StringRef(")]}").contains(line.front())) depth_ = std::max(0, depth_ - 1);
        line = line.drop_front();
      }
    }
    // Only a backslash continues a string in single quotes.
    if (quote_.size() == 1 && !isContinued_) quote_ = {};
  }

private:
  void inString(llvm::StringRef& line) {
    if (line.consume_front("\\")) {
      isContinued_ = line.empty();
      line = line.drop_front(std::min<size_t>(1, line.size()));
    } else if (line.consume_front(quote_)) {
      quote_ = {};
    } else {
      line = line.drop_front();
    }
  }

  int depth_ = 0;
  llvm::StringRef quote_; // of the open string
  bool isContinued_ = false;
};

bool isHelp(llvm::StringRef statement) {
  if (statement.starts_with("?")) return true;
  llvm::StringRef name = statement.rtrim();
  if (!name.consume_back("?")) return false;
  name.consume_back("?");
  return !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_.*%[]").contains(c) || (c & 0x80);
  });
}

// For `a = !ls` and `a = %magic`: the text up to the value; empty for other statements.
llvm::StringRef targetOfMagic(llvm::StringRef statement) {
  size_t equals = statement.find('=');
  if (equals == llvm::StringRef::npos) return {};
  llvm::StringRef target = statement.take_front(equals);
  bool isTarget = llvm::all_of(target, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_., \t[]").contains(c) || (c & 0x80);
  });
  llvm::StringRef value = statement.drop_front(equals + 1).ltrim(" \t");
  // No expression of Python begins with these.
  return isTarget && (value.starts_with("!") || value.starts_with("%"))
             ? statement.take_front(equals + 1)
             : llvm::StringRef();
}

// The Python in the place of one statement, or nullopt if it is Python already.
std::optional<std::string> replacement(llvm::StringRef statement) {
  constexpr llvm::StringLiteral time = "%time ";
  // The same number of characters: the statement keeps its columns.
  if (statement.starts_with(time) && !statement.drop_front(time.size()).trim().empty())
    return "if 1: " + statement.drop_front(time.size()).str();
  if (statement.starts_with("%") || statement.starts_with("!") || isHelp(statement)) return "pass";
  if (llvm::StringRef target = targetOfMagic(statement); !target.empty())
    return target.str() + " get_ipython()";
  return std::nullopt;
}

} // namespace

std::string withoutMagics(llvm::StringRef cell) {
  std::string python;
  python.reserve(cell.size());
  Nesting nesting;
  bool isFirst = true;      // nothing but empty lines came before
  bool isOther = false;     // the cell is not Python
  bool isContinued = false; // the line before is a command that goes on
  while (!cell.empty()) {
    size_t end = cell.find_first_of("\r\n");
    llvm::StringRef line = cell.take_front(end);
    cell = cell.drop_front(line.size());
    llvm::StringRef lineEnd = cell.take_front(cell.starts_with("\r\n") ? 2 : cell.empty() ? 0 : 1);
    cell = cell.drop_front(lineEnd.size());

    llvm::StringRef statement = line.ltrim(" \t");
    llvm::StringRef indentation = line.drop_back(statement.size());
    if (isFirst && statement.starts_with("%%")) {
      llvm::StringRef name =
          statement.drop_front(2).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      isOther = !llvm::is_contained(pythonCells, name);
    } else if (isOther) {
      // left out
    } else if (isContinued) {
      isContinued = line.ends_with("\\");
    } else if (auto put = nesting.isStatement() ? replacement(statement) : std::nullopt) {
      python += indentation;
      python += *put;
      isContinued = line.ends_with("\\");
    } else {
      python += line;
      nesting.read(line);
    }
    if (!statement.empty()) isFirst = false;
    python += lineEnd;
  }
  return python;
}

std::string linesOfProgram(llvm::StringRef cell) {
  return withoutMagics(cell) + "\n";
}

} // namespace gluond::driver
