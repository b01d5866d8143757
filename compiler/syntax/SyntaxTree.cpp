#include "syntax/SyntaxTree.h"

#include "support/Allowance.h"
#include "syntax/ErrorLimit.h"
#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Literals.h"
#include "syntax/parser/SyntaxChecks.h"
#include "syntax/recovery/Indentation.h"
#include "syntax/recovery/LineEnd.h"
#include "syntax/recovery/LineScanner.h"
#include "syntax/recovery/Recovery.h"
#include "syntax/recovery/ScanProblems.h"
#include "syntax/recovery/Splice.h"
#include "syntax/tree/Clone.h"

#include <llvm/ADT/Hashing.h>

#include <algorithm>
#include <optional>
#include <thread>

namespace gluond::syntax {

using diagnostics::Diagnostic;
using diagnostics::Id;
using diagnostics::Reporter;
using text::Offset;
using text::Range;

namespace {

// The place of a chunk: a statement at column 0 with everything that belongs to it.
struct Place {
  Range range;
  // Hash of how the scanner cut it: in broken text that depends on the surrounding text.
  uint64_t cut = 0;
};

// A large chunk's tree of tree-sitter's: the basis of the next edit. It is many times larger than
// the text, so that texts without an edit, which are nearly all files of a project, have none.
struct ParsedText {
  std::string text; // as tree-sitter saw it
  std::unique_ptr<TSTree, DeleteTree> tree;
};

struct Chunk : Place {
  Stmts body;
  uint32_t firstId = 0, endId = 0;
  bool isRecovered = false; // its text has syntax errors
  bool isPart = false;      // reading stopped in it
  size_t budget = 0,
         spent = 0; // for recovery, in bytes: what was left before this chunk, and what it used
  std::vector<Diagnostic> errors;
  // How many errors it has, and how many of them may be kept: what was left of the file's.
  size_t found = 0, mostErrors = 0;
  std::shared_ptr<NodeArena> arena; // where the body lives
  // For large chunks: what is left of their last version without mistakes.
  std::shared_ptr<const ParsedText> parsed;
  std::optional<CorrectChunk> correct;
};

// Smaller ones parse from scratch as fast as from a previous tree.
constexpr size_t keepTreeAbove = 2048;
// At most this many arenas hold parts of one tree; then everything is moved to a new one.
constexpr size_t maxArenas = 8;
// The limit of nodes in one file; with their side tables they take some 200 MB.
constexpr uint32_t maxNodes = 1 << 21, nodesPerChunk = 4;
// Bytes of broken text that recovery looks at in one file.
constexpr size_t recoveryBudget = 1 << 18;

// Returns the range of lines [begin, end) of each chunk.
std::vector<std::pair<uint32_t, uint32_t>> cutIntoChunks(llvm::ArrayRef<LogicalLine> lines) {
  std::vector<std::pair<uint32_t, uint32_t>> chunks;
  bool decorated = false;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const LogicalLine& line = lines[i];
    bool goesOn = line.indent > 0 || line.lead == Lead::Elif || line.lead == Lead::Else ||
                  line.lead == Lead::Except || line.lead == Lead::Finally;
    if (decorated && (line.lead == Lead::Decorator || line.lead == Lead::Def ||
                      line.lead == Lead::Class || line.lead == Lead::Async))
      goesOn = true;
    if (!goesOn || chunks.empty())
      chunks.push_back({i, i + 1});
    else
      chunks.back().second = i + 1;
    decorated = line.lead == Lead::Decorator;
  }
  return chunks;
}

uint64_t hashOfCut(const LineScan& scan, llvm::ArrayRef<LogicalLine> lines, Offset begin) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15 ^ (hash >> 29); };
  for (const LogicalLine& line : lines) {
    add(uint64_t{line.begin - begin} << 32 | (line.end - begin));
    for (const ScanProblem& problem : scan.problemsOf(line))
      // Only some kinds have another place; where there is none, moving must not change the hash.
      add(uint64_t{problem.at - begin} << 32 | (problem.other ? problem.other - begin : 0) << 4 |
          static_cast<uint64_t>(problem.kind));
  }
  for (const Mask& mask : scan.masksIn(begin, lines.back().end))
    add(mask.at - begin);
  for (Range comment : scan.commentsIn(begin, lines.back().end))
    add(comment.begin - begin);
  return hash;
}

