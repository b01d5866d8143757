#include "syntax/recovery/BrokenLine.h"

#include "syntax/parser/Keywords.h"
#include "syntax/recovery/LogicOfC.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::syntax {

using diagnostics::FixId;
using diagnostics::Id;
using text::Offset;
using text::Range;

constexpr unsigned threadsOfWarp = 32; // of CUDA, whose launches these are

// Text of other languages: `if x = 1`, `a && b`, `a =< b`, `i++`, `int n = 1`, comments of C.
static void offerPython(diagnostics::InFlight told, llvm::StringRef text, const LogicalLine& line) {
  size_t type = lengthOfForeignType(text);
  if (type) {
    std::string rest = text.drop_front(type).str();
    told.fix(FixId::TryText, {{{line.begin, line.begin + static_cast<Offset>(type)}, ""}}, rest);
    return;
  }
  llvm::StringRef bare = text.rtrim(" ;");
  if (std::string meant = pythonStep(bare); !meant.empty()) {
    told.fix(FixId::TryText, {{{line.begin, line.end}, meant}}, meant);
    return;
  }
  if (std::string loop = line.lead == Lead::For ? pythonLoop(text) : ""; !loop.empty()) {
    told.fix(FixId::TryText, {{{line.begin, line.end}, loop}}, loop);
    return;
  }
  if (text.starts_with("else if ") || text.starts_with("elseif ")) {
    auto end = line.begin + static_cast<Offset>(text.find("if ") + 2);
    told.fix(FixId::TryText, {{{line.begin, end}, "elif"}}, "elif");
    return;
  }
  // kernel<<<grid, threads>>>(..) of CUDA: kernel[grid](..)
  if (size_t open = text.find("<<<"), close = text.find(">>>(", open);
      close != llvm::StringRef::npos) {
    llvm::StringRef inside = text.slice(open + 3, close);
    int depth = 0;
    size_t comma = 0;
    for (; comma < inside.size() && (depth || inside[comma] != ','); ++comma)
      depth += llvm::StringRef("([{").contains(inside[comma])
                   ? 1
                   : -int(llvm::StringRef(")]}").contains(inside[comma]));
    // A number is no grid; the second number is that of threads, which are warps here.
    llvm::StringRef programs = inside.take_front(comma).trim();
    bool isNumber = !programs.empty() && llvm::isDigit(programs.front());
    std::string grid = isNumber ? ("[(" + programs + ", )]").str() : ("[" + programs + "]").str();
    auto begin = static_cast<Offset>(line.begin + open);
    std::vector<text::Edit> edits{{{begin, begin + static_cast<Offset>(close + 3 - open)}, grid}};
    unsigned threads = 0;
    std::string rest = "(...)";
    if (!inside.drop_front(comma).ltrim(", ").rtrim().getAsInteger(10, threads) &&
        threads % threadsOfWarp == 0 && threads && bare.ends_with(")")) {
      std::string warps = ", num_warps=" + std::to_string(threads / threadsOfWarp);
      auto end = static_cast<Offset>(line.begin + bare.size() - 1);
      edits.push_back({{end, end}, warps});
      rest = "(..." + warps + ")";
    }
    told.fix(FixId::TryText, std::move(edits), text.take_front(open).str() + grid + rest);
    return;
  }
  bool isCondition = line.lead == Lead::If || line.lead == Lead::Elif || line.lead == Lead::While;
  if (auto logic = pythonLogic(text, isCondition)) {
    Range range{line.begin + static_cast<Offset>(logic->begin),
                line.begin + static_cast<Offset>(logic->end)};
    told.fix(FixId::TryText, {{range, logic->text}}, logic->text);
    return;
  }
  if (text.find_first_of("'\"#") != llvm::StringRef::npos && !text.contains(" = ")) return;
  struct Row {
    llvm::StringLiteral written, meant;
    bool isCondition;
  };
  static constexpr Row rows[] = {{" = ", " == ", true},
                                 {" =< ", " <= ", false},
                                 {" => ", " >= ", false},
                                 {" <> ", " != ", false},
                                 {" // ", " # ", false}};
  for (const Row& row : rows) {
    size_t at = text.find(row.written);
    if (at == llvm::StringRef::npos || row.isCondition != isCondition ||
        text.find(row.written, at + 1) != llvm::StringRef::npos ||
        (row.isCondition && text.take_front(at).find_first_of("('\"#") != llvm::StringRef::npos))
      continue;
    auto begin = static_cast<Offset>(line.begin + at + 1);
    Range range{begin, begin + static_cast<Offset>(row.written.size() - 2)};
    llvm::StringRef meant = llvm::StringRef(row.meant).trim();
    told.fix(FixId::TryText, {{range, meant.str()}}, meant);
    return;
  }
}

