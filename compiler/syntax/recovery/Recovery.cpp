#include "syntax/recovery/Recovery.h"

#include "syntax/parser/Keywords.h"
#include "syntax/recovery/BrokenLine.h"
#include "syntax/recovery/HeaderPlaceholder.h"
#include "syntax/recovery/Indentation.h"
#include "syntax/recovery/LineEnd.h"
#include "syntax/recovery/LineRepair.h"
#include "syntax/recovery/LogicOfC.h"
#include "syntax/tree/Clone.h"

#include <llvm/ADT/MapVector.h>

#include <optional>

namespace gluond::syntax {

using diagnostics::Id;
using diagnostics::Reporter;
using text::Offset;
using text::Range;

namespace {

// How a header is wrapped so that it is a statement by itself.
struct Frame {
  llvm::StringLiteral before, after;
};
Frame frameOf(Lead lead) {
  switch (lead) {
  case Lead::Elif:
  case Lead::Else:
    return {"if 1:pass\n", "pass"};
  case Lead::Except:
  case Lead::Finally:
    return {"try:pass\n", "pass"};
  case Lead::Case:
    return {"match 1:\n ", "pass"};
  case Lead::Match:
    return {"", "\n case _:pass"};
  default:
    return {"", "pass"};
  }
}

bool isClause(Lead lead) {
  return lead == Lead::Elif || lead == Lead::Else || lead == Lead::Except ||
         lead == Lead::Finally || lead == Lead::Case;
}

class Recovery {
public:
  Recovery(llvm::StringRef text, llvm::StringRef seen, const LineScan& scan,
           llvm::ArrayRef<LogicalLine> lines, NodeArena& arena, Interner& interner, Reporter& emit,
           size_t& budget, Stop stop, const Known& known)
      : text_(text), seen_(seen), scan_(scan), lines_(lines), arena_(arena), interner_(interner),
        emit_(emit), budget_(budget), stop_(stop), known_(known) {}

  using StmtList = AstBuilder::StmtList;

  void run(StmtList& out) {
    block(0, lines_.size(), true, out);
    for (auto& [attempt, handlers] : handlers_)
      attempt->handlers = arena_.copy(handlers);
  }

private:
  // Lines [from, to) one unit after another.
  void block(size_t from, size_t to, bool whole, StmtList& out) {
    ++depth_;
    while (from < to && !stop_())
      from = unit(from, to, whole && from == 0, out);
    --depth_;
  }

  struct Piece {
    std::string text;
    llvm::SmallVector<Insertion, 4> insertions;
    Offset begin, end; // in the file
  };

  size_t bodyEnd(size_t header, size_t to) const {
    size_t end = header + 1;
    if (depth_ > maxIndentDepth) return end; // reported; deeper lines are siblings of their header
    while (end < to && lines_[end].indent > lines_[header].indent)
      ++end;
    return end;
  }

  // One statement with its decorators, body and clauses; returns the index after it.
  size_t unit(size_t from, size_t to, bool tried, StmtList& out) {
    const LogicalLine& first = lines_[from];
    if (isClause(first.lead)) return clause(from, to, out);
    size_t header = from;
    while (header + 1 < to && lines_[header].lead == Lead::Decorator &&
           lines_[header + 1].indent <= first.indent)
      ++header;
    size_t body = bodyEnd(header, to), end = body;
    bool isBlock = body > header + 1 || lines_[header].opensBlock;
    if (isBlock && isHeaderLead(lines_[header].lead))
      while (end < to && lines_[end].indent == lines_[header].indent &&
             isClause(lines_[end].lead) && lines_[end].lead != Lead::Case)
        end = bodyEnd(end, to);
    if (!tried && wholeUnit(from, end, out)) return end;

    llvm::SmallVector<const Expr*, 2> decorators;
    for (size_t i = from; i < header; ++i)
      decorators.push_back(decorator(lines_[i]));
    const LogicalLine& line = lines_[header];
    if (line.lead == Lead::Decorator) { // nothing to decorate
      decorator(line);
      emit_(Id::InvalidSyntax, Range{line.begin, line.end});
      auto* error = arena_.make<ErrorStmt>({line.begin, line.end});
      out.push_back(error);
      return header + 1;
    }
    auto nothingDecorated = [&] {
      if (header > from)
        emit_(Id::InvalidSyntax, Range{lines_[header - 1].begin, lines_[header - 1].end});
    };
    if (!isHeaderLead(line.lead) || (!isBlock && !wantsBlock(line))) {
      nothingDecorated();
      simple(line, out);
      return header + 1; // lines indented below it are separate statements
    }
    Stmt* statement = this->header(line);
    if (!decorators.empty()) {
      if (auto* def = llvm::dyn_cast<FunctionDef>(statement))
        def->decorators = arena_.copy(decorators);
      else if (auto* cls = llvm::dyn_cast<ClassDef>(statement))
        cls->decorators = arena_.copy(decorators);
      else
        nothingDecorated();
    }
    attachBody(statement, header + 1, body);
    out.push_back(statement);
    return body;
  }

