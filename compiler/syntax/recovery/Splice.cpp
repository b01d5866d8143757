#include "syntax/recovery/Splice.h"

#include "syntax/tree/Clone.h"

#include <llvm/ADT/STLExtras.h>

#include <optional>

namespace gluond::syntax {

using text::Offset;

namespace {

using Lines = llvm::ArrayRef<LogicalLine>;

// The text after a block, on a line of its own.
struct Follower {
  Offset begin;         // in the earlier version; noOffset: the end of the chunk
  const Stmt* neighbor; // a statement of the same block
};
constexpr Offset endOfChunk = ~Offset{0};

// The part of a block that an edit touched, and the lines that stand there now.
struct Site {
  llvm::SmallVector<const Stmt*, 8> owners;
  Stmts block;
  size_t from = 0, to = 0;
  size_t firstLine = 0, endLine = 0;
};

class Locator {
public:
  Locator(const Earlier& earlier, Lines lines) : earlier_(earlier), lines_(lines) {}

  // Finds the innermost block that has all that changed between two of its statements.
  bool locate() {
    Stmts body = earlier_.chunk().body;
    return body.size() == 1 && within(*body.front(), Follower{endOfChunk, nullptr});
  }
  Site site;

private:
  // The blocks of a statement. Only the last one's end is known, that of the others is a clause.
  bool within(const Stmt& stmt, std::optional<Follower> next) {
    Stmts first, last;
    switch (stmt.kind) {
    case NodeKind::FunctionDef:
      last = llvm::cast<FunctionDef>(stmt).body;
      break;
    case NodeKind::ClassDef:
      last = llvm::cast<ClassDef>(stmt).body;
      break;
    case NodeKind::With:
      last = llvm::cast<With>(stmt).body;
      break;
    case NodeKind::For:
      first = llvm::cast<For>(stmt).body, last = llvm::cast<For>(stmt).orelse;
      break;
    case NodeKind::While:
      first = llvm::cast<While>(stmt).body, last = llvm::cast<While>(stmt).orelse;
      break;
    case NodeKind::If:
      first = llvm::cast<If>(stmt).body, last = llvm::cast<If>(stmt).orelse;
      break;
    default:
      return false;
    }
    if (last.empty()) std::swap(first, last);
    site.owners.push_back(&stmt);
    bool found = (!last.empty() &&
                  (isElif(*last.front()) ? within(*last.front(), next) : inBlock(last, next))) ||
                 (!first.empty() && inBlock(first, std::nullopt));
    if (!found) site.owners.pop_back();
    return found;
  }

  // The If alone in the place of an else clause.
  bool isElif(const Stmt& stmt) const {
    return llvm::StringRef(*earlier_.chunk().text)
        .substr(stmt.range.begin - earlier_.chunk().begin)
        .starts_with("elif");
  }

  bool inBlock(Stmts block, std::optional<Follower> next) {
    auto isBefore = [&](const Stmt* stmt) { return earlier_.isBefore(stmt->range.end); };
    size_t from = static_cast<size_t>(llvm::partition_point(block, isBefore) - block.begin());
    size_t to = from;
    while (to < block.size() && !earlier_.isAfter(earlier_.beginOf(*block[to])))
      ++to;
    // Within one statement, or after what was its end.
    for (size_t i : {from, from - 1})
      if (i < block.size() && to <= i + 1 &&
          within(*block[i],
                 i + 1 < block.size() ? Follower{earlier_.beginOf(*block[i + 1]), block[i]} : next))
        return true;
    // The lines around the change have to be those around the statements.
    size_t first, end;
    while (!endsBefore(block, from, first))
      if (from-- == 0) return false;
    while (!beginsAfter(block, to, next, end))
      if (to++ == block.size()) return false;
    return isRegular(block, from, to, first, end, next);
  }

  // Whether the lines before the first one to change end with the statement before it.
  bool endsBefore(Stmts block, size_t from, size_t& line) const {
    Offset end;
    if (from > 0)
      end = block[from - 1]->range.end;
    else if (auto* def = llvm::dyn_cast<FunctionDef>(site.owners.back()))
      end = def->header.end;
    else
      return false; // where a header ends is not known
    if (!earlier_.isBefore(end)) return false;
    end += earlier_.movedBefore();
    const auto* it =
        llvm::partition_point(lines_, [&](const LogicalLine& l) { return l.end < end; });
    if (it == lines_.end() || it->end != end) return false;
    line = static_cast<size_t>(it - lines_.begin()) + 1;
    return true;
  }
  const LogicalLine* lineAt(Offset begin) const {
    const auto* it =
        llvm::partition_point(lines_, [&](const LogicalLine& l) { return l.begin < begin; });
    return it != lines_.end() && it->begin == begin ? it : nullptr;
  }
  // Whether a line begins with the statement after the last one to change.
  bool beginsAfter(Stmts block, size_t to, std::optional<Follower> next, size_t& line) const {
    if (to == block.size() && !next) return false;
    Offset begin = to < block.size() ? earlier_.beginOf(*block[to]) : next->begin;
    if (begin == endOfChunk) {
      line = lines_.size();
      return true;
    }
    if (!earlier_.isAfter(begin)) return false;
    const LogicalLine* found = lineAt(begin + earlier_.movedAfter());
    if (found) line = static_cast<size_t>(found - lines_.begin());
    return found;
  }

