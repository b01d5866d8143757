#include "codegen/builder/KernelFixes.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Values.h"
#include "language/JitDecorator.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "releases/ApiChanges.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>

namespace gluond::codegen {

using diagnostics::FixId;
using diagnostics::Id;
using language::LayoutObject;
using syntax::Call;
using syntax::Expr;
using syntax::NameExpr;
using syntax::Node;
using syntax::Stmt;

bool isGluonLanguage(const language::ModuleObject& module) {
  return module.name == "triton.experimental.gluon.language";
}

std::string jitDecorator(syntax::Stmts body, const Interner& names,
                         const text::SourceText& source) {
  for (const Stmt* statement : body)
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(statement))
      for (const Expr* each : function->decorators)
        if (language::isJitDecorator(each, names)) {
          auto* call = llvm::dyn_cast<Call>(each);
          return source.slice(call ? call->func->range : each->range).str();
        }
  return {};
}

std::string primaryText(const IrBuilder& emit, const Node* node) {
  std::string text = emit.sourceText(node).str();
  bool isPrimary = llvm::isa<NameExpr, syntax::Attribute, Call, syntax::Subscript>(node);
  return isPrimary ? text : "(" + text + ")";
}

std::string nameOf(const IrBuilder& emit, llvm::StringRef module, llvm::StringRef member) {
  std::string through;
  const language::Scope* globals = emit.globals();
  if (!globals) return member.str();
  for (auto [name, value] : *globals) {
    llvm::StringRef text = emit.names().text(name);
    if (text == member) return text.str();
    auto* held = value.as<language::ModuleObject>();
    if (held && held->name == module) through = text.str();
  }
  if (!through.empty()) return through + "." + member.str();
  llvm::StringRef rest = module;
  rest.consume_front("triton.experimental.gluon.language");
  return emit.languageName() + rest.str() + "." + member.str();
}

static const Stmt* statementAround(const IrBuilder& emit, const Node* node) {
  const syntax::FunctionDef* def = emit.definition();
  if (!def) return nullptr;
  for (const Node* each : syntax::pathFrom(def->body, node->range.begin))
    if (auto* statement = llvm::dyn_cast<Stmt>(each)) return statement;
  return nullptr;
}

// The variable whose value is used: acc in `acc` and in `acc.to(...)`.
static const NameExpr* variableIn(const Node* node) {
  if (auto* call = llvm::dyn_cast_if_present<Call>(node)) node = call->func;
  if (auto* member = llvm::dyn_cast_if_present<syntax::Attribute>(node)) node = member->value;
  return llvm::dyn_cast_if_present<NameExpr>(node);
}

Reported notWaitedFor(IrBuilder& emit, Value accumulator, const Node* node) {
  Reported reported = emit.error(Id::AccumulatorNotWaited, node,
                                 accumulator.as<language::IrObject>()->type->element());
  const Stmt* statement = statementAround(emit, node);
  const text::SourceText* source = emit.source();
  const NameExpr* variable = variableIn(node);
  if (!variable || !statement || !source || emit.languageName().empty()) return reported;
  text::Offset begin = statement->range.begin;
  std::string indent = source->slice({source->lineStart(source->lineOf(begin)), begin}).str();
  if (!llvm::StringRef(indent).trim(" \t").empty()) return reported;
  std::string name = emit.sourceText(variable).str();
  std::string wait =
      name + " = " +
      nameOf(emit, "triton.experimental.gluon.language.nvidia.hopper", "warpgroup_mma_wait") +
      "(num_outstanding=0, deps=(" + name + ",))";
  return reported.fix(FixId::WaitForAccumulator, {{{begin, begin}, wait + "\n" + indent}}, wait);
}

// ---------------------------------------------------------------- layouts

// Returns the position of the only `None` among colons; nullopt for another index.
static std::optional<size_t> expandedDim(const Expr* index) {
  auto* tuple = llvm::dyn_cast<syntax::Tuple>(index);
  if (!tuple) return std::nullopt;
  std::optional<size_t> dim;
  for (auto [i, each] : llvm::enumerate(tuple->elements)) {
    auto* constant = llvm::dyn_cast<syntax::Constant>(each);
    if (constant && constant->constant == syntax::ConstantKind::None && !dim)
      dim = i;
    else if (!llvm::isa<syntax::Slice>(each))
      return std::nullopt;
  }
  return dim;
}

static void collectExpansions(const Node& node, Name name, llvm::SmallSet<size_t, 4>& dims) {
  if (auto* subscript = llvm::dyn_cast<syntax::Subscript>(&node))
    if (auto* value = llvm::dyn_cast<NameExpr>(subscript->value); value && value->name == name)
      if (auto dim = expandedDim(subscript->index)) dims.insert(*dim);
  syntax::forEachChild(node, [&](const Node& child) { collectExpansions(child, name, dims); });
}

