#include "syntax/Grammar.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>

#include <vector>

namespace gluond::syntax {
namespace {

std::vector<Sym> makeSymbolTable() {
  const TSLanguage* language = tree_sitter_python();
  std::vector<Sym> table(ts_language_symbol_count(language), Sym::Other);
  for (unsigned i = 0; i < table.size(); ++i) {
    const char* name = ts_language_symbol_name(language, static_cast<TSSymbol>(i));
    if (!name) continue;
    table[i] = llvm::StringSwitch<Sym>(name)
#define GLUOND_SYMBOL(Id, text) .Case(text, Sym::Id)
#include "syntax/Symbols.def"
                   .Default(Sym::Other);
  }
  return table;
}

// tree-sitter asks every hundred steps whether to go on. Correct text takes at most one such call
// in 20 bytes; the budget is a count, not a time, so that a text always parses to the same tree.
struct Budget {
  uint64_t calls;
  static bool exceeded(TSParseState* state) {
    return --static_cast<Budget*>(state->payload)->calls == 0;
  }
};

struct Text {
  llvm::StringRef text;
  static const char* read(void* payload, uint32_t byte, TSPoint, uint32_t* length) {
    llvm::StringRef text = static_cast<Text*>(payload)->text;
    *length = byte < text.size() ? static_cast<uint32_t>(text.size() - byte) : 0;
    return byte < text.size() ? text.data() + byte : "";
  }
};

// The grammar's scanner keeps its stack of indentations in 1 KB and, in error recovery, takes
// continued lines for blocks too. Text whose lines step in further than that holds is not given to
// it.
bool stepsInTooFar(llvm::StringRef text) {
  constexpr size_t most = 400, smallest = 1 << 14; // a text below 16 KB cannot step in so often
  if (text.size() < smallest) return false;
  llvm::SmallVector<uint32_t, 64> levels{0};
  for (size_t at = 0; at < text.size();) {
    uint32_t indent = 0;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      indent += text[at++] == '\t' ? 8 : 1;
    while (levels.back() > indent)
      levels.pop_back();
    if (levels.back() < indent) levels.push_back(indent);
    if (levels.size() > most) return true;
    at = text.find_first_of("\r\n\f", at);
    if (at == llvm::StringRef::npos) break;
    ++at;
  }
  return false;
}

} // namespace

Sym symOf(TSNode node) {
  static const std::vector<Sym> table = makeSymbolTable();
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol >= table.size()) return symbol == static_cast<TSSymbol>(-1) ? Sym::Error : Sym::Other;
  return table[symbol];
}

Parser::Parser() : parser_(ts_parser_new()) {
  ts_parser_set_language(parser_, tree_sitter_python());
}

TreeHandle Parser::parse(llvm::StringRef text, const TSTree* previous) {
  if (stepsInTooFar(text)) return nullptr;
  Budget budget{1000 + text.size() / 4};
  Text source{text};
  TSInput input{&source, Text::read, TSInputEncodingUTF8, nullptr};
  TSParseOptions options{&budget, Budget::exceeded};
  TreeHandle tree(ts_parser_parse_with_options(parser_, previous, input, options));
  if (!tree) ts_parser_reset(parser_);
  return tree;
}

Parser& threadParser() {
  static thread_local Parser parser;
  return parser;
}

} // namespace gluond::syntax
