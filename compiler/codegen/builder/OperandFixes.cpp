#include "codegen/builder/OperandFixes.h"

#include "codegen/builder/Assignments.h"
#include "codegen/builder/KernelFixes.h"
#include "codegen/builder/Values.h"
#include "codegen/suggestions/Suggest.h"
#include "language/parameters/CalledFunctions.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "layout/named/FieldNames.h"
#include "syntax/tree/CallEnd.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using diagnostics::FixId;
using diagnostics::Id;
using language::LayoutFamily;
using language::LayoutObject;
using language::TypeKind;
using syntax::Attribute;
using syntax::BinOp;
using syntax::Call;
using syntax::Constant;
using syntax::Expr;
using syntax::NameExpr;
using syntax::Node;

namespace {

constexpr size_t mostVariables = 3;

// "[:, None]": a new dimension among `rank`.
std::string expansion(size_t rank, size_t dim) {
  std::string text = "[";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::string(i == dim ? "None" : ":");
  return text + "]";
}

const LayoutObject* parentOf(const LayoutObject& layout) {
  const Value* parent = language::field(layout, layout::fields::parent);
  return parent ? parent->as<LayoutObject>() : nullptr;
}

// A layout in full, with the module's name for the language.
std::string constructorText(const IrBuilder& emit, const LayoutObject* layout) {
  std::string language = emit.languageName(), spelled = emit.text(layout), text;
  if (!spelled.starts_with("gl.") || language.empty()) return {};
  for (llvm::StringRef rest = spelled; !rest.empty();) {
    size_t at = rest.find("gl.");
    text += rest.take_front(at);
    if (at == llvm::StringRef::npos) break;
    text += language + ".";
    rest = rest.drop_front(at + 3);
  }
  return text;
}

const BinOp* firstDivision(const Node& node) {
  if (auto* op = llvm::dyn_cast<BinOp>(&node); op && op->op == syntax::BinaryOp::Div) return op;
  const BinOp* found = nullptr;
  syntax::forEachChild(node, [&](const Node& child) {
    if (!found) found = firstDivision(child);
  });
  return found;
}

// The same in an expression, or in what was assigned to its names.
const BinOp* divisionIn(const IrBuilder& emit, const Node& node, unsigned steps) {
  const BinOp* found = firstDivision(node);
  if (found || steps == 0) return found;
  if (const Expr* value = assignedValue(emit, &node)) return divisionIn(emit, *value, steps - 1);
  syntax::forEachChild(node, [&](const Node& child) {
    if (!found) found = divisionIn(emit, child, steps);
  });
  return found;
}

const Type* memoryTypeOf(Value value) {
  auto* ir = value.as<language::IrObject>();
  bool isMemory = ir && (ir->type->is(TypeKind::SharedMemoryDescriptor) ||
                         ir->type->is(TypeKind::TensorMemoryDescriptor));
  return isMemory ? ir->type : nullptr;
}

} // namespace

std::vector<std::string> variablesThat(const IrBuilder& emit,
                                       llvm::function_ref<bool(Value)> fits) {
  llvm::SmallVector<llvm::StringRef, 0> held;
  emit.forEachVariable([&](llvm::StringRef name, Value value) {
    if (!value.isUnknown() && fits(value)) held.push_back(name);
  });
  std::vector<std::string> names;
  for (llvm::StringRef name : llvm::reverse(held))
    if (names.size() < mostVariables) names.push_back(name.str());
  if (const language::Scope* globals = emit.source() ? emit.globals() : nullptr)
    for (auto [name, value] : *globals)
      if (names.size() < mostVariables && name && value.isConstexpr() && fits(value))
        names.push_back(emit.names().text(name).str());
  return names;
}

std::string layoutText(const IrBuilder& emit, const LayoutObject* layout) {
  auto isEqual = [&](Value value) {
    auto* held = value.as<LayoutObject>();
    return held && (held == layout || language::equal(*held, *layout));
  };
  if (auto names = variablesThat(emit, isEqual); !names.empty()) return names.front();
  std::string language = emit.languageName();
  const LayoutObject* parent = parentOf(*layout);
  const Value* dim = language::field(*layout, layout::fields::dim);
  if (parent && dim && dim->isIntegral() && !language.empty())
    return language + ".SliceLayout(" + std::to_string(dim->asInt()) + ", " +
           layoutText(emit, parent) + ")";
  const Value* index = language::field(*layout, layout::fields::opIdx);
  const Value* width = language::field(*layout, layout::fields::kWidth);
  if (parent && index && index->isIntegral() && width && width->isIntegral() && !language.empty())
    return language + ".DotOperandLayout(" + std::to_string(index->asInt()) + ", " +
           layoutText(emit, parent) + ", " + std::to_string(width->asInt()) + ")";
  return constructorText(emit, layout);
}