// Returns the name that the statement assigns the whole value of the call around `node` to.
static const NameExpr* assignedFrom(const Stmt* statement) {
  auto* assign = llvm::dyn_cast_if_present<syntax::Assign>(statement);
  return assign && assign->targets.size() == 1 ? llvm::dyn_cast<NameExpr>(assign->targets.front())
                                               : nullptr;
}

void offerSlice(IrBuilder& emit, Reported& reported, const Node* layout, size_t rank,
                const LayoutObject& value) {
  auto has = language::rankOf(value);
  std::string language = emit.languageName();
  if (!reported.isWorthSearching() || !has || *has != rank + 1 || language.empty() ||
      !llvm::isa_and_present<NameExpr, syntax::Attribute, Call>(layout))
    return;
  llvm::SmallSet<size_t, 4> dims;
  const NameExpr* target = assignedFrom(statementAround(emit, layout));
  if (target)
    for (const Stmt* each : emit.definition()->body)
      collectExpansions(*each, target->name, dims);
  auto offer = [&](size_t dim, bool isSure) {
    std::string text = language + ".SliceLayout(" + std::to_string(dim) + ", " +
                       emit.sourceText(layout).str() + ")";
    std::vector<text::Edit> edits{{layout->range, text}};
    if (isSure)
      reported.fix(FixId::SliceAsUsed, std::move(edits), text);
    else
      reported.fix(FixId::UseSliceLayout, std::move(edits), text);
  };
  if (dims.size() == 1) return offer(*dims.begin(), true);
  for (size_t dim = *has; dim-- > 0;)
    offer(dim, false);
}

// Whether a dimension may be missing because it should not be gone: in the result of a reduction,
// or in what is added to an accumulator.
static bool mayBeReducedByMistake(const IrBuilder& emit, const Node* node) {
  static constexpr llvm::StringLiteral reductions[] = {"sum",     "max",    "min",    "reduce",
                                                       "xor_sum", "argmax", "argmin", "reduce_or"};
  if (auto* call = llvm::dyn_cast<Call>(node))
    if (auto* member = llvm::dyn_cast<syntax::Attribute>(call->func))
      if (llvm::is_contained(reductions, emit.names().text(member->attribute.name))) return true;
  return llvm::isa_and_present<syntax::AugAssign>(statementAround(emit, node));
}

void offerExpansion(IrBuilder& emit, Reported& reported, const Type* operand, const Type* other,
                    const Node* node) {
  const LayoutObject* layout = operand->layout();
  if (!node || !layout || !llvm::isa<Expr>(node) ||
      other->shape().size() != operand->shape().size() + 1)
    return;
  const Value* parent = language::field(*layout, "parent");
  const Value* dim = language::field(*layout, "dim");
  auto* whole = parent ? parent->as<LayoutObject>() : nullptr;
  // The layout of an intermediate result equals the written one but is another object.
  if (!whole || !other->layout() || !dim || !dim->isIntegral() ||
      (whole != other->layout() && emit.text(whole) != emit.text(other->layout())))
    return;
  // x[:] is x.
  auto* subscript = llvm::dyn_cast<syntax::Subscript>(node);
  bool isWhole = subscript && emit.sourceText(subscript->index).trim() == ":";
  std::string text = primaryText(emit, isWhole ? subscript->value : node) + "[";
  for (size_t i = 0; i < other->shape().size(); ++i)
    text += (i ? ", " : "") + std::string(int64_t(i) == dim->asInt() ? "None" : ":");
  text += "]";
  if (mayBeReducedByMistake(emit, node))
    reported.fix(FixId::TryText, {{node->range, text}}, text);
  else
    reported.fix(FixId::ExpandOperand, {{node->range, text}}, text);
}

// The text between an argument by name and the arguments before or after it.
static text::Range withSeparator(const syntax::Call& call, const syntax::Keyword& keyword) {
  text::Range all{keyword.name.range.begin, keyword.value->range.end};
  text::Offset before = 0, after = call.range.end;
  auto look = [&](text::Offset begin, text::Offset end) {
    if (end < all.begin) before = std::max(before, end);
    if (begin > all.end) after = std::min(after, begin);
  };
  for (const syntax::Expr* argument : call.args)
    look(argument->range.begin, argument->range.end);
  for (const syntax::Keyword& each : call.keywords)
    look(each.name.range.begin, each.value->range.end);
  if (before) return {before, all.end};
  return {all.begin, after == call.range.end ? all.end : after};
}

