#include "syntax/parser/Grammar.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/MemAlloc.h>

#include <algorithm>
#include <cstdlib>
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
#include "syntax/parser/Symbols.def"
                   .Default(Sym::Other);
  }
  return table;
}

// The bytes that tree-sitter has ever allocated on this thread.
thread_local size_t allocated = 0;

void countAllocations() {
  ts_set_allocator(
      [](size_t bytes) { return allocated += bytes, llvm::safe_malloc(bytes); },
      [](size_t count, size_t bytes) {
        return allocated += count * bytes, llvm::safe_calloc(count, bytes);
      },
      [](void* old, size_t bytes) { return allocated += bytes, llvm::safe_realloc(old, bytes); },
      std::free);
}

// The limits of one parse. tree-sitter calls back every hundred steps; correct text takes at most
// one such call in 12 bytes. A step of its search for the best recovery copies all that it has
// skipped so far, so the bytes that it allocates count as well: correct text takes at most 420 for
// each of its own. Its scanner looks ahead between two steps, as far as it likes and repeatedly, so
// the bytes it reads count too. All are counts, not times, so that a text always parses to the same
// tree.
struct Work {
  Work(llvm::StringRef text, Stop stop)
      : text(text), stop(stop), calls(1000 + text.size() / 8),
        bytes((size_t{1} << 20) + 16 * text.size()),
        mostAllocated(allocated + std::min((size_t{1} << 20) + 512 * text.size(), mostMemory)) {}

  static constexpr size_t mostMemory = 512 * longestRead;

  llvm::StringRef text;
  Stop stop;
  uint64_t calls, bytes;
  size_t mostAllocated;
  bool onlyCorrect = false, isOver = false;

  static bool goesTooFar(TSParseState* state) {
    Work& work = *static_cast<Work*>(state->payload);
    constexpr uint64_t callsBetween = 16;
    if (work.onlyCorrect && state->has_error) work.isOver = true;
    if (--work.calls == 0 || allocated > work.mostAllocated) work.isOver = true;
    if (work.calls % callsBetween == 0 && work.stop()) work.isOver = true;
    return work.isOver;
  }
  // Returns small pieces: repeated reads within one do not count again. Without remaining bytes the
  // text appears to end.
  static const char* read(void* payload, uint32_t byte, TSPoint, uint32_t* length) {
    Work& work = *static_cast<Work*>(payload);
    constexpr size_t piece = 512;
    size_t left = byte < work.text.size() ? work.text.size() - byte : 0;
    size_t given = std::min(left, piece);
    if (given > work.bytes) work.isOver = true;
    if (work.isOver) given = 0;
    work.bytes -= given;
    *length = static_cast<uint32_t>(given);
    return given ? work.text.data() + byte : "";
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

namespace {

TreeHandle parse(llvm::StringRef text, Stop stop, const TSTree* previous, bool onlyCorrect) {
  static const bool isCounting = (countAllocations(), true);
  (void)isCounting;
  if (stepsInTooFar(text)) return nullptr;
  // A new parser each time: one that was used before has memory left, and would be stopped later.
  struct Delete {
    void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  };
  std::unique_ptr<TSParser, Delete> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_python());
  Work work(text, stop);
  work.onlyCorrect = onlyCorrect;
  TSInput input{&work, Work::read, TSInputEncodingUTF8, nullptr};
  TSParseOptions options{&work, Work::goesTooFar};
  TreeHandle tree(ts_parser_parse_with_options(parser.get(), previous, input, options));
  return work.isOver ? nullptr : std::move(tree);
}

} // namespace

bool isCorrect(const TSTree* tree) {
  return tree && !ts_node_has_error(ts_tree_root_node(tree));
}

TreeHandle parseCorrect(llvm::StringRef text, Stop stop, const TSTree* previous) {
  TreeHandle tree = parse(text, stop, previous, /*onlyCorrect=*/true);
  return isCorrect(tree.get()) ? std::move(tree) : nullptr;
}
TreeHandle parseAny(llvm::StringRef text, Stop stop) {
  return parse(text, stop, nullptr, /*onlyCorrect=*/false);
}

} // namespace gluond::syntax