std::string sizeText(const IrBuilder& emit, int64_t number) {
  auto names = variablesThat(emit, [&](Value value) {
    return value.isConstexpr() && value.is(ValueKind::Int) && value.unwrapped().asInt() == number;
  });
  return names.size() == 1 && number > 1 ? names.front() : std::to_string(number);
}

const Expr* assignedValue(const IrBuilder& emit, const Node* node) {
  auto* name = llvm::dyn_cast_if_present<NameExpr>(node);
  const syntax::FunctionDef* def = emit.definition();
  if (!name || !def || !emit.source()) return nullptr;
  // Before the statement that reads it: `acc = mma(a, b, acc)` is not where acc comes from.
  text::Offset before = name->range.begin;
  for (const Node* each : syntax::pathFrom(def->body, name->range.begin))
    if (llvm::isa<syntax::Assign, syntax::AugAssign, syntax::AnnAssign>(each))
      before = each->range.begin;
  return lastAssignment(def->body, name->name, before).value;
}

namespace {

Value valueOf(const IrBuilder& emit, const NameExpr& name) {
  Value found = Value::absent();
  llvm::StringRef text = emit.names().text(name.name); // texts of names are kept once
  emit.forEachVariable([&](llvm::StringRef each, Value value) {
    if (each.data() == text.data()) found = value;
  });
  return found;
}

// Visits the expressions that an operand is made of, through the variables that hold tensors.
void forEachSource(const IrBuilder& emit, const Node& node, unsigned steps,
                   llvm::function_ref<void(const Node&)> visit) {
  visit(node);
  if (auto* name = llvm::dyn_cast<NameExpr>(&node)) {
    Value value = valueOf(emit, *name);
    bool isTensorName = value.isAbsent() || isTensor(value);
    const Expr* assigned = steps && isTensorName ? assignedValue(emit, name) : nullptr;
    if (assigned) forEachSource(emit, *assigned, steps - 1, visit);
    return;
  }
  syntax::forEachChild(node, [&](const Node& child) { forEachSource(emit, child, steps, visit); });
}

constexpr unsigned mostNames = 3; // one after the other

} // namespace

const Call* layoutConstructor(const IrBuilder& emit, const Node* operand,
                              llvm::StringRef layoutClass) {
  auto isIt = [&](const Node* node) {
    auto* call = llvm::dyn_cast_if_present<Call>(node);
    return call && language::calledName(call->func, emit.names()) == layoutClass ? call : nullptr;
  };
  const Call* found = nullptr;
  if (!operand || !emit.source()) return found;
  forEachSource(emit, *operand, mostNames, [&](const Node& node) {
    if (found) return;
    found = isIt(&node);
    auto* name = llvm::dyn_cast<NameExpr>(&node);
    if (!found && name && valueOf(emit, *name).as<LayoutObject>())
      found = isIt(assignedValue(emit, name));
  });
  return found;
}

const Expr* constructorArgument(const IrBuilder& emit, const Call& constructor, size_t position,
                                llvm::StringRef name) {
  for (const syntax::Keyword& keyword : constructor.keywords)
    if (emit.names().text(keyword.name.name) == name) return keyword.value;
  return position < constructor.args.size() ? constructor.args[position] : nullptr;
}

void offerLayoutOf(IrBuilder& emit, Reported& reported, const Node* operand,
                   const LayoutObject* own, const LayoutObject* other) {
  if (!operand || !emit.source()) return;
  const LayoutObject *ownParent = parentOf(*own), *otherParent = parentOf(*other);
  auto isHeld = [&](const Node& node, const LayoutObject* layout) {
    auto* name = layout ? llvm::dyn_cast<NameExpr>(&node) : nullptr;
    auto* held = name ? valueOf(emit, *name).as<LayoutObject>() : nullptr;
    return held && (held == layout || language::equal(*held, *layout));
  };
  llvm::SmallVector<text::Range, 4> seen;
  auto offer = [&](const Node& at, const LayoutObject* layout) {
    std::string text = layoutText(emit, layout);
    if (text.empty() || llvm::is_contained(seen, at.range) || text == emit.sourceText(&at)) return;
    seen.push_back(at.range);
    reported.fix(FixId::TryText, {{at.range, text}}, text);
  };
  forEachSource(emit, *operand, mostNames, [&](const Node& node) {
    if (isHeld(node, own)) offer(node, other);
    if (isHeld(node, ownParent) && otherParent && !language::equal(*ownParent, *otherParent))
      offer(node, otherParent);
    auto* call = llvm::dyn_cast<Call>(&node);
    if (call && language::calledName(call->func, emit.names()) == "SliceLayout" && ownParent)
      offer(node, other);
  });
}

