#include "driver/LintFixes.h"

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

// ---- Layout expressions.

std::optional<int64_t> numberOf(const Expr* expr) {
  if (auto* constant = llvm::dyn_cast<syntax::Constant>(expr))
    if (constant->constant == syntax::ConstantKind::Int) return constant->integer;
  return std::nullopt;
}

bool matches(const Expr* written, llvm::ArrayRef<int64_t> values, bool isList) {
  if (!isList) {
    auto number = numberOf(written);
    return !number || *number == values.front();
  }
  syntax::Exprs elements;
  if (auto* list = llvm::dyn_cast<syntax::List>(written))
    elements = list->elements;
  else if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(written))
    elements = tuple->elements;
  else
    return true; // a name: may be anything
  if (elements.size() != values.size()) return false;
  return llvm::all_of(llvm::zip(elements, values), [](auto pair) {
    auto number = numberOf(std::get<0>(pair));
    return !number || *number == std::get<1>(pair);
  });
}

struct LayoutArgument {
  llvm::StringRef name;
  llvm::SmallVector<int64_t, 4> values;
  bool isList = true;
};

// The arguments of the layout's class in order, for the classes that are written with numbers.
llvm::SmallVector<LayoutArgument, 4> argumentsOf(const layout::Layout& layout) {
  auto list = [](const auto& values) {
    return llvm::SmallVector<int64_t, 4>(values.begin(), values.end());
  };
  if (auto* blocked = layout.as<layout::Blocked>())
    return {{"size_per_thread", list(blocked->sizePerThread)},
            {"threads_per_warp", list(blocked->threadsPerWarp)},
            {"warps_per_cta", list(blocked->warpsPerCTA)},
            {"order", list(blocked->order)}};
  if (auto* shared = layout.as<layout::SwizzledShared>())
    return {{"vec", {shared->vec}, false},
            {"per_phase", {shared->perPhase}, false},
            {"max_phase", {shared->maxPhase}, false},
            {"order", list(shared->order)}};
  return {};
}

llvm::StringRef lastName(const Expr* func, Interner& names) {
  if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(func))
    return names.text(attribute->attribute.name);
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(func)) return names.text(name->name);
  return {};
}

// The class's names in a file: its own, and those it is imported under.
llvm::SmallVector<llvm::StringRef, 2> classNames(const layout::Layout& layout,
                                                 const syntax::SyntaxTree& tree) {
  llvm::SmallVector<llvm::StringRef, 2> result{layout::gluonClass(layout)};
  for (const syntax::Stmt* statement : tree.body())
    if (auto* import = llvm::dyn_cast<syntax::ImportFrom>(statement))
      for (const syntax::Alias& alias : import->names)
        if (alias.asName.name && tree.interner().text(alias.path.back().name) == result.front())
          result.push_back(tree.interner().text(alias.asName.name));
  return result;
}

bool makes(const Call& call, llvm::ArrayRef<llvm::StringRef> classes,
           llvm::ArrayRef<LayoutArgument> arguments, Interner& names) {
  if (!llvm::is_contained(classes, lastName(call.func, names))) return false;
  if (call.args.size() > arguments.size()) return false;
  bool hasNumber = false;
  auto agrees = [&](const Expr* written, const LayoutArgument& argument) {
    hasNumber |= llvm::isa<syntax::List, syntax::Tuple>(written) || numberOf(written).has_value();
    return matches(written, argument.values, argument.isList);
  };
  for (auto [i, written] : llvm::enumerate(call.args))
    if (!agrees(written, arguments[i])) return false;
  for (const syntax::Keyword& keyword : call.keywords) {
    const auto* argument = llvm::find_if(arguments, [&](const LayoutArgument& a) {
      return a.name == names.text(keyword.name.name);
    });
    if (argument == arguments.end() || !agrees(keyword.value, *argument)) return false;
  }
  return hasNumber;
}

void findCalls(const Node& node, llvm::ArrayRef<llvm::StringRef> classes,
               llvm::ArrayRef<LayoutArgument> arguments, Interner& names,
               llvm::SmallVectorImpl<const Call*>& out) {
  if (auto* call = llvm::dyn_cast<Call>(&node); call && makes(*call, classes, arguments, names))
    out.push_back(call);
  syntax::forEachChild(
      node, [&](const Node& child) { findCalls(child, classes, arguments, names, out); });
}

// The one expression that makes the layout: in the function around `at`, or else in the file.
const Call* layoutExpression(const layout::Layout& layout, text::Offset at,
                             const syntax::SyntaxTree& tree) {
  auto arguments = argumentsOf(layout);
  if (arguments.empty()) return nullptr;
  auto classes = classNames(layout, tree);
  llvm::SmallVector<const Call*, 4> calls;
  for (const Node* node : syntax::pathFrom(tree.body(), at))
    if (llvm::isa<syntax::FunctionDef>(node)) {
      findCalls(*node, classes, arguments, tree.interner(), calls);
      if (!calls.empty()) return calls.size() == 1 ? calls.front() : nullptr;
    }
  for (const syntax::Stmt* statement : tree.body())
    findCalls(*statement, classes, arguments, tree.interner(), calls);
  return calls.size() == 1 ? calls.front() : nullptr;
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

} // namespace

std::optional<diagnostics::Fix> lintFix(const lints::Suggestion& suggestion,
                                        const diagnostics::Location& at, const Program& program) {
  const Program::Part* part = partOf(program, at.file);
  if (!part) return std::nullopt;
  const syntax::SyntaxTree& tree = *part->tree;
  const SourceText& source = tree.source();
  using Kind = lints::Suggestion::Kind;
  std::optional<Edit> edit;
  switch (suggestion.kind) {
  case Kind::ReplaceLayout:
    if (const Call* call = layoutExpression(suggestion.from, at.range.begin, tree)) {
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
        if (numberOf(argument)) last = argument;
      for (const syntax::Keyword& keyword : call->keywords)
        if (numberOf(keyword.value)) last = keyword.value;
      if (last) edit = Edit{last->range, suggestion.text};
    }
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
