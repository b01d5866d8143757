#include "syntax/recovery/BrokenLine.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::syntax {

using diagnostics::FixId;
using diagnostics::Id;
using text::Offset;
using text::Range;

size_t lengthOfForeignType(llvm::StringRef line) {
  static constexpr llvm::StringLiteral types[] = {
      "auto ", "bool ", "const ", "constexpr ", "char ",     "double ", "float ",
      "half ", "int ",  "let ",   "long ",      "unsigned ", "var "};
  size_t length = 0;
  for (bool found = true; found;) {
    found = false;
    for (llvm::StringRef type : types)
      if (line.drop_front(length).starts_with(type)) {
        length += type.size();
        found = true;
      }
  }
  llvm::StringRef rest = line.drop_front(length);
  size_t name = 0;
  while (name < rest.size() && isIdentifierPart(rest[name]))
    ++name;
  bool isAssignment = name && rest.drop_front(name).ltrim().starts_with("=") &&
                      !rest.drop_front(name).ltrim().starts_with("==");
  return isAssignment ? length : 0;
}

// Text of other languages: `if x = 1`, `a && b`, `a =< b`, `i++`, `int n = 1`, comments of C.
static void offerPython(diagnostics::InFlight told, llvm::StringRef text, const LogicalLine& line) {
  size_t type = lengthOfForeignType(text);
  if (type) {
    std::string rest = text.drop_front(type).str();
    told.fix(FixId::TryText, {{{line.begin, line.begin + static_cast<Offset>(type)}, ""}}, rest);
    return;
  }
  llvm::StringRef bare = text.rtrim(" ;");
  for (llvm::StringRef step : {"++", "--"}) {
    llvm::StringRef name = bare;
    if (!name.consume_back(step) || name.empty() || !llvm::all_of(name, isIdentifierPart)) continue;
    std::string meant = (name + " " + step.take_front(1) + "= 1").str();
    told.fix(FixId::TryText, {{{line.begin, line.end}, meant}}, meant);
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
    std::string grid = ("[" + inside.take_front(comma).trim() + "]").str();
    auto begin = static_cast<Offset>(line.begin + open);
    told.fix(FixId::TryText, {{{begin, begin + static_cast<Offset>(close + 3 - open)}, grid}},
             text.take_front(open).str() + grid + "(...)");
    return;
  }
  if (text.find_first_of("'\"#") != llvm::StringRef::npos && !text.contains(" = ")) return;
  struct Row {
    llvm::StringLiteral written, meant;
    bool isCondition;
  };
  static constexpr Row rows[] = {{" && ", " & ", false},  {" || ", " | ", false},
                                 {" = ", " == ", true},   {" =< ", " <= ", false},
                                 {" => ", " >= ", false}, {" <> ", " != ", false},
                                 {" // ", " # ", false}};
  for (const Row& row : rows) {
    bool isCondition = line.lead == Lead::If || line.lead == Lead::Elif || line.lead == Lead::While;
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
    emit(Id::InvalidCharacter, Range{static_cast<Offset>(foreign), end},
         ("'" + text.slice(foreign, end) + "'").str());
    return;
  }
  auto told = emit(Id::InvalidSyntax, range);
  offerPython(told, text.slice(line.begin, line.end), line);
}

} // namespace gluond::syntax