void shift(Range& range, uint32_t by) {
  range = {range.begin + by, range.end + by};
}

std::vector<Diagnostic> shifted(const std::vector<Diagnostic>& errors, uint32_t by) {
  std::vector<Diagnostic> result = errors;
  if (by == 0) return result;
  for (Diagnostic& error : result) {
    shift(error.location.range, by);
    for (auto& related : error.related)
      shift(related.location.range, by);
    for (auto& fix : error.fixes)
      for (auto& edit : fix.edits)
        shift(edit.range, by);
  }
  return result;
}

} // namespace

struct SyntaxTree::Impl {
  std::vector<Chunk> chunks;
  std::shared_ptr<NodeArena> arena = std::make_shared<NodeArena>();
  std::string masked;    // the text for tree-sitter, if it is not the file's own text
  bool isEdited = false; // made from an earlier version
  // Where reading stopped, and why.
  std::optional<Offset> end;
  const char* why = "";

  llvm::StringRef seenText(const SyntaxTree& tree) const {
    return masked.empty() ? tree.source().text() : llvm::StringRef(masked);
  }
  void build(const SyntaxTree& tree, const LineScan& scan, llvm::ArrayRef<LogicalLine> lines,
             Chunk& chunk, const Chunk* previous, std::optional<TreeHandle> ahead, Stop stop);
  TreeHandle parseChunk(llvm::StringRef text, const ParsedText* previous, Stop stop);
  void keep(Chunk& chunk, llvm::StringRef text, llvm::StringRef seen, TreeHandle handle,
            const Chunk* previous);
};

namespace {

// Whether parsing has to stop: the tree is not needed any more, or its task has used up its
// allowance. Small files are always parsed, so that the tree of an imported file does not depend on
// the files before it. For one thread only.
class Limit {
public:
  Limit(llvm::StringRef text, CancellationToken token)
      : token_(std::move(token)), isLarge_(text.size() > largest) {}
  bool isReached() {
    if (!isReached_) isReached_ = token_.isCancelled() || (isLarge_ && Spending::isSpent());
    return isReached_;
  }

private:
  static constexpr size_t largest = size_t{32} << 10;
  CancellationToken token_;
  bool isLarge_, isReached_ = false;
};

} // namespace