void offerRemoval(IrBuilder& emit, Reported& reported, const Call& call,
                  const syntax::Keyword& keyword) {
  if (!emit.source()) return;
  text::Range written{keyword.name.range.begin, keyword.value->range.end};
  reported.fix(FixId::RemoveCharacter, {{withSeparator(call, keyword), ""}},
               emit.source()->slice(written));
}

// Whether other functions of Gluon have the parameter, such as a layout, which pointers have
// already.
static bool isOfAnyFunction(llvm::StringRef parameter) {
  return llvm::any_of(language::builtins(), [&](const language::Builtin& row) {
    return llvm::any_of(row.parameters,
                        [&](const auto& each) { return llvm::StringRef(each.name) == parameter; });
  });
}

void offerKeyword(IrBuilder& emit, Reported& reported, const Node* node, Name keyword,
                  const Nearest& nearest, llvm::StringRef lacking) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  bool isNearest = nearest.isClear() || lacking.empty();
  llvm::StringRef meant = isNearest ? nearest.name() : lacking;
  if (!call) return;
  for (const syntax::Keyword& written : call->keywords) {
    if (written.name.name != keyword) continue;
    if (meant.empty()) {
      if (isOfAnyFunction(emit.names().text(keyword))) offerRemoval(emit, reported, *call, written);
      continue;
    }
    std::vector<text::Edit> edits{{written.name.range, meant.str()}};
    llvm::StringRef name = emit.names().text(keyword);
    if (!isNearest)
      reported.fix(FixId::TryText, std::move(edits), meant);
    else if (nearest.isClear())
      reported.fix(FixId::CorrectSpelling, std::move(edits), name, meant);
    else
      reported.fix(FixId::DidYouMean, std::move(edits), name, meant);
  }
}

// Whether a variable of the function that is compiled is known to be something else than a number
// at run time: a descriptor, a block, or what is constant already.
static bool isNoRunTimeNumber(const IrBuilder& emit, llvm::StringRef name) {
  bool isOther = false;
  emit.forEachVariable([&](llvm::StringRef each, Value value) {
    if (each != name || value.isUnknown()) return;
    const Type* type = IrBuilder::isIr(value) ? irTypeOf(value) : nullptr;
    isOther = !type || !type->isScalar();
  });
  return isOther;
}

static void offerConstexpr(IrBuilder& emit, Reported& reported, const Written& written) {
  auto* name = llvm::dyn_cast_if_present<NameExpr>(written.node);
  if (written && !name) // one of the names in the expression
    syntax::forEachChild(*written.node, [&](const Node& child) {
      auto* part = llvm::dyn_cast<NameExpr>(&child);
      bool isOther = part && isNoRunTimeNumber(emit, emit.names().text(part->name));
      Written inner = written;
      inner.node = &child;
      if (!isOther) offerConstexpr(emit, reported, inner);
    });
  const syntax::FunctionDef* def =
      written && !written.frames.empty() ? written.frames.back().function->def : nullptr;
  std::string language = emit.languageName();
  if (!name || !def || language.empty()) return;
  std::string annotation = language + ".constexpr";
  auto isAnnotated = [&](const syntax::Expr* given) {
    return given && written.locations->file().text->slice(given->range) == annotation;
  };
  for (const syntax::Parameter& each : def->parameters)
    if (each.name.name == name->name && !each.defaultValue && !isAnnotated(each.annotation)) {
      text::Edit edit = each.annotation ? text::Edit{each.annotation->range, annotation}
                                        : text::Edit{{each.name.range.end, each.name.range.end},
                                                     ": " + annotation};
      reported.fixWritten(FixId::MakeConstexpr, {edit}, emit.names().text(name->name));
    }
  Assignment assigned = lastAssignment(def->body, name->name, name->range.begin);
  if (!assigned.value || !assigned.around.empty() || !llvm::isa<NameExpr>(assigned.target)) return;
  auto* plain = llvm::dyn_cast<syntax::Assign>(assigned.stmt);
  auto* annotated = llvm::dyn_cast<syntax::AnnAssign>(assigned.stmt);
  text::Offset end = assigned.target->range.end;
  std::vector<text::Edit> edits;
  if (plain && plain->targets.size() == 1)
    edits = {{{end, end}, ": " + annotation}};
  else if (annotated && !isAnnotated(annotated->annotation))
    edits = {{annotated->annotation->range, annotation}};
  else
    return;
  reported.fixWritten(FixId::AnnotateName, std::move(edits), emit.names().text(name->name),
                      annotation);
}

