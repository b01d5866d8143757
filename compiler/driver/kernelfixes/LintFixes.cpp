#include "driver/kernelfixes/LintFixes.h"

#include "driver/kernelfixes/LayoutRewrite.h"
#include "driver/kernelfixes/LocalNames.h"
#include "driver/kernelfixes/PhaseFixes.h"
#include "driver/kernelfixes/SuggestedText.h"
#include "layout/named/Spelling.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::driver {

using syntax::Call;
using syntax::Expr;
using syntax::Node;
using text::Edit;
using text::SourceText;

namespace {

const EvaluatedFile::Part* partOf(const EvaluatedFile& program, diagnostics::FileId file) {
  for (const EvaluatedFile::Part& part : program.parts())
    if (part.file->id() == file) return &part;
  return nullptr;
}

// ---- Statements and calls.

const syntax::Stmt* statementAt(const syntax::SyntaxTree& tree, text::Offset at) {
  for (const Node* node : syntax::pathFrom(tree.body(), at))
    if (auto* statement = llvm::dyn_cast<syntax::Stmt>(node)) return statement;
  return nullptr;
}

const Call* callAt(const syntax::SyntaxTree& tree, text::Range at) {
  const Call* found = nullptr;
  for (const Node* node : syntax::pathTo(tree.body(), at.begin))
    if (auto* call = llvm::dyn_cast<Call>(node); call && (!found || call->range == at))
      found = call;
  return found;
}

// A function of Gluon that the suggestion names without its module, called by the name under which
// the file imports it.
std::string importedName(const std::string& text, const syntax::SyntaxTree& tree) {
  const SourceText& source = tree.source();
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> modules[] = {
      {"fence_", "gl.nvidia.hopper."}, {"tcgen05_", "gl.nvidia.blackwell."}};
  auto* row =
      llvm::find_if(modules, [&](const auto& each) { return text.starts_with(each.first.str()); });
  if (row == std::end(modules)) return text;
  llvm::StringRef all = source.text(),
                  name = llvm::StringRef(text).take_until([](char c) { return c == '('; });
  for (const syntax::Stmt* each : tree.body())
    if (auto* from = llvm::dyn_cast<syntax::ImportFrom>(each))
      for (const syntax::Alias& alias : from->names)
        if (!alias.asName.name && alias.path.size() == 1 &&
            tree.interner().text(alias.path.front().name) == name)
          return text;
  size_t at = all.find(name);
  while (at != llvm::StringRef::npos) {
    llvm::StringRef line = source.line(source.lineOf(static_cast<text::Offset>(at))).ltrim();
    if (at > 0 && all[at - 1] == '.') {
      size_t begin = all.find_last_of(" \t\n(", at);
      return all.slice(begin == llvm::StringRef::npos ? 0 : begin + 1, at).str() + text;
    }
    if (line.starts_with(name)) return text;
    at = all.find(name, at + 1);
  }
  return row->second.str() + text;
}

std::optional<Edit> insertion(const std::string& text, text::Range at,
                              const syntax::SyntaxTree& tree, bool isAfter) {
  const SourceText& source = tree.source();
  const syntax::Stmt* statement = statementAt(tree, at.begin);
  if (!statement) return std::nullopt;
  uint32_t line = source.lineOf(statement->range.begin);
  llvm::StringRef indent = source.slice({source.lineStart(line), statement->range.begin});
  if (!indent.trim(" \t").empty()) return std::nullopt; // not the first of its line
  if (!isAfter)
    return Edit{{statement->range.begin, statement->range.begin}, text + "\n" + indent.str()};
  return Edit{{statement->range.end, statement->range.end}, "\n" + indent.str() + text};
}

// Returns the call at `here` with the suggested text. Arguments of another call are only duplicated
// if they are cheap: names.
std::optional<Edit> replacement(std::string text, text::Range at, const SuggestedCalls& calls) {
  const Call* other = calls.other ? calls.other : calls.here;
  if (!calls.here || calls.here->range != at || !other || other->args.empty()) return std::nullopt;
  const Expr* first = other->args.front();
  bool isName = llvm::isa<syntax::NameExpr>(first);
  if (other != calls.here && !isName) return std::nullopt;
  if (!isName && !llvm::isa<Call>(first)) text = "(" + text + ")";
  return Edit{calls.here->range, std::move(text)};
}

// The comparisons at the places with `<` for `<=` and `>` for `>=`. Returns nullopt if one of them
// has another operator.
std::optional<diagnostics::Fix> excludeBounds(llvm::ArrayRef<diagnostics::Location> places,
                                              const syntax::SyntaxTree& tree) {
  const SourceText& source = tree.source();
  std::vector<Edit> edits;
  std::string shown;
  for (const diagnostics::Location& place : places) {
    const syntax::Compare* compare = nullptr;
    for (const Node* node : syntax::pathTo(tree.body(), place.range.begin))
      if (auto* each = llvm::dyn_cast<syntax::Compare>(node); each && each->range == place.range)
        compare = each;
    if (!compare || compare->ops.size() != 1) return std::nullopt;
    text::Range between{compare->left->range.end, compare->comparators.front()->range.begin};
    size_t at = source.slice(between).find('=');
    if (at == llvm::StringRef::npos ||
        !llvm::is_contained({syntax::CompareOp::LtE, syntax::CompareOp::GtE}, compare->ops.front()))
      return std::nullopt;
    auto equal = static_cast<text::Offset>(between.begin + at);
    std::string below = source.slice({compare->range.begin, equal}).str() +
                        source.slice({equal + 1, compare->range.end}).str();
    shown += (shown.empty() ? "" : ", ") + below;
    edits.push_back({compare->range, std::move(below)});
  }
  if (edits.empty()) return std::nullopt;
  return diagnostics::Fix{{diagnostics::fixTitle(diagnostics::FixId::TryText, shown)},
                          std::move(edits)};
}

// Moves an assignment of the whole call at `at` to one name, directly in a loop, before the loop.
// Returns no edits if the loop assigns what it reads, or assigns the name again.
std::vector<Edit> hoisting(text::Range at, const syntax::SyntaxTree& tree) {
  const SourceText& source = tree.source();
  const syntax::Assign* assign = nullptr;
  const syntax::Stmt* loop = nullptr;
  for (const Node* node : syntax::pathFrom(tree.body(), at.begin)) {
    auto* statement = llvm::dyn_cast<syntax::Stmt>(node);
    if (!statement) continue;
    if (!assign) {
      assign = llvm::dyn_cast<syntax::Assign>(statement);
      if (!assign) return {};
    } else {
      if (llvm::isa<syntax::For, syntax::While>(statement)) loop = statement;
      break;
    }
  }
  if (!loop || assign->value->range != at || assign->targets.size() != 1 ||
      !llvm::isa<syntax::NameExpr>(assign->targets.front()))
    return {};
  llvm::DenseSet<Name> assigned, read;
  unsigned times = 0;
  Name name = llvm::cast<syntax::NameExpr>(assign->targets.front())->name;
  syntax::forEachChild(*loop, [&](const Node& child) {
    if (&child == assign) return;
    llvm::DenseSet<Name> here;
    addAssigned(child, here);
    times += here.contains(name);
    assigned.insert(here.begin(), here.end());
  });
  addAssigned(*loop, assigned);
  addNames(*assign->value, read);
  if (times || llvm::any_of(read, [&](Name each) { return assigned.contains(each); })) return {};
  uint32_t first = source.lineOf(assign->range.begin), last = source.lineOf(assign->range.end);
  if (last + 1 >= source.lineCount() ||
      !source.slice({source.lineStart(first), assign->range.begin}).trim(" \t").empty())
    return {};
  uint32_t line = source.lineOf(loop->range.begin);
  std::string indent = source.slice({source.lineStart(line), loop->range.begin}).str();
  return {
      {{loop->range.begin, loop->range.begin}, source.slice(assign->range).str() + "\n" + indent},
      {{source.lineStart(first), source.lineStart(last + 1)}, ""}};
}

} // namespace