namespace {

// The common beginning and end of two versions of a chunk; the part between is one edit. (We do not
// use rows and columns, but tree-sitter needs them to be consistent.)
TSPoint pointAt(llvm::StringRef text, size_t at) {
  llvm::StringRef before = text.take_front(at);
  size_t newline = before.rfind('\n');
  return {static_cast<uint32_t>(before.count('\n')),
          static_cast<uint32_t>(newline == llvm::StringRef::npos ? at : at - newline - 1)};
}
TSInputEdit editBetween(llvm::StringRef from, llvm::StringRef to) {
  size_t common = std::min(from.size(), to.size()), front = 0, back = 0;
  while (front < common && from[front] == to[front])
    ++front;
  while (back < common - front && from[from.size() - 1 - back] == to[to.size() - 1 - back])
    ++back;
  // Not within a character.
  auto inside = [&](size_t at) {
    return at < to.size() && (static_cast<unsigned char>(to[at]) & 0xC0) == 0x80;
  };
  while (front > 0 && (inside(front) || (front < from.size() &&
                                         (static_cast<unsigned char>(from[front]) & 0xC0) == 0x80)))
    --front;
  while (back > 0 && inside(to.size() - back))
    --back;
  TSInputEdit edit{};
  edit.start_byte = static_cast<uint32_t>(front);
  edit.old_end_byte = static_cast<uint32_t>(from.size() - back);
  edit.new_end_byte = static_cast<uint32_t>(to.size() - back);
  edit.start_point = pointAt(from, front);
  edit.old_end_point = pointAt(from, from.size() - back);
  edit.new_end_point = pointAt(to, to.size() - back);
  return edit;
}

// Parses the later chunks of a large file on a second thread, while the first ones are parsed and
// built: chunks do not depend on each other.
class ParseAhead {
public:
  ParseAhead(llvm::StringRef text, std::vector<Range> chunks, const CancellationToken& token)
      : first_(chunks.size()), trees_(chunks.size()) {
    // In bytes: a millisecond's work for each thread, and trees that can be held all at once.
    constexpr size_t worthIt = 12'000, most = size_t{1} << 20;
    if (text.size() < worthIt || text.size() > most || std::thread::hardware_concurrency() < 2)
      return;
    while (first_ > 0 && chunks[first_ - 1].begin > text.size() / 2)
      --first_;
    thread_ = std::thread([this, text, chunks = std::move(chunks), limit = Limit(text, token),
                           payers = Spending::payers()]() mutable {
      Spending spending(payers);
      auto stop = [&] { return limit.isReached(); };
      for (size_t i = first_; i < chunks.size() && !stop(); ++i)
        trees_[i] = parseCorrect(text.slice(chunks[i].begin, chunks[i].end), stop);
    });
  }
  ~ParseAhead() {
    if (thread_.joinable()) thread_.join();
  }
  ParseAhead(const ParseAhead&) = delete;

  // Returns nullopt if it has not been parsed yet, and null if it has errors.
  std::optional<TreeHandle> take(size_t i) {
    if (i >= first_ && thread_.joinable()) thread_.join();
    return std::move(trees_[i]);
  }

private:
  size_t first_; // the thread's chunks begin there
  std::vector<std::optional<TreeHandle>> trees_;
  std::thread thread_;
};

} // namespace

// Returns the tree of a chunk if it has no errors. A tree with errors may depend on earlier edits,
// one without does not: that is why reparsing is exact.
TreeHandle SyntaxTree::Impl::parseChunk(llvm::StringRef text, const ParsedText* previous,
                                        Stop stop) {
  if (previous) {
    TreeHandle edited(ts_tree_copy(previous->tree.get()));
    TSInputEdit edit = editBetween(previous->text, text);
    ts_tree_edit(edited.get(), &edit);
    if (TreeHandle tree = parseCorrect(text, stop, edited.get())) return tree;
  }
  return parseCorrect(text, stop);
}

void SyntaxTree::Impl::build(const SyntaxTree& tree, const LineScan& scan,
                             llvm::ArrayRef<LogicalLine> lines, Chunk& chunk, const Chunk* previous,
                             std::optional<TreeHandle> ahead, Stop stop) {
  llvm::StringRef text = tree.source().text(), seen = seenText(tree),
                  slice = text.slice(chunk.range.begin, chunk.range.end);
  Reporter emit(chunk.errors, tree.file(), chunk.mostErrors);
  chunk.arena = arena;
  chunk.firstId = arena->nextId();
  llvm::SmallVector<Stmt*, 4> body;
  bool isClean = checkIndentation(text, lines, emit);
  reportScanProblems(text, scan, lines, emit);
  isClean &= emit.count() == 0;
  isClean &= llvm::none_of(lines, [&](const LogicalLine& line) { return endsAmid(text, line); });
  std::optional<Earlier> earlier;
  if (previous && previous->correct) earlier.emplace(*previous->correct, slice, chunk.range.begin);
  SpliceResult spliced;
  size_t foundInSplice = 0;
  if (isClean && earlier) {
    Reporter emitHere(chunk.errors, tree.file(), chunk.mostErrors);
    spliced = spliceChunk(*earlier, text, seen, lines, chunk.firstId, *arena, tree.interner(),
                          emitHere, stop);
    if (spliced.kind == SpliceResult::Whole) {
      foundInSplice = emitHere.count();
    } else {
      chunk.errors.clear();
      arena->setNextId(chunk.firstId);
    }
  }
  TreeHandle handle;
  if (isClean && spliced.kind == SpliceResult::Unclear) {
    llvm::StringRef seenSlice = seen.slice(chunk.range.begin, chunk.range.end);
    handle = ahead ? std::move(*ahead)
                   : parseChunk(seenSlice, previous ? previous->parsed.get() : nullptr, stop);
    if (handle) {
      AstBuilder builder(slice, chunk.range.begin, *arena, tree.interner(), emit);
      builder.statements(ts_tree_root_node(handle.get()), body);
    }
  }
  chunk.isRecovered = !handle && spliced.kind != SpliceResult::Whole;
  size_t budget = chunk.budget;
  if (chunk.isRecovered)
    recoverChunk(text, seen, scan, lines, *arena, tree.interner(), emit, budget, stop,
                 {earlier ? &*earlier : nullptr, spliced.lines}, body);
  chunk.spent = chunk.budget - budget;
  chunk.body = spliced.kind == SpliceResult::Whole ? spliced.body : arena->copy(body);
  chunk.endId = arena->nextId();
  checkSyntax(chunk.body, tree.interner(), emit.count() + foundInSplice == 0, emit);
  chunk.found = emit.count() + foundInSplice;
  diagnostics::sortByPlace(chunk.errors);
  keep(chunk, slice, seen.slice(chunk.range.begin, chunk.range.end), std::move(handle), previous);
}