  // Whether the new lines are statements of the block, and what follows still belongs where it did.
  bool isRegular(Stmts block, size_t from, size_t to, size_t first, size_t end,
                 std::optional<Follower> next) {
    if (first > end || (first == end && from == 0 && to == block.size())) return false;
    auto indentOf = [&](const Stmt* unchanged) -> std::optional<uint32_t> {
      const LogicalLine* line = lineAt(earlier_.beginOf(*unchanged) + earlier_.movedBefore());
      return line ? std::optional(line->indent) : std::nullopt;
    };
    std::optional<uint32_t> indent = from > 0      ? indentOf(block[from - 1])
                                     : first < end ? std::optional(lines_[first].indent)
                                                   : std::optional(lines_[end].indent);
    if (!indent) return false;
    if (to < block.size() && lines_[end].indent != indent) return false;
    if (to == block.size() && end < lines_.size() && lines_[end].indent != indentOf(next->neighbor))
      return false;
    if (first < end) {
      Lead lead = lines_[first].lead;
      if (lines_[first].indent != indent || lines_[end - 1].lead == Lead::Decorator ||
          lead == Lead::Elif || lead == Lead::Else || lead == Lead::Except || lead == Lead::Finally)
        return false;
      for (const LogicalLine& line : lines_.slice(first, end - first))
        if (line.indent < *indent) return false;
    }
    site.block = block;
    site.from = from, site.to = to;
    site.firstLine = first, site.endLine = end;
    return true;
  }

  const Earlier& earlier_;
  Lines lines_;
};

// A longer text is parsed with the whole chunk, and one with more mistakes.
constexpr size_t longestPut = 1 << 15, mostErrors = 50;

bool isText(const Stmt* stmt) {
  auto* expression = llvm::dyn_cast<ExprStmt>(stmt);
  auto* constant = expression ? llvm::dyn_cast<Constant>(expression->value) : nullptr;
  return constant && constant->constant == ConstantKind::Str;
}

} // namespace

SpliceResult spliceChunk(const Earlier& earlier, llvm::StringRef text, llvm::StringRef seen,
                         Lines lines, uint32_t firstId, NodeArena& arena, Interner& interner,
                         diagnostics::Reporter& emit, Stop stop) {
  SpliceResult result;
  Locator locator(earlier, lines);
  if (!locator.locate()) return result;
  Site& site = locator.site;
  const CorrectChunk& chunk = earlier.chunk();

  uint32_t first =
               site.from > 0 ? site.block[site.from - 1]->id + 1 : firstIdOf(*site.block.front()),
           end = site.to > site.from ? site.block[site.to - 1]->id + 1 : first,
           moved = firstId - chunk.firstId;
  arena.setNextId(first + moved);
  llvm::SmallVector<Stmt*, 8> put;
  if (site.firstLine < site.endLine) {
    Offset begin = lines[site.firstLine].lineStart;
    constexpr llvm::StringLiteral frame = "if 1:\n";
    auto framed = [&](llvm::StringRef from) {
      return (frame + from.slice(begin, lines[site.endLine - 1].end) + "\n").str();
    };
    if (lines[site.endLine - 1].end - begin > longestPut) return result;
    TreeHandle tree = parseCorrect(framed(seen), stop);
    if (!tree) {
      result.kind = SpliceResult::Broken;
      result.lines = {site.firstLine, site.endLine};
      return result;
    }
    std::string unmasked = framed(text); // the builder reads names from it
    Insertion inserted{0, frame.size()};
    AstBuilder builder(unmasked, begin, arena, interner, emit, inserted);
    if (!builder.blockStatements(ts_tree_root_node(tree.get()), site.owners.size(), put) ||
        emit.count() > mostErrors)
      return result;
  }
  if (site.from == 0) { // a docstring belongs to the definition, too
    const Stmt* now = put.empty() ? site.block[site.to] : put.front();
    if (isText(site.block.front()) || isText(now)) return result;
  }
  Splice splice;
  splice.owners = std::move(site.owners);
  splice.block = site.block, splice.from = site.from, splice.to = site.to;
  splice.put = arena.copy(put);
  splice.firstId = first;
  splice.before = {earlier.movedBefore(), moved};
  splice.after = {earlier.movedAfter(), arena.nextId() - end};
  splice.end = lines[site.endLine - 1].end;
  result.body = cloneSpliced(chunk.body, arena, splice);
  arena.setNextId(chunk.endId + splice.after.ids);
  result.kind = SpliceResult::Whole;
  return result;
}

} // namespace gluond::syntax
