#include "driver/notebooks/Magics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace gluond::driver {

namespace {

// Cell magics whose cell is Python that runs in the notebook's session.
constexpr llvm::StringLiteral pythonCells[] = {"capture", "debug", "gluon",
                                               "prun",    "time",  "timeit"};

// Cell magics that define no names, whatever is in the cell.
constexpr llvm::StringLiteral quietCells[] = {"HTML",  "SVG",      "html", "javascript", "js",
                                              "latex", "markdown", "svg",  "writefile"};
// The same, if they have no options, which may keep the output under a name.
constexpr llvm::StringLiteral scriptCells[] = {"!",      "bash",    "perl",    "pypy",
                                               "python", "python2", "python3", "ruby",
                                               "script", "sh",      "system",  "sx"};
// Line magics that define no names: those of IPython but %load, %loadpy, %macro, %pylab, %run, %sc
// and %store, and common ones of other packages.
constexpr llvm::StringLiteral quietMagics[] = {"alias",
                                               "alias_magic",
                                               "autoawait",
                                               "autocall",
                                               "autoindent",
                                               "autoreload",
                                               "automagic",
                                               "autosave",
                                               "bookmark",
                                               "cat",
                                               "cd",
                                               "clear",
                                               "cls",
                                               "code_wrap",
                                               "colors",
                                               "conda",
                                               "config",
                                               "connect_info",
                                               "cp",
                                               "debug",
                                               "dhist",
                                               "dirs",
                                               "doctest_mode",
                                               "env",
                                               "gluond",
                                               "gui",
                                               "hist",
                                               "history",
                                               "killbgscripts",
                                               "ldir",
                                               "less",
                                               "lf",
                                               "lk",
                                               "ll",
                                               "load_ext",
                                               "logoff",
                                               "logon",
                                               "logstart",
                                               "logstate",
                                               "logstop",
                                               "lprun",
                                               "ls",
                                               "lsmagic",
                                               "lx",
                                               "magic",
                                               "mamba",
                                               "man",
                                               "matplotlib",
                                               "memit",
                                               "micromamba",
                                               "mkdir",
                                               "more",
                                               "mprun",
                                               "mv",
                                               "notebook",
                                               "page",
                                               "pastebin",
                                               "pdb",
                                               "pdef",
                                               "pdoc",
                                               "pfile",
                                               "pinfo",
                                               "pinfo2",
                                               "pip",
                                               "popd",
                                               "pprint",
                                               "precision",
                                               "prun",
                                               "psearch",
                                               "psource",
                                               "pushd",
                                               "pwd",
                                               "pycat",
                                               "quickref",
                                               "recall",
                                               "rehashx",
                                               "reload_ext",
                                               "rep",
                                               "rerun",
                                               "reset",
                                               "reset_selective",
                                               "rm",
                                               "rmdir",
                                               "set_env",
                                               "shell",
                                               "sx",
                                               "system",
                                               "tb",
                                               "tensorboard",
                                               "time",
                                               "timeit",
                                               "unalias",
                                               "unload_ext",
                                               "uv",
                                               "watermark",
                                               "who",
                                               "who_ls",
                                               "whos",
                                               "xdel",
                                               "xmode"};
// What other magics become: they may define any name.
constexpr llvm::StringLiteral bindsAnything = "globals().update(get_ipython())";

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

// `/f x` calls f(x), `,f a b` calls f("a", "b"), and `;f a b` calls f("a b").
bool isAutomaticCall(llvm::StringRef statement) {
  return statement.size() > 1 && llvm::StringRef("/,;").contains(statement.front()) &&
         (llvm::isAlpha(statement[1]) || statement[1] == '_');
}

llvm::StringRef nameOf(llvm::StringRef magic) {
  return magic.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

// Line magics that run the statement after their options, and the options that take a value.
struct Runner {
  llvm::StringLiteral name, valued;
};
constexpr Runner runners[] = {{"time", ""},     {"timeit", "nrp"}, {"prun", "lsTD"},
                              {"memit", "rti"}, {"mprun", "fTc"},  {"lprun", "fmDTuz"}};

// The statement that a magic (without its `%`) runs; empty if it runs none.
llvm::StringRef statementOf(llvm::StringRef magic) {
  const auto* row =
      llvm::find_if(runners, [&](const Runner& each) { return each.name == nameOf(magic); });
  if (row == std::end(runners)) return {};
  llvm::StringRef rest = magic.drop_front(row->name.size());
  if (!rest.starts_with(" ") && !rest.starts_with("\t")) return {};
  rest = rest.ltrim(" \t");
  auto skipWord = [&] {
    rest = rest.drop_while([](char c) { return c != ' ' && c != '\t'; }).ltrim(" \t");
  };
  while (rest.size() > 1 && rest.front() == '-' && llvm::isAlpha(rest[1])) {
    bool hasValue = llvm::StringRef(row->valued).contains(rest[1]) &&
                    (rest.size() == 2 || rest[2] == ' ' || rest[2] == '\t');
    skipWord();
    if (hasValue) skipWord();
  }
  return rest;
}

// Whether a statement gives a name a value: those that magics but %time run have names of their
// own.
bool isAssignment(llvm::StringRef statement) {
  for (size_t at = statement.find('='); at != llvm::StringRef::npos;
       at = statement.find('=', at + 1)) {
    llvm::StringRef before = statement.take_front(at), after = statement.drop_front(at + 1);
    if (after.starts_with("=")) {
      ++at;
      continue;
    }
    if (before.ends_with("!") || before.ends_with("<") || before.ends_with(">")) continue;
    if (before.count('(') == before.count(')') && before.count('[') == before.count(']'))
      return true;
  }
  return false;
}

// What a magic runs, in the same columns after `head`; nullopt if it runs nothing.
std::optional<std::string> runBy(llvm::StringRef magic, llvm::StringRef whole, llvm::StringRef head,
                                 llvm::StringRef tail) {
  llvm::StringRef run = statementOf(magic);
  if (run.trim().empty() || (nameOf(magic) != "time" && isAssignment(run))) return std::nullopt;
  size_t columns = static_cast<size_t>(run.data() - whole.data());
  if (columns < head.size() + tail.size()) return std::nullopt;
  return head.str() + std::string(columns - head.size() - tail.size(), ' ') + tail.str() +
         run.str();
}

// The Python in the place of one statement, or nullopt if it is Python already.
std::optional<std::string> replacement(llvm::StringRef statement) {
  if (statement.starts_with("%"))
    if (auto run = runBy(statement.drop_front(), statement, "if", " 1: ")) return run;
  if (statement.consume_front("%"))
    return llvm::is_contained(quietMagics, nameOf(statement)) ? "pass" : bindsAnything.str();
  if (statement.starts_with("!") || isHelp(statement) || isAutomaticCall(statement)) return "pass";
  if (llvm::StringRef target = targetOfMagic(statement); !target.empty()) {
    llvm::StringRef value = statement.drop_front(target.size()).ltrim(" \t");
    if (value.consume_front("%")) // `_`, the last output, is unknown
      if (auto run = runBy(value, statement, (target + " _").str(), "; ")) return run;
    return target.str() + " get_ipython()";
  }
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
      llvm::StringRef name = nameOf(statement.drop_front(2));
      isOther = !llvm::is_contained(pythonCells, name);
      bool isQuiet = llvm::is_contained(quietCells, name) ||
                     (llvm::is_contained(scriptCells, name) && !statement.contains(" --")) ||
                     (!isOther && name != "capture") || name.empty();
      if (!isQuiet) python += bindsAnything;
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