// Keeps what a later version may need.
void SyntaxTree::Impl::keep(Chunk& chunk, llvm::StringRef text, llvm::StringRef seen,
                            TreeHandle handle, const Chunk* previous) {
  if (chunk.range.end - chunk.range.begin <= keepTreeAbove) return;
  if (handle && isEdited)
    chunk.parsed = std::make_shared<ParsedText>(ParsedText{seen.str(), std::move(handle)});
  else if (previous)
    chunk.parsed = previous->parsed;
  if (!chunk.isRecovered && chunk.found == 0)
    chunk.correct = {std::make_shared<std::string>(text),
                     chunk.range.begin,
                     chunk.body,
                     chunk.firstId,
                     chunk.endId,
                     chunk.arena};
  else if (previous)
    chunk.correct = previous->correct;
}

SyntaxTree::SyntaxTree(std::shared_ptr<const text::SourceText> source, diagnostics::FileId file,
                       Interner& interner)
    : source_(std::move(source)), file_(file), interner_(interner),
      impl_(std::make_unique<Impl>()) {}
SyntaxTree::~SyntaxTree() = default;

SyntaxTree::Ptr SyntaxTree::parse(std::shared_ptr<const text::SourceText> source,
                                  diagnostics::FileId file, Interner& interner,
                                  CancellationToken token) {
  return make(std::move(source), file, interner, nullptr, token);
}

SyntaxTree::Ptr SyntaxTree::reparse(const SyntaxTree& previous,
                                    std::shared_ptr<const text::SourceText> source,
                                    CancellationToken token) {
  return make(std::move(source), previous.file_, previous.interner_, &previous, token);
}

SyntaxTree::Ptr SyntaxTree::make(std::shared_ptr<const text::SourceText> source,
                                 diagnostics::FileId file, Interner& interner,
                                 const SyntaxTree* previous, const CancellationToken& token) {
  std::shared_ptr<SyntaxTree> tree(new SyntaxTree(std::move(source), file, interner));
  if (tree->source_->text().size() > maxBytes) {
    tree->impl_->end = 0;
    tree->impl_->why = "it is larger than 16 MiB";
    tree->finish({});
    return tree;
  }
  LineScan scan = scanLines(tree->source_->text());
  if (!tree->build(scan, previous, token)) return nullptr;
  tree->finish(scan);
  return tree;
}

