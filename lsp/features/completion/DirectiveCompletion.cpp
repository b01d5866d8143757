// Completion in comments of gluond's own: `# gluond: launch(...)` and `# gluond: ignore[code]`.
#include "chips/Chip.h"
#include "diagnostics/Table.h"
#include "driver/program/Directives.h"
#include "evaluate/launches/LaunchOptions.h"
#include "lsp/features/completion/Completer.h"
#include "syntax/parser/Keywords.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using namespace syntax;

void Completer::directive() {
  text::Offset lineStart = source_.lineStart(source_.lineOf(offset_));
  llvm::StringRef before = source_.slice({lineStart, offset_});
  std::optional<llvm::StringRef> marked;
  for (size_t at = before.find('#'); at != llvm::StringRef::npos; at = before.find('#', at + 1))
    if (auto rest = driver::afterGluondMark(before.drop_front(at + 1))) marked = rest;
  if (!marked) return;
  llvm::StringRef typed = *marked;
  if (typed.starts_with("launch(")) return launchArguments(typed);
  llvm::StringRef codes = typed;
  bool isCode = codes.consume_front("ignore") && (codes = codes.ltrim()).consume_front("[");
  if (isCode) {
    if (codes.contains(']')) return;
    typed = codes.contains(',') ? codes.rsplit(',').second.ltrim() : codes;
  }
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; };
  if (!llvm::all_of(typed, isPart)) return;
  llvm::StringRef after = source_.slice({offset_, source_.size()}).take_while(isPart);
  context_.word = {offset_ - static_cast<text::Offset>(typed.size()),
                   offset_ + static_cast<text::Offset>(after.size())};
  if (!isCode) {
    add("ignore", CompletionKind::Keyword, "silences the warnings and hints of this line");
    add("ignore[]", CompletionKind::Keyword, "silences those with the codes in the brackets");
    add("launch()", CompletionKind::Keyword, "a launch of the kernel below");
    return;
  }
  for (llvm::StringRef given : llvm::split(codes.drop_back(typed.size()), ','))
    seen_.insert(given.trim());
  for (const diagnostics::Row& row : diagnostics::table())
    if (row.severity != diagnostics::Severity::Error)
      add(row.slug, CompletionKind::Constant, diagnostics::severityName(row.severity).str(),
          row.meaning.str());
}

// The kernel that a comment at `offset` describes: the next function of Gluon below it.
const FunctionDef* Completer::describedKernel() const {
  const FunctionDef* next = nullptr;
  auto visit = [&](auto&& self, const Node& node) -> void {
    auto* def = llvm::dyn_cast<FunctionDef>(&node);
    if (def && def->name.range.begin > offset_ &&
        (!next || def->name.range.begin < next->name.range.begin))
      next = def;
    if (!next) forEachChild(node, [&](const Node& child) { self(self, child); });
  };
  for (const Stmt* each : file_.tree->body())
    if (!next) visit(visit, *each);
  return next && roleOf(*file_.tree, file_.index, *next) == GluonRole::Kernel ? next : nullptr;
}

void Completer::launchArguments(llvm::StringRef typed) {
  // The argument that the cursor is in, and the names of those before it.
  llvm::StringRef name, value;
  size_t begin = typed.find('(') + 1;
  unsigned depth = 0;
  char quote = 0;
  for (size_t at = begin; at <= typed.size(); ++at) {
    char c = at < typed.size() ? typed[at] : ',';
    bool isEnd = at == typed.size();
    if (quote && !isEnd) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return; // the place is after it
      --depth;
    }
    if (!isEnd && (c != ',' || depth)) continue;
    auto [before, after] = typed.slice(begin, at).split('=');
    name = before.trim(" \t"), value = after;
    if (!isEnd) seen_.insert((name + "=").str());
    begin = at + 1;
  }
  const FunctionDef* kernel = describedKernel();
  if (!kernel) return;
  auto isNamePart = [](char c) { return isIdentifierPart(c); };
  auto wordOf = [&](llvm::StringRef part) {
    text::Offset end = offset_;
    while (end < source_.size() && isNamePart(source_.text()[end]))
      ++end;
    context_.word = {offset_ - static_cast<text::Offset>(part.size()), end};
  };
  if (quote) { // a value in quotes: a target, or the type of a parameter
    llvm::StringRef part = value.ltrim(" \t").drop_front();
    wordOf(part);
    if (name == "target") {
      for (const chips::Chip& chip : chips::allChips())
        if (!chip.products.empty())
          add(chip.target, CompletionKind::Value, (chip.architecture + ": " + chip.products).str(),
              "", 0);
    } else if (llvm::any_of(kernel->parameters, [&](const Parameter& each) {
                 return names_.text(each.name.name) == name && !isConstexpr(each);
               })) {
      for (llvm::StringRef type : {"fp16", "bf16", "fp32", "fp64", "i8", "i32", "i64"})
        for (llvm::StringRef divisible : {":16", ""})
          for (llvm::StringRef pointer : {"*", ""})
            if (divisible.empty() || !pointer.empty() || type.starts_with("i"))
              add((pointer + type + divisible).str(), CompletionKind::Value,
                  divisible.empty() ? ""
                  : pointer.empty() ? "divisible by 16"
                                    : "aligned to 16 bytes");
    }
    return;
  }
  if (!value.empty() || !llvm::all_of(name, isNamePart)) return;
  wordOf(name);
  for (const Parameter& parameter : kernel->parameters)
    add((names_.text(parameter.name.name) + "=").str(), CompletionKind::Argument,
        isConstexpr(parameter) ? "gl.constexpr" : "a type: \"*fp16:16\", \"i32\"", "", 0);
  add("target=", CompletionKind::Argument, "the GPU: \"cuda:90\"");
  for (const evaluate::LaunchOptionRow& option : evaluate::launchOptionRows())
    if (!option.documentation.empty())
      add((option.name + "=").str(), CompletionKind::Argument, "launch option",
          option.documentation.str());
}

} // namespace gluond::lsp
