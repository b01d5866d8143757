#include "syntax/parser/Grammar.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/MemAlloc.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
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

// Counts the tokens that make the tree of a long text large: a list's commas and brackets. Quotes,
// comments and backslashes are followed roughly: the count is for comparing two parts of a text.
class Density {
public:
  explicit Density(llvm::StringRef text) : text_(text) {}
  // Returns how many tokens end before `end`, which must not become smaller.
  size_t countTo(size_t end) {
    for (; at_ < std::min(end, text_.size()); ++at_) {
      char c = text_[at_];
      if (quote_) {
        if (c == '\\') ++at_;
        if (c == quote_ || (c == '\n' && quote_ == '#')) quote_ = 0;
      } else if (c == '"' || c == '\'' || c == '#') {
        quote_ = c;
      } else if (llvm::StringRef(",:;()[]{}=+-*/%.").contains(c)) {
        ++count_;
      }
    }
    return count_;
  }

private:
  llvm::StringRef text_;
  size_t at_ = 0, count_ = 0;
  char quote_ = 0;
};

// The limits of one parse. tree-sitter calls back every hundred steps; correct text takes at most
// one such call in 12 bytes. A step of its search for the best recovery copies all that it has
// skipped so far, so the bytes that it allocates count as well: correct text takes at most 420 for
// each of its own. Its scanner looks ahead between two steps, as far as it likes and repeatedly, so
// the bytes it reads count too. All are counts, not times, so that a text always parses to the same
// tree. A long text whose tree would be too large is given up early: what was allocated for its
// beginning says what the rest will take.
struct Work {
  Work(llvm::StringRef text, Stop stop)
      : text(text), stop(stop), calls(1000 + text.size() / 8),
        bytes((size_t{1} << 20) + 16 * text.size()), allocatedBefore(allocated),
        mostAllocated(allocated + std::min((size_t{1} << 20) + 512 * text.size(), mostMemory)) {}

  static constexpr size_t mostMemory = 512 * longestRead;

  llvm::StringRef text;
  Stop stop;
  uint64_t calls, bytes;
  size_t allocatedBefore, mostAllocated;
  Density density{text};
  std::optional<size_t> tokens;          // of the whole text
  size_t nextEstimate = size_t{1} << 16; // when so many bytes of the text are parsed
  bool onlyCorrect = false, isOver = false;

  static bool goesTooFar(TSParseState* state) {
    Work& work = *static_cast<Work*>(state->payload);
    constexpr uint64_t callsBetween = 16;
    if (work.onlyCorrect && state->has_error) work.isOver = true;
    if (--work.calls == 0 || allocated > work.mostAllocated) work.isOver = true;
    if (work.calls % callsBetween == 0 && work.stop()) work.isOver = true;
    if (state->current_byte_offset >= work.nextEstimate) work.isOver |= work.willBeTooLarge(state);
    return work.isOver;
  }
  bool willBeTooLarge(const TSParseState* state) {
    size_t done = state->current_byte_offset;
    nextEstimate = 2 * done;
    if (text.size() <= longestRead) return false;
    if (!tokens) tokens = Density(text).countTo(text.size());
    double parsed = static_cast<double>(density.countTo(done)),
           taken = static_cast<double>(allocated - allocatedBefore);
    return taken * static_cast<double>(*tokens) > 1.25 * parsed * static_cast<double>(mostMemory);
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