// Builds the chunks. Returns false if cancelled.
bool SyntaxTree::build(const LineScan& scan, const SyntaxTree* previous,
                       const CancellationToken& token) {
  llvm::StringRef text = source_->text();
  impl_->masked = scan.seenText(text);
  impl_->isEdited = previous;
  auto cuts = cutIntoChunks(scan.lines);
  std::vector<Place> places(cuts.size());
  for (size_t i = 0; i < cuts.size(); ++i)
    places[i].range = {scan.lines[cuts[i].first].lineStart, scan.lines[cuts[i].second - 1].end};
  if (!places.empty() && places[0].range.begin == 0 && text.starts_with("\xEF\xBB\xBF"))
    places[0].range.begin = 3;
  auto linesOf = [&](size_t i) {
    return llvm::ArrayRef(scan.lines).slice(cuts[i].first, cuts[i].second - cuts[i].first);
  };
  for (size_t i = 0; i < places.size(); ++i)
    places[i].cut = hashOfCut(scan, linesOf(i), places[i].range.begin);

  // Unchanged chunks at both ends are reused; those between are built again, each from its
  // counterpart if the numbers agree.
  static const std::vector<Chunk> none;
  const std::vector<Chunk>& old = previous ? previous->impl_->chunks : none;
  llvm::StringRef oldText = previous ? previous->source_->text() : "";
  auto isSame = [&](const Place& chunk, const Chunk& other) {
    return chunk.cut == other.cut && !other.isPart &&
           text.slice(chunk.range.begin, chunk.range.end) ==
               oldText.slice(other.range.begin, other.range.end);
  };
  size_t most = std::min(old.size(), places.size()), front = 0, back = 0;
  while (front < most && isSame(places[front], old[front]))
    ++front;
  while (back < most - front &&
         isSame(places[places.size() - 1 - back], old[old.size() - 1 - back]))
    ++back;

  llvm::SmallVector<const NodeArena*, maxArenas> arenas;
  NodeArena& arena = *impl_->arena;
  auto mayShare = [&](const NodeArena* other) {
    if (llvm::is_contained(arenas, other)) return true;
    if (arenas.size() >= maxArenas - 1) return false;
    arenas.push_back(other);
    return true;
  };
  uint32_t nextId = 0;
  size_t budget = recoveryBudget, errorsLeft = maxErrors;
  std::optional<ParseAhead> ahead;
  if (!previous) {
    std::vector<Range> ranges;
    for (const Place& place : places)
      ranges.push_back(place.range);
    ahead.emplace(impl_->seenText(*this), std::move(ranges), token);
  }
  Limit limit(text, token);
  std::vector<Chunk>& chunks = impl_->chunks;
  auto hasTooMany = [&] { return arena.nextId() + nodesPerChunk * chunks.size() > maxNodes; };
  auto stop = [&] { return limit.isReached() || hasTooMany(); };
  for (size_t i = 0; i < places.size(); ++i) {
    Chunk& chunk = chunks.emplace_back();
    static_cast<Place&>(chunk) = places[i];
    chunk.budget = budget;
    chunk.mostErrors = errorsLeft;
    const Chunk* same = i < front                   ? &old[i]
                        : i >= places.size() - back ? &old[old.size() - (places.size() - i)]
                                                    : nullptr;
    arena.setNextId(nextId);
    // A chunk that ran out of budget, or would now, is not the same.
    if (same && same->budget != budget && (same->spent >= same->budget || same->spent >= budget) &&
        same->spent > 0)
      same = nullptr;
    if (same && same->budget != budget && (same->budget == 0 || budget == 0)) same = nullptr;
    // Nor is one of whose errors another number is kept now.
    if (same && std::min(same->found, errorsLeft) != same->errors.size()) same = nullptr;
    if (!same) {
      const Chunk* counterpart = old.size() == places.size()    ? &old[i]
                                 : i == front && i < old.size() ? &old[i]
                                                                : nullptr;
      impl_->build(*this, scan, linesOf(i), chunk, counterpart,
                   ahead ? ahead->take(i) : std::nullopt, stop);
    } else {
      uint32_t moved = chunk.range.begin - same->range.begin, idMoved = nextId - same->firstId;
      bool share = moved == 0 && idMoved == 0 && mayShare(same->arena.get());
      chunk.body = share ? same->body : cloneShifted(same->body, arena, {moved, idMoved});
      chunk.arena = share ? same->arena : impl_->arena;
      chunk.firstId = nextId;
      chunk.endId = nextId + (same->endId - same->firstId);
      chunk.isRecovered = same->isRecovered;
      chunk.spent = same->spent;
      chunk.errors = shifted(same->errors, moved);
      chunk.found = same->found;
      chunk.parsed = same->parsed;
      chunk.correct = same->correct;
      if (chunk.correct && !chunk.isRecovered && chunk.found == 0)
        chunk.correct = {chunk.correct->text, chunk.range.begin, chunk.body,
                         chunk.firstId,       chunk.endId,       chunk.arena};
    }
    nextId = chunk.endId;
    budget -= chunk.spent;
    errorsLeft -= chunk.errors.size();
    arena.setNextId(nextId);
    if (!stop()) continue;
    if (token.isCancelled()) return false;
    chunk.isPart = true;
    impl_->end = chunk.range.begin;
    impl_->why = hasTooMany() ? "it has more than two million names, values and operators"
                              : "it exceeds the limit of time or memory for a file";
    break;
  }
  nodeCount_ = nextId;
  return true;
}

