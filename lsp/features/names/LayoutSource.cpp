#include "lsp/features/names/LayoutSource.h"

#include "lsp/features/facts/FileFacts.h"
#include "lsp/features/names/NameIndex.h"
#include "lsp/features/names/ResolvedName.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::lsp {

using namespace syntax;

namespace {

bool namesLayout(llvm::StringRef name) {
  return !name.empty() && llvm::isUpper(name.front()) && name.ends_with("Layout");
}

// One file, as its text has it.
struct Written {
  const SyntaxTree& tree;
  NameIndex index = NameIndex::build(tree);

  const Interner& names() const { return tree.interner(); }
  // gl.BlockedLayout(...), hopper.x.SomeLayout(...), BL(...) where BL is imported: by names alone,
  // so that it works in code that does not run.
  bool makesLayout(const Node* node) const;
  // Through gl.constexpr(...) and names, to the call that makes the layout; `helpers`: or to any
  // other call that a name is bound to.
  const Expr* writtenBy(const Expr* expression, bool helpers = false) const;
  // Returns the name of Gluon's `dotted` ("BlockedLayout", "amd.AMDMFMALayout") at `offset`, or ""
  // if the file's imports do not lead to it.
  std::string spelled(llvm::StringRef dotted, text::Offset offset) const;
  // Returns an expression with `gl.` replaced by the file's name for Gluon at `offset`.
  tl::expected<std::string, std::string> inFile(llvm::StringRef expression,
                                                text::Offset offset) const;
};

bool Written::makesLayout(const Node* node) const {
  auto* call = llvm::dyn_cast_or_null<Call>(node);
  if (!call) return false;
  if (auto* attribute = llvm::dyn_cast<Attribute>(call->func))
    return namesLayout(names().text(attribute->attribute.name));
  auto* plain = llvm::dyn_cast<NameExpr>(call->func);
  if (!plain) return false;
  if (namesLayout(names().text(plain->name))) return true;
  ResolvedName meaning = resolveName(tree, index, names().text(plain->name), plain->range.begin);
  return meaning.builtin && namesLayout(meaning.builtin->name);
}

std::string Written::spelled(llvm::StringRef dotted, text::Offset offset) const {
  const std::string whole = "triton.experimental.gluon.language." + dotted.str();
  std::string best;
  for (uint32_t id : index.visibleAt(offset)) {
    const Entity& entity = index.entities()[id];
    if (entity.kind != EntityKind::Import || !entity.alias) continue;
    llvm::StringRef name = names().text(entity.name);
    ResolvedName meaning = resolveName(tree, index, name, offset);
    if (meaning.builtin && meaning.builtin->name == dotted.rsplit('.').second) return name.str();
    if (meaning.builtin && meaning.builtin->name == dotted) return name.str();
    if (!meaning.module) continue;
    llvm::StringRef rest = whole;
    if (!rest.consume_front(meaning.module->name) || !rest.starts_with(".")) continue;
    std::string spelling = (name + rest).str();
    if (best.empty() || spelling.size() < best.size()) best = std::move(spelling);
  }
  return best;
}

// The value bound to a name at `range`, when that is one assignment.
const Expr* assignedAt(Stmts body, text::Range range) {
  for (const Node* node : pathTo(body, range.begin)) {
    if (auto* assign = llvm::dyn_cast<Assign>(node))
      for (const Expr* target : assign->targets)
        if (target->range.begin == range.begin && target->range.end == range.end)
          return assign->value;
    if (auto* assign = llvm::dyn_cast<AnnAssign>(node))
      if (assign->target->range.begin == range.begin) return assign->value;
  }
  return nullptr;
}

const Expr* Written::writtenBy(const Expr* expression, bool helpers) const {
  for (unsigned step = 0; expression && step < 8; ++step) {
    if (makesLayout(expression)) return expression;
    if (auto* call = llvm::dyn_cast<Call>(expression)) {
      const Expr* inner = call->args.size() == 1 ? call->args.front() : nullptr;
      const Expr* made = inner ? writtenBy(inner) : nullptr; // gl.constexpr(layout)
      return made ? made : helpers ? call : nullptr;
    }
    if (!llvm::isa<NameExpr>(expression)) return nullptr;
    const Occurrence* here = index.at(expression->range.begin);
    if (!here) return nullptr;
    const Expr* value = nullptr;
    for (const Occurrence& each : index.of(here->entity)) {
      if (!each.binds) continue;
      const Expr* bound = assignedAt(tree.body(), each.range);
      if (!bound || value) return nullptr; // several bindings, or one that is no assignment
      value = bound;
    }
    expression = value;
  }
  return nullptr;
}

} // namespace