namespace {

// Offers the layout that a name has after one iteration for its initial value, where only the
// layouts differ: in the call that makes the tensor, or around any value without a layout of its
// own.
void offerStartLayout(IrBuilder& emit, Reported& reported, const Expr* start, const Type* before,
                      const Type* after) {
  bool isSameBut = before->isTensor() && after->isTensor() && before->layout() && after->layout() &&
                   before->element() == after->element() && before->shape() == after->shape();
  if (!start || !isSameBut) return;
  if (!language::isA(before->layout(), language::LayoutKind::AutoLayout))
    return offerLayoutOf(emit, reported, start, before->layout(), after->layout());
  std::string layout = layoutText(emit, after->layout()), language = emit.languageName();
  if (layout.empty()) return;
  if (auto* call = llvm::dyn_cast<Call>(start)) {
    text::Offset end = call->range.end - 1;
    std::string text = emit.sourceText(start).drop_back().str() + ", layout=" + layout + ")";
    reported.fix(FixId::TryText, {{{end, end}, ", layout=" + layout}}, text);
  }
  if (language.empty()) return;
  std::string text =
      language + ".set_auto_layout(" + emit.sourceText(start).str() + ", " + layout + ")";
  reported.fix(FixId::TryText, {{start->range, text}}, text);
}

} // namespace

void offerStart(IrBuilder& emit, Reported& reported, const Expr* start, const Type* before,
                const Type* after) {
  offerStartLayout(emit, reported, start, before, after);
  std::string language = emit.languageName();
  // `total = 0`, to which floats are added.
  if (llvm::isa_and_present<Constant>(start) && before->isInt() && after->isFloat()) {
    std::string text = emit.sourceText(start).str() + ".0";
    reported.fix(FixId::TryText, {{start->range, text}}, text);
  }
  if (!start || language.empty() || !after->isTensor() || !after->element()->isScalar()) return;
  std::string dtype = language + "." + emit.text(after->element());
  auto* call = llvm::dyn_cast<Call>(start);
  if (call && before->isTensor() && before->shape() == after->shape()) {
    auto offer = [&](const Expr* argument) {
      auto* member = llvm::dyn_cast<Attribute>(argument);
      const language::Builtin* row =
          member ? language::findBuiltin(language::ModuleId::gl,
                                         emit.names().text(member->attribute.name))
                 : nullptr;
      if (row && row->kind == language::BuiltinKind::Dtype)
        reported.fix(FixId::TryText, {{argument->range, dtype}}, dtype);
    };
    for (const Expr* argument : call->args)
      offer(argument);
    for (const syntax::Keyword& keyword : call->keywords)
      offer(keyword.value);
    return;
  }
  auto* number = llvm::dyn_cast<Constant>(start);
  std::string layout = number && after->layout() ? layoutText(emit, after->layout()) : "";
  if (layout.empty() || before->isTensor()) return;
  std::string shape;
  for (int64_t size : after->shape())
    shape += (shape.empty() ? "" : ", ") + sizeText(emit, size);
  std::string text = language + ".full([" + shape + "], " + emit.sourceText(start).str() + ", " +
                     dtype + ", " + layout + ")";
  reported.fix(FixId::TryText, {{start->range, text}}, text);
}

void offerText(IrBuilder& emit, Reported& reported, const Node* operand,
               llvm::function_ref<std::string(const Node*)> change) {
  for (const Node* at : {operand, static_cast<const Node*>(assignedValue(emit, operand))}) {
    if (!llvm::isa_and_present<Expr>(at)) continue;
    std::string text = change(at);
    if (!text.empty()) reported.fix(FixId::TryText, {{at->range, text}}, text);
  }
}