  // `if x` without its colon, and the like: a header although nothing shows its block.
  bool wantsBlock(const LogicalLine& line) const {
    return line.lead != Lead::Match && line.lead != Lead::Case && line.lead != Lead::Async;
  }

  // ------------------------------------------------------------- pieces

  Piece piece(Offset begin, Offset end, llvm::StringRef before, llvm::ArrayRef<Patch> patches,
              llvm::StringRef after) {
    Piece result{{}, {}, begin, end};
    auto insert = [&](llvm::StringRef text) {
      if (text.empty()) return;
      result.insertions.push_back(
          {static_cast<uint32_t>(result.text.size()), static_cast<uint32_t>(text.size())});
      result.text += text;
    };
    insert(before);
    llvm::StringRef seen = seen_.slice(begin, end);
    size_t copied = 0;
    for (const Patch& patch : patches) {
      result.text += seen.slice(copied, patch.at);
      insert(patch.text);
      copied = patch.at;
    }
    result.text += seen.drop_front(copied);
    insert(after);
    return result;
  }
  // Parses a piece; null when it has errors.
  TreeHandle parse(const Piece& piece) { return parseCorrect(piece.text, stop_); }
  // The builder reads names from the unmasked text.
  void build(Piece& piece, const TSTree* tree, StmtList& out, bool isFramed = false) {
    for (const Mask& mask : scan_.masksIn(piece.begin, piece.end)) {
      uint32_t at = mask.at - piece.begin;
      for (const Insertion& insertion : piece.insertions)
        if (insertion.at <= at) at += insertion.length;
      piece.text[at] = text_[mask.at];
    }
    // Names are interned and strings copied, so the piece may go.
    AstBuilder builder(piece.text, piece.begin, arena_, interner_, emit_, piece.insertions);
    if (isFramed)
      builder.blockStatements(ts_tree_root_node(tree), 1, out);
    else
      builder.statements(ts_tree_root_node(tree), out);
  }

  // Whether tree-sitter must not read the lines together: some have problems that it does not see.
  bool anyProblem(size_t from, size_t to) const {
    return llvm::any_of(lines_.slice(from, to - from), [&](const LogicalLine& line) {
      return line.problems > 0 || endsAmid(text_, line);
    });
  }

