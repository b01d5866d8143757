#include "driver/LintFixes.h"

#include "driver/LayoutExpression.h"
#include "layout/Spelling.h"
#include "syntax/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using syntax::Call;
using syntax::Expr;
using syntax::Node;
using text::Edit;
using text::SourceText;

namespace {

const Program::Part* partOf(const Program& program, diagnostics::FileId file) {
  for (const Program::Part& part : program.parts())
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

std::string replaced(std::string text, llvm::StringRef what, llvm::StringRef by) {
  for (size_t at = text.find(what.str()); at != std::string::npos;
       at = text.find(what.str(), at + by.size()))
    text.replace(at, what.size(), by.str());
  return text;
}

// Fills in the module that the call's function comes from ("mbarrier." of mbarrier.wait(..)), and
// its arguments.
std::optional<std::string> fill(std::string text, const Call* call, const SourceText& source) {
  if (text.find('{') == std::string::npos) return text;
  if (!call) return std::nullopt;
  std::string module;
  if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(call->func))
    module = source.slice({call->func->range.begin, attribute->attribute.range.begin}).str();
  text = replaced(std::move(text), "{module}", module);
  for (auto [i, argument] : llvm::enumerate(call->args))
    text = replaced(std::move(text), "{" + std::to_string(i) + "}", source.slice(argument->range));
  if (text.find('{') != std::string::npos) return std::nullopt;
  return text;
}

// A fence is called by the name under which the file imports it.
std::string fenceName(const std::string& text, const SourceText& source) {
  llvm::StringRef all = source.text(),
                  name = llvm::StringRef(text).take_until([](char c) { return c == '('; });
  size_t at = all.find(name);
  while (at != llvm::StringRef::npos) {
    llvm::StringRef line = source.line(source.lineOf(static_cast<text::Offset>(at))).ltrim();
    if (at > 0 && all[at - 1] == '.') {
      size_t begin = all.find_last_of(" \t\n(", at);
      return all.slice(begin == llvm::StringRef::npos ? 0 : begin + 1, at).str() + text;
    }
    if (line.starts_with("from ") || line.starts_with(name)) return text;
    at = all.find(name, at + 1);
  }
  return "gl.nvidia.hopper." + text;
}

std::optional<Edit> insertion(const lints::Suggestion& suggestion, text::Range at,
                              const syntax::SyntaxTree& tree, bool isAfter) {
  const SourceText& source = tree.source();
  const syntax::Stmt* statement = statementAt(tree, at.begin);
  auto text = fill(suggestion.text, callAt(tree, at), source);
  if (!statement || !text) return std::nullopt;
  if (llvm::StringRef(*text).starts_with("fence_")) text = fenceName(*text, source);
  uint32_t line = source.lineOf(statement->range.begin);
  llvm::StringRef indent = source.slice({source.lineStart(line), statement->range.begin});
  if (!indent.trim(" \t").empty()) return std::nullopt; // not the first of its line
  if (!isAfter)
    return Edit{{statement->range.begin, statement->range.begin}, *text + "\n" + indent.str()};
  return Edit{{statement->range.end, statement->range.end}, "\n" + indent.str() + *text};
}

// The call at `at`, as the suggestion has it. What is said twice must be cheap to say again: a
// name, where the arguments are those of another call.
std::optional<Edit> replacement(const lints::Suggestion& suggestion, text::Range at,
                                text::Range arguments, const syntax::SyntaxTree& tree) {
  const Call *call = callAt(tree, at), *other = callAt(tree, arguments);
  if (!call || call->range != at || !other || other->args.empty()) return std::nullopt;
  const Expr* first = other->args.front();
  bool isName = llvm::isa<syntax::NameExpr>(first);
  if (other != call && !isName) return std::nullopt;
  auto text = fill(suggestion.text, other, tree.source());
  if (!text) return std::nullopt;
  if (!isName && !llvm::isa<Call>(first)) text = "(" + *text + ")";
  return Edit{call->range, *text};
}

} // namespace

std::optional<diagnostics::Fix> lintFix(const lints::Suggestion& suggestion,
                                        const diagnostics::Location& at,
                                        const diagnostics::Location& arguments,
                                        llvm::ArrayRef<text::Range> launch,
                                        const Program& program) {
  const Program::Part* part = partOf(program, at.file);
  if (!part) return std::nullopt;
  const syntax::SyntaxTree& tree = *part->tree;
  const SourceText& source = tree.source();
  using Kind = lints::Suggestion::Kind;
  std::optional<Edit> edit;
  switch (suggestion.kind) {
  case Kind::ReplaceLayout:
    if (const Call* call = layoutExpression(suggestion.from, at.range.begin, launch, tree)) {
      llvm::StringRef written = source.slice(call->func->range);
      llvm::StringRef before = layout::gluonClass(suggestion.from);
      llvm::StringRef spelled = suggestion.text;
      spelled.consume_front("gl.");
      if (written.ends_with(before)) // "gl." as the file has it
        edit = Edit{call->range, (written.drop_back(before.size()) + spelled).str()};
      else if (spelled.consume_front(before)) // BL(...): imported under a name of its own
        edit = Edit{call->range, (written + spelled).str()};
    }
    break;
  case Kind::InsertBefore:
  case Kind::InsertAfter:
    edit = insertion(suggestion, at.range, tree, suggestion.kind == Kind::InsertAfter);
    break;
  case Kind::ReplaceNumber:
    if (const Call* call = callAt(tree, at.range)) {
      const Expr* last = nullptr;
      for (const Expr* argument : call->args)
        if (writtenNumber(argument)) last = argument;
      for (const syntax::Keyword& keyword : call->keywords)
        if (writtenNumber(keyword.value)) last = keyword.value;
      if (last) edit = Edit{last->range, suggestion.text};
    }
    break;
  case Kind::ReplaceCall:
    edit = replacement(suggestion, at.range, arguments.range, tree);
    break;
  case Kind::Remove:
    if (const syntax::Stmt* statement = statementAt(tree, at.range.begin)) {
      uint32_t first = source.lineOf(statement->range.begin),
               last = source.lineOf(statement->range.end);
      bool hasMore = last + 1 < source.lineCount();
      edit =
          Edit{{source.lineStart(first), hasMore ? source.lineStart(last + 1) : source.size()}, ""};
    }
    break;
  }
  if (!edit) return std::nullopt;
  return diagnostics::Fix{suggestion.title, {std::move(*edit)}};
}

} // namespace gluond::driver