std::vector<SyntaxTree::Piece> SyntaxTree::pieces() const {
  std::vector<Piece> pieces;
  pieces.reserve(impl_->chunks.size());
  for (const Chunk& chunk : impl_->chunks)
    pieces.push_back({chunk.range, chunk.cut, chunk.isRecovered, chunk.body});
  return pieces;
}

// Computes the parts that span chunks: the body, the module's docstring, the errors in order.
void SyntaxTree::finish(const LineScan& scan) {
  llvm::SmallVector<const Stmt*, 64> body;
  for (const Chunk& chunk : impl_->chunks) {
    body.append(chunk.body.begin(), chunk.body.end());
    errors_.insert(errors_.end(), chunk.errors.begin(), chunk.errors.end());
  }
  body_ = impl_->arena->copy(llvm::ArrayRef<const Stmt*>(body));
  if (const auto* first = body_.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(body_.front()))
    if (const auto* text = llvm::dyn_cast<Constant>(first->value);
        text && text->constant == ConstantKind::Str)
      docstring_ = impl_->arena->copy(llvm::StringRef(cleanDocstring(text->string)));

  Reporter emit(errors_, file_, maxErrors + 3);
  size_t before = errors_.size();
  checkFutureImports(body_, interner_.intern("__future__"), emit);
  if (impl_->end) emit(Id::ReadingStopped, Range{*impl_->end, *impl_->end}, impl_->why);
  if (!text::isValidUtf8(source_->text())) checkEncoding(emit);
  for (const ScanProblem& problem : scan.outside)
    emit(Id::NullByte, Range{problem.at, problem.at + 1});
  if (errors_.size() > before) diagnostics::sortByPlace(errors_);
}

// Python reads other encodings where a comment in the first two lines declares one; gluond does
// not.
void SyntaxTree::checkEncoding(Reporter& emit) const {
  llvm::StringRef text = source_->text();
  size_t at = 0;
  while (at < text.size()) {
    unsigned length = text::utf8Length(text, at);
    if (!length) break;
    at += length;
  }
  bool declared = false;
  for (uint32_t line = 0; line < std::min(2u, source_->lineCount()); ++line) {
    llvm::StringRef content = source_->line(line).ltrim(" \t\f");
    size_t coding = content.find("coding");
    declared |= content.starts_with("#") && coding != llvm::StringRef::npos &&
                (content.substr(coding + 6).starts_with(":") ||
                 content.substr(coding + 6).starts_with("=")) &&
                !content.substr(coding + 7).trim().starts_with_insensitive("utf");
  }
  auto error = emit(Id::InvalidUtf8, Range{static_cast<Offset>(at), static_cast<Offset>(at + 1)});
  if (declared) error.severity(diagnostics::Severity::Information);
}

} // namespace gluond::syntax