  // The whole unit at once, where nothing is known to be wrong with it.
  bool wholeUnit(size_t from, size_t to, StmtList& out) {
    if (anyProblem(from, to) || !regular(from, to) || budget_ == 0) return false;
    if (reuse(from, to, out)) return true;
    bool indented = lines_[from].indent > 0;
    Offset begin = indented ? lines_[from].lineStart : lines_[from].begin;
    Piece whole = piece(begin, lines_[to - 1].end, indented ? "if 1:\n" : "", {}, "\n");
    TreeHandle tree;
    if (!isKnownBroken(from, to)) tree = parse(whole);
    if (!tree) {
      spend(lines_[to - 1].end - begin);
      return false;
    }
    build(whole, tree.get(), out, indented);
    return true;
  }
  bool isKnownBroken(size_t from, size_t to) const {
    auto [first, end] = known_.broken;
    return first < end && from <= first && end <= to;
  }
  // The unit as it was in an earlier version of the chunk.
  bool reuse(size_t from, size_t to, StmtList& out) {
    if (!known_.earlier) return false;
    auto row = known_.earlier->statementsAt({lines_[from].begin, lines_[to - 1].end},
                                            lines_[from].lineStart);
    if (row.statements.empty()) return false;
    uint32_t moved = arena_.nextId() - row.firstId;
    for (const Stmt* stmt : cloneShifted(row.statements, arena_, {row.moved, moved}))
      out.push_back(const_cast<Stmt*>(stmt)); // freshly copied and not shared
    arena_.setNextId(row.statements.back()->id + 1 + moved);
    return true;
  }
  // Blocks occur only after headers, and every dedent goes to an existing level.
  bool regular(size_t from, size_t to) const {
    llvm::SmallVector<uint32_t, 8> levels{lines_[from].indent};
    for (size_t i = from + 1; i < to; ++i) {
      bool opens = lines_[i - 1].opensBlock;
      if (opens != (lines_[i].indent > levels.back())) return false;
      if (opens) levels.push_back(lines_[i].indent);
      while (levels.size() > 1 && levels.back() > lines_[i].indent)
        levels.pop_back();
      if (levels.back() != lines_[i].indent || levels.size() > 90) return false;
    }
    return !lines_[to - 1].opensBlock;
  }

  // ------------------------------------------------------------- broken lines

  // Each look starts a parser, whose search for a way to go on costs as much as a line of this many
  // bytes, however short the line is.
  static constexpr size_t leastSpent = 64;
  void spend(size_t bytes) { budget_ -= std::min(budget_, std::max(bytes, leastSpent)); }
  // Nested too deeply to be read at all.
  bool isTooDeep(const LogicalLine& line) const {
    return llvm::any_of(scan_.problemsOf(line), [](const ScanProblem& p) {
      return p.kind == ScanProblemKind::TooManyBrackets;
    });
  }
  // Broken lines that are too long, or of which there were too many, get no second look.
  bool isWorthRepair(const LogicalLine& line) const {
    return budget_ > 0 && line.end - line.begin <= longestRepair && !isTooDeep(line);
  }
  static constexpr size_t longestRepair = 1 << 16;

  // The statements of one line within a frame, repaired if need be; false when it cannot be read.
  bool readLine(const LogicalLine& line, Frame frame, StmtList& out) {
    auto after = [&](bool opens) { return opens ? llvm::StringRef(frame.after) : "\n"; };
    TreeHandle asItStands;
    if (!line.problems) {
      Piece plain = piece(line.begin, line.end, frame.before, {}, after(line.opensBlock));
      asItStands = parseAny(plain.text, stop_);
      if (isCorrect(asItStands.get())) {
        build(plain, asItStands.get(), out);
        return true;
      }
    }
    if (!isWorthRepair(line)) {
      // Without a tree it is not known whether it is a mistake.
      bool isTooLong = !asItStands && line.end - line.begin > longestRead;
      if (!line.problems && isTooLong)
        emit_(Id::ReadingStopped, Range{line.begin, line.begin},
              "this statement has more names and operators than gluond reads in one; it goes on "
              "after it");
      else if (!line.problems)
        emit_(Id::InvalidSyntax, Range{line.begin, line.end});
      return false;
    }
    spend(line.end - line.begin);
    llvm::StringRef text = text_.slice(line.begin, line.end);
    std::vector<Patch> patches = repairLine(text, line.lead);
    constexpr size_t mostPatches = 100; // a line that lacks more is no Python
    if (!patches.empty() && patches.size() <= mostPatches) {
      Piece repaired = piece(line.begin, line.end, frame.before, patches,
                             after(line.opensBlock || patches.back().text == ":"));
      if (TreeHandle tree = parse(repaired)) {
        reportPatches(text, line.begin, patches, emit_);
        build(repaired, tree.get(), out);
        return true;
      }
    }
    if (!line.problems) reportFirstError(text_, line, frame.before.size(), asItStands.get(), emit_);
    return false;
  }

  const Expr* errorExpr(Range range) { return arena_.make<ErrorExpr>(range); }