// Characters that only look like Python's, as word processors and other keyboards write them.
struct LookAlike {
  llvm::StringLiteral written;
  char meant;
};
static constexpr LookAlike lookAlikes[] = {
    {"\u201c", '"'}, {"\u201d", '"'}, {"\u201e", '"'}, {"\u2018", '\''}, {"\u2019", '\''},
    {"\uff0c", ','}, {"\uff1a", ':'}, {"\uff1b", ';'}, {"\uff08", '('},  {"\uff09", ')'},
    {"\uff3b", '['}, {"\uff3d", ']'}, {"\uff1d", '='}, {"\uff0b", '+'},  {"\uff0d", '-'},
    {"\u2212", '-'}, {"\u2013", '-'}, {"\u00d7", '*'}, {"\uff0e", '.'},  {"\u3002", '.'}};

// Offers Python's characters for all of these in a line, strings and comments excluded.
static void offerAscii(diagnostics::InFlight told, llvm::StringRef text, const LogicalLine& line) {
  std::vector<text::Edit> edits;
  std::string meant;
  char quote = 0;             // of the string that this is in
  bool isTypographic = false; // which begins with a character of the table
  for (Offset at = line.begin; at < line.end;) {
    llvm::StringRef rest = text.slice(at, line.end);
    if (!quote && rest.front() == '#') break;
    auto* found = llvm::find_if(
        lookAlikes, [&](const LookAlike& each) { return rest.starts_with(each.written); });
    bool isQuote = found != std::end(lookAlikes) && (found->meant == '"' || found->meant == '\'');
    bool isMeant = found != std::end(lookAlikes) &&
                   (!quote || (isTypographic && isQuote && found->meant == quote));
    if (isMeant) {
      auto end = at + static_cast<Offset>(found->written.size());
      edits.push_back({{at, end}, std::string(1, found->meant)});
      meant += found->meant;
      if (isQuote) {
        isTypographic = !quote;
        quote = quote ? 0 : found->meant;
      }
      at = end;
      continue;
    }
    char c = rest.front();
    if (!isTypographic && (c == '"' || c == '\'')) quote = !quote ? c : quote == c ? 0 : quote;
    meant += c;
    ++at;
  }
  constexpr size_t longest = 60;
  if (edits.empty() || quote) return;
  if (meant.size() > longest) meant = edits.front().text;
  told.fix(FixId::UseText, std::move(edits), meant);
}

// The number at a place with a suffix of C: `2.0f`, `1e-6F`, `128u`, `4LL`. `suffix` becomes where
// its suffix begins. Returns an empty range if there is none.
static Range numberOfC(llvm::StringRef text, const LogicalLine& line, Offset at, Offset& suffix) {
  auto isPart = [&](Offset i) {
    bool isSign = (text[i] == '-' || text[i] == '+') && i > line.begin &&
                  (text[i - 1] == 'e' || text[i - 1] == 'E');
    return isIdentifierPart(text[i]) || text[i] == '.' || isSign;
  };
  Offset begin = at, end = at;
  while (begin > line.begin && isPart(begin - 1))
    --begin;
  while (end < line.end && isPart(end))
    ++end;
  llvm::StringRef whole = text.slice(begin, end), number = whole.rtrim("fFlLuU");
  double value;
  bool isHex = whole.starts_with("0x") || whole.starts_with("0X");
  if (number.size() == whole.size() || isHex || number.empty() || !llvm::isDigit(number.front()) ||
      number.getAsDouble(value))
    return {begin, begin};
  suffix = begin + static_cast<Offset>(number.size());
  return {begin, end};
}

// Reports `128k` and the like near the place where a line breaks. Returns false if there is none.
static bool reportNumber(llvm::StringRef text, const LogicalLine& line, Range range,
                         diagnostics::Reporter& emit) {
  Offset suffix = 0;
  for (Offset at : {range.begin, range.end > range.begin ? range.end - 1 : range.begin}) {
    Range number = numberOfC(text, line, at, suffix);
    if (number.begin == number.end) continue;
    std::string meant = text.slice(number.begin, suffix).str();
    emit(Id::InvalidNumber, number, "invalid decimal literal")
        .fix(FixId::TryText, {{number, meant}}, meant);
    return true;
  }
  Offset begin = range.begin;
  while (begin > line.begin && isIdentifierPart(text[begin - 1]))
    --begin;
  Offset digits = begin, end = begin;
  while (digits < line.end && llvm::isDigit(text[digits]))
    ++digits;
  end = digits;
  while (end < line.end && isIdentifierPart(text[end]))
    ++end;
  bool isAfterPeriod = begin > line.begin && text[begin - 1] == '.';
  if (digits == begin || end == digits || isAfterPeriod ||
      llvm::StringRef("xXoObBeEjJ_").contains(text[digits]))
    return false;
  emit(Id::InvalidNumber, Range{begin, end}, "invalid decimal literal");
  return true;
}