void offerConstexpr(IrBuilder& emit, Reported& reported, const Node* node) {
  offerConstexpr(emit, reported, emit.written(node));
}

bool offerRenamedKeyword(IrBuilder& emit, Reported& reported, llvm::StringRef function,
                         const Node* node, Name keyword) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  if (!call || !emit.source()) return false;
  llvm::StringRef before = emit.names().text(keyword);
  auto renamed = renamedKeyword(*call, function, before, emit.names(), *emit.source());
  if (renamed) reported.fix(FixId::ReplaceRemoved, std::move(renamed->edits), before, renamed->now);
  return renamed.has_value();
}

std::optional<RenamedKeyword> renamedKeyword(const Call& call, llvm::StringRef function,
                                             llvm::StringRef keyword, const Interner& names,
                                             const text::SourceText& source) {
  auto isGiven = [&](llvm::StringRef name) {
    return llvm::any_of(call.keywords, [&](const syntax::Keyword& each) {
      return names.text(each.name.name) == name;
    });
  };
  for (const syntax::Keyword& each : call.keywords) {
    if (names.text(each.name.name) != keyword) continue;
    llvm::StringRef value = source.slice(each.value->range);
    auto now = releases::newArgument(function, keyword, value, isGiven);
    if (!now) return std::nullopt;
    RenamedKeyword renamed{{{each.name.range, now->parameter.str()}}, now->parameter};
    if (now->value != value) renamed.edits.push_back({each.value->range, now->value});
    return renamed;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- conversions

void offerCast(IrBuilder& emit, Reported& reported, const Node* node, const Type* dtype,
               const Node* pointer) {
  std::string language = emit.languageName();
  bool isNamed = llvm::isa_and_nonnull<syntax::NameExpr>(pointer);
  if (!llvm::isa_and_nonnull<syntax::Expr>(node) || (language.empty() && !isNamed) ||
      !dtype->isScalar())
    return;
  std::string wanted = isNamed ? emit.sourceText(pointer).str() + ".dtype.element_ty"
                               : language + "." + emit.text(dtype);
  std::string cast = primaryText(emit, node) + ".to(" + wanted + ")";
  reported.fix(FixId::TryText, {{node->range, cast}}, cast);
}

void offerBufferType(IrBuilder& emit, Reported& reported, const Node* buffer, const Type* dtype) {
  const Node* owner = buffer;
  while (auto* call = llvm::dyn_cast_if_present<Call>(owner)) { // a view: smem.index(i)
    auto* method = llvm::dyn_cast<syntax::Attribute>(call->func);
    owner = method ? method->value : nullptr;
  }
  if (!emit.source() || !dtype->isScalar()) return;
  auto* made = llvm::dyn_cast_if_present<Call>(assignedValue(emit, owner));
  const syntax::Attribute* written = made ? dtypeIn(*made, emit.names()) : nullptr;
  if (!written) return;
  std::string meant = emit.sourceText(written->value).str() + "." + emit.text(dtype);
  reported.fix(FixId::TryText, {{written->range, meant}}, meant);
}

// ---------------------------------------------------------------- Python's functions

void offerInstead(IrBuilder& emit, Reported& reported, const Node* node) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  std::string language = emit.languageName();
  if (!call || language.empty()) return;
  auto replace = [&](const Node* what, const std::string& text) {
    reported.fix(FixId::UseText, {{what->range, text}}, text);
  };
  // math.sqrt(x), triton.cdiv(a, b): a function of the same name.
  if (auto* attribute = llvm::dyn_cast<syntax::Attribute>(call->func)) {
    llvm::StringRef name = emit.names().text(attribute->attribute.name);
    if (llvm::isa<NameExpr>(attribute->value) &&
        language::findBuiltin(language::ModuleId::gl, name))
      replace(attribute, language + "." + name.str());
    return;
  }
  auto* function = llvm::dyn_cast<NameExpr>(call->func);
  if (!function || call->args.size() != 1 || !call->keywords.empty()) return;
  llvm::StringRef name = emit.names().text(function->name);
  std::string operand = primaryText(emit, call->args.front());
  // Python's float has 64 bits, and its int any number of them.
  auto tryType = [&](const char* type) {
    std::string text = operand + ".to(" + language + "." + type + ")";
    reported.fix(FixId::TryText, {{call->range, text}}, text);
  };
  if (name == "float")
    tryType("float32");
  else if (name == "int")
    tryType("int32");
  else if (name == "len")
    replace(call, operand + ".shape[0]");
  else if (name == "max" || name == "min")
    replace(function, language + "." + name.str());
}

} // namespace gluond::codegen