  void simple(const LogicalLine& line, StmtList& out) {
    size_t before = out.size();
    if (readLine(line, {"", "\n"}, out) && out.size() > before) return;
    // The assigned names stay known.
    if (Stmt* assign = brokenAssignment(line))
      out.push_back(assign);
    else
      out.push_back(arena_.make<ErrorStmt>({line.begin, line.end}));
  }

  // `targets = <something broken>`
  Stmt* brokenAssignment(const LogicalLine& line) {
    if (budget_ == 0 || isTooDeep(line)) return nullptr;
    auto type = static_cast<Offset>(lengthOfForeignType(text_.slice(line.begin, line.end)));
    llvm::StringRef text = text_.slice(line.begin + type, line.end).take_front(longestRepair);
    size_t equal = 0;
    for (int depth = 0; equal < text.size(); ++equal) {
      char c = text[equal];
      if (c == '(' || c == '[' || c == '{')
        ++depth;
      else if (c == ')' || c == ']' || c == '}')
        --depth;
      else if (c == '"' || c == '\'' || c == '#' || c == '\n')
        return nullptr;
      else if (c == '=' && depth == 0)
        break;
    }
    if (equal == 0 || equal + 1 >= text.size() || text[equal + 1] == '=' ||
        llvm::StringRef("<>!").contains(text[equal - 1]))
      return nullptr;
    Offset begin = line.begin + type;
    Piece target = piece(begin, begin + static_cast<Offset>(equal) + 1, "", {}, " __\n");
    TreeHandle tree = parse(target);
    if (!tree) return nullptr;
    llvm::SmallVector<Stmt*, 1> built;
    build(target, tree.get(), built);
    if (built.size() != 1) return nullptr;
    const Expr* value = errorExpr({begin + static_cast<Offset>(equal) + 1, line.end});
    built[0]->range = {line.begin, line.end};
    if (auto* assign = llvm::dyn_cast<Assign>(built[0]))
      assign->value = value;
    else if (auto* augmented = llvm::dyn_cast<AugAssign>(built[0]))
      augmented->value = value;
    else if (auto* annotated = llvm::dyn_cast<AnnAssign>(built[0]))
      annotated->value = value;
    else
      return nullptr;
    return built[0];
  }

  const Expr* decorator(const LogicalLine& line) {
    LogicalLine expression = line;
    expression.begin = std::min(line.begin + 1, line.end);
    while (expression.begin < line.end && text_[expression.begin] == ' ')
      ++expression.begin;
    llvm::SmallVector<Stmt*, 1> built;
    if (expression.begin < line.end && readLine(expression, {"", "\n"}, built) && built.size() == 1)
      if (auto* stmt = llvm::dyn_cast<ExprStmt>(built[0])) return stmt->value;
    if (expression.begin == line.end)
      emit_(Id::ExpectedExpression, Range{line.begin, line.end}, "a decorator");
    return errorExpr({line.begin, line.end});
  }

  // ------------------------------------------------------------- headers

  // The statement of a header, with a placeholder as its body.
  Stmt* header(const LogicalLine& line) {
    llvm::SmallVector<Stmt*, 1> built;
    if (readLine(line, frameOf(line.lead), built) && built.size() == 1) {
      built[0]->range = {line.begin, line.end};
      return built[0];
    }
    return headerPlaceholder(text_, line, arena_, interner_);
  }

  // The statements of lines [from, to), or those after the header's own colon if there are no such
  // lines.
  Stmts bodyOf(size_t from, size_t to, Stmts inLine, Offset& end) {
    llvm::SmallVector<Stmt*, 8> body;
    block(from, to, false, body);
    if (body.empty()) return inLine;
    end = std::max(end, body.back()->range.end);
    return arena_.copy(body);
  }