std::optional<diagnostics::Fix> lintFix(const lints::Suggestion& suggestion,
                                        const SuggestionPlaces& places,
                                        llvm::ArrayRef<text::Range> launch,
                                        const EvaluatedFile& program, LayoutExpressions& layouts) {
  const diagnostics::Location& at = places.at;
  const EvaluatedFile::Part* part = partOf(program, at.file);
  if (!part) return std::nullopt;
  const syntax::SyntaxTree& tree = *part->tree;
  const SourceText& source = tree.source();
  llvm::SmallVector<const Call*, 4> copies;
  for (const diagnostics::Location& copy : places.copies)
    copies.push_back(callAt(tree, copy.range));
  SuggestedCalls calls{callAt(tree, at.range),
                       places.arguments ? callAt(tree, places.arguments->range) : nullptr, copies,
                       statementAt(tree, at.range.begin),
                       suggestion.kind == lints::Suggestion::Kind::InsertAfter};
  auto text = fillSuggestion(suggestion.text, calls, tree);
  auto title = fillSuggestion(suggestion.title.text, calls, tree);
  if (!text || !title) return std::nullopt;
  *text = importedName(*text, tree);
  using Kind = lints::Suggestion::Kind;
  std::optional<Edit> edit;
  std::vector<Edit> edits;
  switch (suggestion.kind) {
  case Kind::ReplaceLayout: {
    const Call* call = layouts.find(suggestion.from, at.range.begin, launch, tree);
    if (!call || (suggestion.onlyAlone && !layouts.isOnly(suggestion.from, tree))) break;
    auto rewrite = rewriteLayout(*call, suggestion.from, suggestion.to, tree);
    if (!rewrite || rewrite->edits.empty()) break;
    std::string layout; // in one line
    for (llvm::StringRef line : llvm::split(rewrite->text, '\n'))
      layout += (layout.empty() || layout.ends_with("(") || line.trim() == ")" ? "" : " ") +
                line.trim().str();
    auto replace = diagnostics::fixTitle(diagnostics::FixId::UseLayout, layout);
    if (rewrite->isForOneLaunch)
      replace = diagnostics::fixTitle(diagnostics::FixId::ForThisLaunch, replace.text);
    return diagnostics::Fix{std::move(replace), std::move(rewrite->edits)};
  }
  case Kind::InsertBefore:
  case Kind::InsertAfter:
    edit = insertion(*text, at.range, tree, suggestion.kind == Kind::InsertAfter);
    break;
  case Kind::FlipAfter:
    if (const syntax::Stmt* last = calls.here ? lastUseOfPhase(*calls.here, tree) : nullptr)
      edit = insertion(*text, last->range, tree, true);
    break;
  case Kind::ExcludeBound:
    return excludeBounds(places.copies, tree);
  case Kind::OtherPhase:
    return calls.here ? otherPhase(*calls.here, tree) : std::nullopt;
  case Kind::ReplaceNumber:
  case Kind::ReplaceLast:
    if (const Call* call = calls.here) {
      const Expr* last = nullptr;
      auto take = [&](const Expr* argument) {
        if (suggestion.kind == Kind::ReplaceLast || writtenNumber(argument)) last = argument;
      };
      llvm::for_each(call->args, take);
      for (const syntax::Keyword& keyword : call->keywords)
        take(keyword.value);
      if (last) edit = Edit{last->range, *text};
    }
    break;
  case Kind::ReplaceCall:
    edit = replacement(*text, at.range, calls);
    break;
  case Kind::Hoist:
    edits = hoisting(at.range, tree);
    break;
  case Kind::Remove:
    if (const syntax::Stmt* statement = statementAt(tree, at.range.begin)) {
      uint32_t first = source.lineOf(statement->range.begin),
               last = source.lineOf(statement->range.end);
      bool hasMore = last + 1 < source.lineCount();
      // Its lines may contain nothing else but a comment after it, which stays.
      llvm::StringRef before = source.slice({source.lineStart(first), statement->range.begin}),
                      after = source.line(last).drop_front(statement->range.end -
                                                           source.lineStart(last));
      llvm::StringRef comment = after.ltrim(" \t");
      if (!before.trim(" \t").empty() || source.slice(statement->range).contains('#')) break;
      if (comment.starts_with("#"))
        edit = Edit{{statement->range.begin,
                     static_cast<text::Offset>(comment.data() - source.text().data())},
                    ""};
      else if (comment.trim().empty())
        edit = Edit{{source.lineStart(first), hasMore ? source.lineStart(last + 1) : source.size()},
                    ""};
    }
    break;
  }
  if (edit) edits.push_back(std::move(*edit));
  if (edits.empty()) return std::nullopt;
  diagnostics::Fix fix{{suggestion.title}, std::move(edits)};
  fix.title.text = *title;
  // An expression removed with a statement may have had a side effect, and a statement whose result
  // is not used may be the first half of two: its writer types the use next, and a fix on save must
  // not take it away meanwhile.
  if (suggestion.kind == Kind::Remove)
    fix.title.applicability = diagnostics::Applicability::Suggested;
  return fix;
}

} // namespace gluond::driver