void offerVariables(IrBuilder& emit, Reported& reported, const Node* operand,
                    llvm::function_ref<bool(Value)> fits) {
  if (!llvm::isa_and_present<Expr>(operand)) return;
  for (const std::string& name : variablesThat(emit, fits))
    if (name != emit.sourceText(operand))
      reported.fix(FixId::TryText, {{operand->range, name}}, name);
}

void offerLoad(IrBuilder& emit, Reported& reported, const Node* operand, Value value,
               const Node* replaced) {
  const Type* memory = memoryTypeOf(value);
  if (!memory || !llvm::isa_and_present<Expr>(operand)) return;
  std::vector<std::string> layouts = variablesThat(emit, [&](Value held) {
    auto* layout = held.as<LayoutObject>();
    return layout && layout->cls->family == LayoutFamily::Distributed &&
           language::rankOf(*layout) == memory->rank();
  });
  // Tensor memory knows a layout of its own.
  if (layouts.empty() && memory->is(TypeKind::TensorMemoryDescriptor)) layouts.push_back("");
  for (const std::string& layout : layouts) {
    std::string text = primaryText(emit, operand) + ".load(" + layout + ")";
    reported.fix(FixId::TryText, {{(replaced ? replaced : operand)->range, text}}, text);
  }
}

void offerShared(IrBuilder& emit, Reported& reported, const Node* operand, Value value) {
  if (!isTensor(value) || !irTypeOf(value)->isTensor()) return;
  const Expr* assigned = assignedValue(emit, operand);
  for (const Node* each : {operand, static_cast<const Node*>(assigned)}) {
    auto* call = llvm::dyn_cast_if_present<Call>(each);
    auto* method = call ? llvm::dyn_cast<syntax::Attribute>(call->func) : nullptr;
    if (!method || emit.names().text(method->attribute.name) != "load" || call->args.size() > 1)
      continue;
    std::string memory = emit.sourceText(method->value).str();
    reported.fix(FixId::TryText, {{operand->range, memory}}, memory);
    return;
  }
  const Type* tensor = irTypeOf(value);
  offerVariables(emit, reported, operand, [&](Value held) {
    const Type* memory = memoryTypeOf(held);
    return memory && memory->is(TypeKind::SharedMemoryDescriptor) &&
           memory->element() == tensor->element() && memory->shape() == tensor->shape();
  });
}

void offerChoices(IrBuilder& emit, Reported& reported, const Node* argument,
                  llvm::StringRef written, llvm::ArrayRef<std::string> choices) {
  auto* constant = llvm::dyn_cast_if_present<syntax::Constant>(argument);
  llvm::StringRef source = constant ? emit.sourceText(constant) : llvm::StringRef();
  if (source.empty() || (source[0] != '"' && source[0] != '\'')) return;
  Nearest nearest(written);
  llvm::SmallVector<llvm::StringRef, 2> holders; // 'evict_last' for 'last'
  for (const std::string& choice : choices) {
    nearest.offer(choice);
    if (written.size() > 2 && llvm::StringRef(choice).contains(written)) holders.push_back(choice);
  }
  llvm::StringRef meant = nearest.isTied() ? llvm::StringRef() : nearest.name();
  if (holders.size() == 1) meant = holders.front();
  constexpr size_t few = 4;
  for (const std::string& choice : choices) {
    if (meant.empty() ? choices.size() > few : meant != choice) continue;
    std::string text = source[0] + choice + source[0];
    reported.fix(FixId::TryText, {{constant->range, text}}, choice);
  }
}

void offerFloorDivision(IrBuilder& emit, Reported& reported, const Node* node) {
  if (!node || !emit.source()) return;
  constexpr unsigned mostSteps = 3; // through variables
  const BinOp* division = divisionIn(emit, *node, mostSteps);
  if (!division) return;
  llvm::StringRef between =
      emit.source()->slice({division->left->range.end, division->right->range.begin});
  size_t slash = between.find('/');
  if (slash == llvm::StringRef::npos || between.contains('#')) return;
  auto at = static_cast<text::Offset>(division->left->range.end + slash);
  std::string text =
      emit.sourceText(division->left).str() + " // " + emit.sourceText(division->right).str();
  reported.fix(FixId::TryText, {{{at, at + 1}, "//"}}, text);
}

// The range of an operand of a binary operator with the parentheses around it.
static text::Range withParentheses(const text::SourceText& source, const Node& operand) {
  text::Range range = operand.range;
  llvm::StringRef before = source.slice({0, range.begin}).rtrim();
  llvm::StringRef after = source.slice({range.end, source.size()});
  size_t blanks = after.size() - after.ltrim().size();
  if (before.ends_with("(") && after.ltrim().starts_with(")"))
    range = {static_cast<text::Offset>(before.size() - 1),
             static_cast<text::Offset>(range.end + blanks + 1)};
  return range;
}