  // Gives a header its body, lines [from, to).
  void attachBody(Stmt* statement, size_t from, size_t to) {
    bool isStandIn = lines_[from - 1].opensBlock || from < to || needsColon(lines_[from - 1]);
    auto keep = [&](Stmts body) { return isStandIn ? Stmts() : body; };
    Offset end = statement->range.end;
    switch (statement->kind) {
    case NodeKind::FunctionDef: {
      auto* def = llvm::cast<FunctionDef>(statement);
      def->body = bodyOf(from, to, keep(def->body), end);
      break;
    }
    case NodeKind::ClassDef: {
      auto* cls = llvm::cast<ClassDef>(statement);
      cls->body = bodyOf(from, to, keep(cls->body), end);
      break;
    }
    case NodeKind::For: {
      auto* loop = llvm::cast<For>(statement);
      loop->body = bodyOf(from, to, keep(loop->body), end);
      break;
    }
    case NodeKind::While: {
      auto* loop = llvm::cast<While>(statement);
      loop->body = bodyOf(from, to, keep(loop->body), end);
      break;
    }
    case NodeKind::If: {
      auto* branch = llvm::cast<If>(statement);
      branch->body = bodyOf(from, to, keep(branch->body), end);
      break;
    }
    case NodeKind::With: {
      auto* with = llvm::cast<With>(statement);
      with->body = bodyOf(from, to, keep(with->body), end);
      break;
    }
    case NodeKind::Try: {
      auto* attempt = llvm::cast<Try>(statement);
      attempt->body = bodyOf(from, to, keep(attempt->body), end);
      break;
    }
    case NodeKind::Match: {
      auto* match = llvm::cast<Match>(statement);
      match->cases = {};
      llvm::SmallVector<MatchCase, 4> cases;
      for (size_t i = from; i < to;)
        i = matchCase(i, to, cases, end);
      match->cases = arena_.copy(cases);
      break;
    }
    default:
      break;
    }
    statement->range.end = end;
  }
  bool needsColon(const LogicalLine& line) const {
    // It was repaired by a colon at its end: the body is a placeholder.
    if (line.end - line.begin > longestRepair || isTooDeep(line)) return false;
    std::vector<Patch> patches = repairLine(text_.slice(line.begin, line.end), line.lead);
    return !patches.empty() && patches.back().text == ":";
  }

  size_t matchCase(size_t from, size_t to, llvm::SmallVectorImpl<MatchCase>& cases, Offset& end) {
    size_t body = bodyEnd(from, to);
    const LogicalLine& line = lines_[from];
    llvm::SmallVector<Stmt*, 1> built;
    MatchCase entry;
    if (line.lead != Lead::Case) {
      emit_(Id::ExpectedToken, Range{line.begin, line.end}, "case");
    } else if (readLine(line, frameOf(Lead::Case), built) && built.size() == 1) {
      if (auto* match = llvm::dyn_cast<Match>(built[0]); match && match->cases.size() == 1)
        entry = match->cases[0];
    }
    if (!entry.pattern) entry.pattern = errorExpr({line.begin, line.end});
    end = std::max(end, line.end);
    entry.body =
        bodyOf(from + 1, body, line.opensBlock || body > from + 1 ? Stmts() : entry.body, end);
    cases.push_back(entry);
    return body;
  }