std::optional<text::Range> layoutSourceAt(const driver::Snapshot& snapshot,
                                          const std::shared_ptr<const driver::File>& file,
                                          text::Offset offset, driver::Worker& worker,
                                          CancellationToken token) {
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  Written written{*tree};
  for (const Node* node : pathFrom(tree->body(), offset)) {
    if (written.makesLayout(node)) return node->range;
    auto* name = llvm::dyn_cast<NameExpr>(node);
    if (const Expr* call = name ? written.writtenBy(name) : nullptr) return call->range;
  }
  // The value here has a layout: finds the call in this file that makes it.
  auto fact = factAt(snapshot, file, offset, worker, token);
  if (!fact || fact->layout().empty()) return std::nullopt;
  for (bool helpers : {false, true}) {
    for (const codegen::ExpressionFact& each : fact->facts->expressions) {
      if (each.location.file != file->id()) continue;
      const codegen::TypeFact& type = fact->facts->types[each.type];
      if (type.kind != codegen::FactKind::Constexpr || layoutExpression(type) != fact->layout())
        continue;
      for (const Node* node : pathFrom(tree->body(), each.location.range.begin)) {
        if (written.makesLayout(node) && node->range.begin == each.location.range.begin)
          return node->range;
        auto* name = llvm::dyn_cast<NameExpr>(node);
        if (const Expr* call = name ? written.writtenBy(name, helpers) : nullptr)
          return call->range;
      }
    }
  }
  return std::nullopt;
}

namespace {

// "1, [2, 3]" of "[1, [2, 3]]", cut at the commas of the list itself; nothing where it is none.
std::optional<llvm::SmallVector<llvm::StringRef>> listParts(llvm::StringRef text) {
  text = text.trim();
  if (!text.consume_front("[") || !text.consume_back("]")) return std::nullopt;
  llvm::SmallVector<llvm::StringRef> parts;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (c != ',' || depth) continue;
    if (llvm::StringRef part = text.slice(begin, i).trim(); !part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

struct Replacement {
  text::Range range;
  std::string text;
};

// Puts `becomes` in place of `value`, of a list only the elements that differ.
void replaceValue(const Expr* value, llvm::StringRef was, llvm::StringRef becomes,
                  std::vector<Replacement>& out) {
  if (was == becomes) return;
  auto* list = llvm::dyn_cast<List>(value);
  auto before = listParts(was), after = listParts(becomes);
  if (!list || !before || !after || before->size() != after->size() ||
      list->elements.size() != after->size())
    return out.push_back({value->range, becomes.str()});
  for (auto [element, from, to] : llvm::zip_equal(list->elements, *before, *after))
    replaceValue(element, from, to, out);
}

} // namespace

tl::expected<std::string, std::string> layoutText(const driver::Snapshot& snapshot,
                                                  const driver::File& file, text::Range range,
                                                  const std::string& expression,
                                                  llvm::ArrayRef<ArgumentChange> changes,
                                                  CancellationToken token) {
  auto tree = file.tree(snapshot.names(), token);
  if (!tree) return tl::make_unexpected("cancelled");
  Written written{*tree};
  const Call* found = nullptr;
  for (const Node* node : pathTo(tree->body(), range.begin))
    if (node->range.begin == range.begin && node->range.end == range.end)
      if (auto* call = llvm::dyn_cast<Call>(node)) found = call;
  if (!found)
    return tl::make_unexpected("there is no layout at this place, because the file was edited");
  llvm::StringRef source = file.text().text();
  if (changes.empty() || !written.makesLayout(found))
    return written.inFile(expression, range.begin);
  std::vector<Replacement> replacements;
  const text::Offset end = found->range.end - 1; // the parenthesis
  llvm::StringRef last = source.slice(range.begin, end).rtrim();
  const bool needsComma = !last.ends_with(",") && !last.ends_with("(");
  std::string added;
  for (const ArgumentChange& change : changes) {
    const Expr* value = nullptr;
    for (const Keyword& keyword : found->keywords)
      if (written.names().text(keyword.name.name) == change.parameter) value = keyword.value;
    if (!value && change.position < found->args.size()) value = found->args[change.position];
    if (value)
      replaceValue(value, change.was, change.becomes, replacements);
    else // a default until now
      added += (needsComma || !added.empty() ? ", " : "") + change.parameter + "=" + change.becomes;
  }
  if (!added.empty()) replacements.push_back({{end, end}, added});
  llvm::sort(replacements, [](const Replacement& a, const Replacement& b) {
    return a.range.begin < b.range.begin;
  });
  std::string text;
  text::Offset at = range.begin;
  for (const Replacement& each : replacements) {
    if (each.range.begin < at) continue; // a part of one before it
    auto inFile = written.inFile(each.text, range.begin);
    if (!inFile) return inFile;
    text += source.slice(at, each.range.begin);
    text += *inFile;
    at = each.range.end;
  }
  text += source.slice(at, range.end);
  return text;
}

tl::expected<std::string, std::string> Written::inFile(llvm::StringRef expression,
                                                       text::Offset offset) const {
  std::string text;
  llvm::StringRef rest = expression;
  while (!rest.empty()) {
    bool begins =
        text.empty() || !(llvm::isAlnum(text.back()) || llvm::is_contained("_.", text.back()));
    if (!begins || !rest.starts_with("gl.")) {
      text += rest.front();
      rest = rest.drop_front();
      continue;
    }
    llvm::StringRef dotted = rest.drop_front(3).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    std::string name = spelled(dotted, offset);
    if (name.empty())
      return tl::make_unexpected("this file has no import through which gl." + dotted.str() +
                                 " can be named");
    text += name;
    rest = rest.drop_front(3 + dotted.size());
  }
  return text;
}

} // namespace gluond::lsp