void offerBothExpansions(IrBuilder& emit, Reported& reported, const Type* a, const Type* b,
                         const Node* atA, const Node* atB) {
  if (!llvm::isa_and_present<Expr>(atA) || !llvm::isa_and_present<Expr>(atB) || !a->layout() ||
      !b->layout() || a->shape().size() != 1 || b->shape().size() != 1 ||
      atA->range.end > atB->range.begin)
    return;
  const LayoutObject *one = parentOf(*a->layout()), *two = parentOf(*b->layout());
  const Value *dimA = language::field(*a->layout(), layout::fields::dim),
              *dimB = language::field(*b->layout(), layout::fields::dim);
  if (!one || !two || !language::equal(*one, *two) || !dimA || !dimB || !dimA->isIntegral() ||
      !dimB->isIntegral() || dimA->asInt() == dimB->asInt())
    return;
  if (!emit.source()) return;
  const text::SourceText& source = *emit.source();
  auto expanded = [&](const Node& operand, text::Range whole, const Value& dim) {
    bool isWrapped = whole.begin != operand.range.begin;
    std::string text = isWrapped ? source.slice(whole).str() : primaryText(emit, &operand);
    return text + expansion(2, static_cast<size_t>(dim.asInt()));
  };
  text::Range rangeA = withParentheses(source, *atA), rangeB = withParentheses(source, *atB);
  std::string textA = expanded(*atA, rangeA, *dimA), textB = expanded(*atB, rangeB, *dimB);
  reported.fix(FixId::TryText, {{rangeA, textA}, {rangeB, textB}},
               textA + source.slice({rangeA.end, rangeB.begin}).str() + textB);
}

void offerSwap(IrBuilder& emit, Reported& reported, const Node* node, const Node* argument) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  if (!call || !emit.source()) return;
  auto at = llvm::find(call->args, argument);
  if (at == call->args.end()) return;
  auto index = static_cast<size_t>(at - call->args.begin());
  for (size_t first : {index, index - 1}) {
    if (first + 1 >= call->args.size() || first > index) continue;
    const Expr *one = call->args[first], *two = call->args[first + 1];
    std::string a = emit.sourceText(one).str(), b = emit.sourceText(two).str();
    reported.fix(FixId::TryText, {{one->range, b}, {two->range, a}}, b + ", " + a);
  }
}

// The user's call max(a, b) or min(a, b) that has a node as its argument of that position, or null.
static const Call* extremeOfTwo(const IrBuilder& emit, const Written& argument, size_t position) {
  if (!argument) return nullptr;
  for (const Node* node :
       syntax::pathTo(argument.locations->file().statements, argument.node->range.begin)) {
    auto* call = llvm::dyn_cast<Call>(node);
    if (!call || call->args.size() != 2 || call->args[position] != argument.node ||
        !call->keywords.empty())
      continue;
    llvm::StringRef name = language::calledName(call->func, emit.names());
    return name == "max" || name == "min" ? call : nullptr;
  }
  return nullptr;
}

void offerElementwise(IrBuilder& emit, Reported& reported, const Node* axis) {
  const Call* call = extremeOfTwo(emit, emit.written(axis), 1);
  std::string language = emit.languageName();
  if (!call || language.empty()) return;
  std::string meant =
      language + "." + language::calledName(call->func, emit.names()).str() + "imum";
  reported.fixWritten(FixId::UseText, {{call->func->range, meant}}, meant);
}

void offerPythonExtreme(IrBuilder& emit, Reported& reported, const Node* input) {
  const Call* call = extremeOfTwo(emit, emit.written(input), 0);
  if (!call || !llvm::isa<Attribute>(call->func)) return;
  llvm::StringRef name = language::calledName(call->func, emit.names());
  reported.fixWritten(FixId::TryText, {{call->func->range, name.str()}}, name);
}

