#include "syntax/Grammar.h"

#include <llvm/ADT/StringSwitch.h>

#include <chrono>
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

struct Budget {
  std::chrono::steady_clock::time_point deadline;
  static bool exceeded(TSParseState* state) {
    return std::chrono::steady_clock::now() > static_cast<Budget*>(state->payload)->deadline;
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
  // Below this size no text takes long enough to be worth a clock.
  if (text.size() < 4096)
    return TreeHandle(
        ts_parser_parse_string(parser_, previous, text.data(), static_cast<uint32_t>(text.size())));
  // A correct text takes 0.1 us a byte; the rest allows for slow machines and sanitizers.
  Budget budget{std::chrono::steady_clock::now() + std::chrono::milliseconds(250) +
                std::chrono::microseconds(text.size() * 2)};
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