// Reports `3 = x` and `f() = x`. Returns false if the line is none.
static bool reportTarget(llvm::StringRef text, const LogicalLine& line,
                         diagnostics::Reporter& emit) {
  llvm::StringRef whole = text.slice(line.begin, line.end);
  size_t at = whole.find(" = ");
  if (line.lead != Lead::Other || at == llvm::StringRef::npos) return false;
  llvm::StringRef target = whole.take_front(at).rtrim();
  bool isNumber = !target.empty() && llvm::all_of(target, [](char c) {
    return llvm::isDigit(c) || c == '.' || c == '_';
  });
  llvm::StringRef called =
      target.take_while([](char c) { return isIdentifierPart(c) || c == '.'; });
  llvm::StringRef arguments = target.drop_front(called.size());
  bool isCall = !called.empty() && !llvm::isDigit(called.front()) && arguments.starts_with("(") &&
                arguments.ends_with(")") && arguments.count('(') == 1 && arguments.count(')') == 1;
  bool isConstant = target == "True" || target == "False" || target == "None";
  if (!isNumber && !isCall && !isConstant) return false;
  auto told = emit(Id::InvalidTarget,
                   Range{line.begin, line.begin + static_cast<Offset>(target.size())}, "assign to",
                   isNumber ? "literal"
                   : isCall ? "function call"
                            : target);
  // buffer.index(i) = x: a part of a buffer is stored to.
  llvm::StringRef value = whole.drop_front(at + 3).trim();
  bool isBuffer = called.ends_with(".index") || called.ends_with(".slice");
  if (isCall && isBuffer && !value.empty() && value.find_first_of("#;\n") == value.npos) {
    std::string store = (target + ".store(" + value + ")").str();
    told.fix(FixId::TryText, {{{line.begin, line.end}, store}}, store);
  }
  return true;
}

// Returns where tree-sitter stumbles first; the whole line where it found no tree at all.
static Range firstError(const LogicalLine& line, size_t before, const TSTree* tree) {
  Range range{line.begin, line.end};
  if (tree) {
    TSNode node = ts_tree_root_node(tree);
    for (bool deeper = true; deeper && !ts_node_is_error(node) && !ts_node_is_missing(node);) {
      deeper = false;
      for (uint32_t i = 0, n = std::min(ts_node_child_count(node), 4096u); i < n; ++i) {
        TSNode child = ts_node_child(node, i);
        if (!ts_node_has_error(child) && !ts_node_is_missing(child)) continue;
        node = child;
        deeper = true;
        break;
      }
    }
    Offset shift = static_cast<Offset>(before);
    auto clamp = [&](uint32_t byte) {
      return std::clamp(byte < shift ? line.begin : line.begin + (byte - shift), line.begin,
                        line.end);
    };
    Range found{clamp(ts_node_start_byte(node)), clamp(ts_node_end_byte(node))};
    if (found.begin < found.end)
      range = found;
    else if (found.begin == line.end && line.end > line.begin)
      range = {line.end - 1, line.end};
    else
      range = {found.begin, std::min(found.begin + 1, line.end)};
  }
  return range;
}

void reportFirstError(llvm::StringRef text, const LogicalLine& line, size_t before,
                      const TSTree* tree, diagnostics::Reporter& emit) {
  Range range = firstError(line, before, tree);
  for (llvm::StringRef word : {"print", "exec"}) {
    llvm::StringRef rest = text.slice(line.begin, line.end);
    if (!rest.consume_front(word) || !rest.starts_with(" ") ||
        range.begin > line.begin + word.size() + 1)
      continue;
    auto told = emit(
        Id::Python2Syntax, range,
        ("missing parentheses in call to '" + word + "'. Did you mean " + word + "(...)?").str());
    if (!rest.contains("\n") && !rest.contains('#') && !rest.contains(">>")) {
      auto begin = static_cast<Offset>(line.begin + word.size());
      std::string call = ("(" + rest.trim() + ")").str();
      told.fix(FixId::TryText, {{{begin, line.end}, call}}, word.str() + call);
    }
    return;
  }
  // A letter that is none, such as a typographic minus.
  size_t foreign = range.begin;
  while (foreign < range.end && static_cast<unsigned char>(text[foreign]) < 0x80)
    ++foreign;
  bool quoted = text.slice(range.begin, foreign).find_first_of("'\"#") != llvm::StringRef::npos;
  if (foreign < range.end && !quoted) {
    Offset end = static_cast<Offset>(foreign + std::max(1u, text::utf8Length(text, foreign)));
    offerAscii(emit(Id::InvalidCharacter, Range{static_cast<Offset>(foreign), end},
                    ("'" + text.slice(foreign, end) + "'").str()),
               text, line);
    return;
  }
  if (reportNumber(text, line, range, emit) || reportTarget(text, line, emit)) return;
  auto told = emit(Id::InvalidSyntax, range);
  offerPython(told, text.slice(line.begin, line.end), line);
}

} // namespace gluond::syntax