void offerConstructor(Reported& reported, const Written& constructor, const Expr* argument) {
  auto* call = llvm::dyn_cast_if_present<Call>(constructor.node);
  if (!call || !constructor.locations) return;
  const text::SourceText& source = *constructor.locations->file().text;
  // gl.num_warps is meant as gl.num_warps().
  auto offerCall = [&](const Node& node) {
    if (!llvm::isa<syntax::Attribute>(node)) return;
    text::Offset end = node.range.end;
    reported.fixWritten(FixId::TryText, {{{end, end}, "()"}},
                        source.slice(node.range).str() + "()");
  };
  if (argument) {
    offerCall(*argument);
    syntax::forEachChild(*argument, offerCall);
    int64_t written = 0;
    bool isNumber = llvm::isa<syntax::Constant>(argument) &&
                    !source.slice(argument->range).getAsInteger(10, written);
    for (int64_t index : {1, 0})
      if (isNumber && index != written)
        reported.fixWritten(FixId::TryText, {{argument->range, std::to_string(index)}},
                            std::to_string(index));
  }
  constexpr size_t mostSwapped = 3;
  for (size_t i = 0; i + 1 < call->args.size() && call->args.size() <= mostSwapped; ++i) {
    text::Range first = call->args[i]->range, second = call->args[i + 1]->range;
    std::string one = source.slice(first).str(), two = source.slice(second).str();
    reported.fixWritten(FixId::TryText, {{first, two}, {second, one}}, two + ", " + one);
  }
}

void offerEntries(IrBuilder& emit, Reported& reported, const Node* argument) {
  if (!argument || !emit.source()) return;
  llvm::StringRef written = emit.sourceText(argument);
  int64_t number = 0;
  if (llvm::isa<syntax::Constant>(argument) && !written.getAsInteger(10, number) && number != 1)
    reported.fix(FixId::TryText, {{argument->range, "1"}}, "1");
  auto* list = llvm::dyn_cast<syntax::List>(argument);
  if (!list || list->elements.size() != 2) return;
  text::Offset end = list->elements.back()->range.end;
  for (llvm::StringRef last : {"8", "16"})
    reported.fix(FixId::TryText, {{{end, end}, ", " + last.str()}},
                 emit.source()->slice({list->range.begin, end}).str() + ", " + last.str() + "]");
}

void offerMissing(IrBuilder& emit, Reported& reported, const Node* node,
                  llvm::StringRef parameter) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  if (!call || !emit.source()) return;
  std::vector<std::string> values;
  if (parameter == layout::fields::order) {
    size_t rank = 2;
    for (const syntax::Keyword& keyword : call->keywords)
      if (auto* list = llvm::dyn_cast<syntax::List>(keyword.value)) rank = list->elements.size();
    for (const Expr* argument : call->args)
      if (auto* list = llvm::dyn_cast<syntax::List>(argument)) rank = list->elements.size();
    for (size_t each : {rank, size_t(1)}) {
      std::string order = "[";
      for (size_t i = each; i-- > 0;)
        order += std::to_string(i) + (i ? ", " : "]");
      if (!llvm::is_contained(values, order)) values.push_back(order);
    }
  } else if (parameter == "layout") {
    values = variablesThat(emit, [](Value held) { return held.as<LayoutObject>() != nullptr; });
  } else if (parameter == layout::fields::colStride || parameter == "count") {
    values.push_back("1");
  } else if (parameter == "pendings") {
    values.push_back("0");
  } else if (parameter == "phase") {
    values = variablesThat(emit, [](Value held) {
      return held.isIntegral() && !held.isConstexpr() && (held.asInt() | 1) == 1;
    });
    values.push_back("0");
  }
  bool isEmpty = call->args.empty() && call->keywords.empty();
  text::Offset end = syntax::endOfArguments(*call);
  for (const std::string& value : values) {
    std::string text = parameter.str() + "=" + value;
    reported.fix(FixId::TryText, {{{end, end}, (isEmpty ? "" : ", ") + text}},
                 emit.sourceText(call->func).str() + "(" + (isEmpty ? "" : "..., ") + text + ")");
  }
}

Reported invalidAxis(IrBuilder& emit, const Node* at, int64_t axis, int64_t rank) {
  Reported reported = emit.error(Id::InvalidAxis, at, axis, rank);
  Written written = emit.written(at);
  const Node* constant = written.node;
  if (auto* sign = llvm::dyn_cast_if_present<syntax::UnaryOp>(constant)) constant = sign->operand;
  if (written && llvm::isa_and_present<syntax::Constant>(constant) && rank > 0) {
    constant = written.node;
    std::string last = std::to_string(rank - 1);
    reported.fixWritten(FixId::TryText, {{constant->range, last}}, last);
  }
  return reported;
}

} // namespace gluond::codegen