  // elif, else, except, finally: belongs to the statement before it.
  size_t clause(size_t from, size_t to, StmtList& out) {
    const LogicalLine& line = lines_[from];
    size_t body = bodyEnd(from, to);
    Stmt* owner = out.empty() ? nullptr : out.back();
    // `else` and `elif` belong to the last elif of the chain.
    Offset end = line.end;
    llvm::SmallVector<Stmt*, 1> built;
    Stmt* read = nullptr;
    if (line.lead != Lead::Case && readLine(line, frameOf(line.lead), built) && built.size() == 1)
      read = built[0];
    Stmts inLine;
    bool isStandIn = line.opensBlock || body > from + 1 || needsColon(line);
    bool attached = false;
    auto* branch = llvm::dyn_cast_or_null<If>(owner);
    llvm::SmallVector<If*, 8> elifs;
    while (branch && branch->orelse.size() == 1 && llvm::isa<If>(branch->orelse[0]) &&
           isElif(branch->orelse[0])) {
      elifs.push_back(branch);
      branch = const_cast<If*>(llvm::cast<If>(branch->orelse[0]));
    }
    if (elifs.size() + 100 > AstBuilder::maxDepth) {
      emit_(Id::NestingTooDeep, Range{line.begin, line.end}, AstBuilder::maxDepth);
      return body;
    }
    switch (line.lead) {
    case Lead::Elif:
      if (branch && branch->orelse.empty()) {
        const If* parsed = nullptr;
        if (auto* whole = llvm::dyn_cast_or_null<If>(read); whole && whole->orelse.size() == 1)
          parsed = llvm::dyn_cast<If>(whole->orelse[0]);
        auto* next = arena_.make<If>({line.begin, line.end});
        next->test = parsed ? parsed->test : errorExpr({line.begin, line.end});
        next->body = bodyOf(from + 1, body, parsed && !isStandIn ? parsed->body : Stmts(), end);
        next->range.end = end;
        branch->orelse = arena_.copy(llvm::ArrayRef<const Stmt*>(next));
        attached = true;
      }
      break;
    case Lead::Else: {
      if (auto* whole = llvm::dyn_cast_or_null<If>(read); whole && !isStandIn)
        inLine = whole->orelse;
      Stmts* orelse = nullptr;
      if (branch && branch->orelse.empty())
        orelse = &branch->orelse;
      else if (auto* loop = llvm::dyn_cast_or_null<For>(owner))
        orelse = &loop->orelse;
      else if (auto* whileLoop = llvm::dyn_cast_or_null<While>(owner))
        orelse = &whileLoop->orelse;
      else if (auto* attempt = llvm::dyn_cast_or_null<Try>(owner))
        orelse = &attempt->orelse;
      if (orelse) {
        *orelse = bodyOf(from + 1, body, inLine, end);
        attached = true;
      }
      break;
    }
    case Lead::Except:
      if (auto* attempt = llvm::dyn_cast_or_null<Try>(owner)) {
        ExceptHandler handler{
            errorExpr({line.begin, line.end}), {}, {}, {line.begin, line.end}, false};
        if (auto* whole = llvm::dyn_cast_or_null<Try>(read); whole && whole->handlers.size() == 1)
          handler = whole->handlers[0];
        handler.body = bodyOf(from + 1, body, isStandIn ? Stmts() : handler.body, end);
        handler.range = {line.begin, end};
        auto [it, isNew] = handlers_.try_emplace(attempt);
        if (isNew) llvm::append_range(it->second, attempt->handlers);
        it->second.push_back(handler);
        attached = true;
      }
      break;
    case Lead::Finally:
      if (auto* attempt = llvm::dyn_cast_or_null<Try>(owner)) {
        if (auto* whole = llvm::dyn_cast_or_null<Try>(read); whole && !isStandIn)
          inLine = whole->finalbody;
        attempt->finalbody = bodyOf(from + 1, body, inLine, end);
        attached = true;
      }
      break;
    default:
      break;
    }
    if (attached) {
      for (If* outer : elifs)
        outer->range.end = std::max(outer->range.end, end);
      if (branch) branch->range.end = std::max(branch->range.end, end);
      owner->range.end = std::max(owner->range.end, end);
      return body;
    }
    // No statement to belong to; its body is read all the same.
    emit_(Id::InvalidSyntax, Range{line.begin, line.end});
    out.push_back(arena_.make<ErrorStmt>({line.begin, line.end}));
    block(from + 1, body, false, out);
    return body;
  }
  bool isElif(const Stmt* stmt) const {
    return text_.substr(stmt->range.begin).starts_with("elif");
  }

  llvm::StringRef text_, seen_;
  const LineScan& scan_;
  llvm::ArrayRef<LogicalLine> lines_;
  NodeArena& arena_;
  Interner& interner_;
  Reporter& emit_;
  size_t& budget_;
  Stop stop_;
  const Known& known_;
  unsigned depth_ = 0;
  // Collects the clauses of statements whose clauses are parsed one by one.
  llvm::MapVector<Try*, llvm::SmallVector<ExceptHandler, 2>> handlers_;
};

} // namespace

void recoverChunk(llvm::StringRef text, llvm::StringRef seen, const LineScan& scan,
                  llvm::ArrayRef<LogicalLine> chunk, NodeArena& arena, Interner& interner,
                  Reporter& emit, size_t& budget, Stop stop, const Known& known,
                  AstBuilder::StmtList& out) {
  Recovery(text, seen, scan, chunk, arena, interner, emit, budget, stop, known).run(out);
}

} // namespace gluond::syntax
