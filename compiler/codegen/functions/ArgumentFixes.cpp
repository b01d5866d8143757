#include "codegen/functions/ArgumentFixes.h"

#include "codegen/builder/Values.h"
#include "evaluate/triton/EarlierCalls.h"
#include "language/types/Builtin.h"
#include "language/types/Structure.h"
#include "syntax/tree/CallEnd.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Spread.h"
#include "text/PartWithEdits.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::codegen {

using diagnostics::Fix;
using diagnostics::FixId;
using language::BuiltinKind;
using language::TypeKind;
using syntax::Call;
using syntax::Expr;
using syntax::Node;

namespace {

// What one cannot be passed for another of.
enum class Kind : uint8_t {
  Number,
  Tensor,
  Pointer,
  Shared,
  TensorMemory,
  Descriptor,
  List,
  Dtype,
  Layout,
  Text,
  Function,
  None, // the result of a call that gives none, or a missing tensor: nobody means it elsewhere
  Other,
};

Kind kindOf(const language::Type* type) {
  if (type->is(TypeKind::SharedMemoryDescriptor)) return Kind::Shared;
  if (type->is(TypeKind::TensorMemoryDescriptor)) return Kind::TensorMemory;
  if (type->is(TypeKind::TensorDescriptor)) return Kind::Descriptor;
  if (type->isPointer() || (type->isTensor() && type->element()->isPointer())) return Kind::Pointer;
  if (type->isTensor()) return Kind::Tensor;
  return type->isScalar() ? Kind::Number : Kind::Other;
}

Kind kindOf(Value value) {
  if (auto* ir = value.as<language::IrObject>()) return kindOf(ir->type);
  if (value.as<language::LayoutObject>()) return Kind::Layout;
  Value plain = value.unwrapped();
  if (plain.isIntegral() || plain.is(ValueKind::Float)) return Kind::Number;
  if (plain.is(ValueKind::Str)) return Kind::Text;
  if (plain.is(ValueKind::Type)) return Kind::Dtype;
  if (plain.is(ValueKind::Function) || plain.is(ValueKind::Builtin)) return Kind::Function;
  if (plain.isNone()) return Kind::None;
  return language::isSequence(plain) ? Kind::List : Kind::Other;
}

bool isBlockOfIntegers(Value value) {
  auto* ir = value.as<language::IrObject>();
  return ir && ir->type->isTensor() && ir->type->element()->isInt() &&
         !ir->type->element()->isBool();
}

constexpr size_t mostArguments = 6; // of a call whose arguments are exchanged

Fix textFix(std::vector<text::Edit> edits, const std::string& text) {
  return {diagnostics::fixTitle(FixId::TryText, text), std::move(edits)};
}

// The texts of arguments, as they stand in the call.
class Texts {
public:
  explicit Texts(const text::SourceText& source, const Call& call)
      : source_(source), args_(call.args) {}

  std::string operator[](size_t i) const { return source_.slice(args_[i]->range).str(); }

  Fix swapped(size_t i, size_t j) const {
    std::string all;
    for (size_t k = i; k <= j; ++k)
      all += (k == i ? "" : ", ") + (*this)[k == i ? j : k == j ? i : k];
    return textFix({{args_[i]->range, (*this)[j]}, {args_[j]->range, (*this)[i]}}, all);
  }
  // The argument `from` before the one at `to`, and those between them after it.
  Fix moved(size_t from, size_t to) const {
    std::vector<text::Edit> edits;
    std::string all;
    for (size_t k = to; k <= from; ++k) {
      std::string text = (*this)[k == to ? from : k - 1];
      all += (k == to ? "" : ", ") + text;
      edits.push_back({args_[k]->range, std::move(text)});
    }
    return textFix(std::move(edits), all);
  }
  // The argument `i` and the one after it as one sum.
  Fix added(size_t i) const {
    const Expr* addend = args_[i + 1];
    auto* sum = llvm::dyn_cast<syntax::BinOp>(addend);
    using enum syntax::BinaryOp;
    bool bindsTighter =
        (sum && llvm::is_contained({Add, Sub, Mult, Div, FloorDiv, Mod}, sum->op)) ||
        llvm::isa<syntax::NameExpr, syntax::Constant, syntax::Attribute, syntax::Subscript, Call>(
            addend);
    std::string text = bindsTighter ? (*this)[i + 1] : "(" + (*this)[i + 1] + ")";
    text::Range from{args_[i]->range.end, addend->range.end};
    return textFix({{from, " + " + text}}, (*this)[i] + " + " + text);
  }
  Fix inList(size_t begin, size_t end) const {
    text::Range range{args_[begin]->range.begin, args_[end - 1]->range.end};
    std::string list = "[" + source_.slice(range).str() + "]";
    return textFix({{range, list}}, list);
  }

private:
  const text::SourceText& source_;
  syntax::Exprs args_;
};

Fix calledFix(const Expr* function, llvm::StringRef text) {
  text::Offset end = function->range.end;
  return textFix({{{end, end}, "()"}}, text.str() + "()");
}

// A function that needs no arguments, or a layout's class that needs none.
bool isCallable(Value value) {
  Value plain = value.unwrapped();
  if (!plain.is(ValueKind::Builtin)) return false;
  const language::Builtin& row = *plain.asBuiltin();
  bool isOne = row.kind == BuiltinKind::Rule || row.kind == BuiltinKind::Layout;
  return isOne && llvm::none_of(row.parameters, [](const auto& parameter) {
           return parameter.defaultKind == language::DefaultKind::Required;
         });
}

} // namespace

void offerCalled(const IrBuilder& emit, Reported& reported, Value value, const Expr* written) {
  if (!isCallable(value)) return;
  std::string called = emit.sourceText(written).str() + "()";
  reported.fix(FixId::TryText, {{written->range, called}}, called);
}

std::vector<Fix> otherArguments(const IrBuilder& emit, const Call& call, language::Values values) {
  std::vector<Fix> fixes;
  const text::SourceText* source = emit.source();
  size_t count = call.args.size();
  if (!source || values.size() != count || syntax::spreadsArguments(call)) return fixes;
  Texts texts(*source, call);
  llvm::SmallVector<Kind, 8> kinds;
  for (Value value : values)
    kinds.push_back(kindOf(value));

  for (size_t i = 0; i < count; ++i)
    if (isCallable(values[i])) fixes.push_back(calledFix(call.args[i], texts[i]));
  // load(p, offsets) for load(p + offsets).
  for (size_t i = 0; i + 1 < count; ++i)
    if (kinds[i] == Kind::Pointer && isBlockOfIntegers(values[i + 1]))
      fixes.push_back(texts.added(i));
  auto isExchanged = [&](size_t i, size_t j) {
    return kinds[i] != kinds[j] && kinds[i] != Kind::None && kinds[j] != Kind::None;
  };
  // Neighbours are swapped more often than others.
  if (count <= mostArguments)
    for (size_t distance = 1; distance < count; ++distance)
      for (size_t i = 0; i + distance < count; ++i)
        if (isExchanged(i, i + distance)) fixes.push_back(texts.swapped(i, i + distance));
  // store(p, offsets, value) for store(value, p, offsets).
  for (size_t i = 2; i < count && count <= mostArguments; ++i)
    if (isExchanged(i, 0)) fixes.push_back(texts.moved(i, 0));
  // A list and the numbers that follow are passed as they should be: only calls without a list.
  if (llvm::is_contained(kinds, Kind::List)) return fixes;
  for (size_t begin = 0; begin < count; ++begin) {
    if (kinds[begin] != Kind::Number || (begin && kinds[begin - 1] == Kind::Number)) continue;
    size_t end = begin;
    while (end < count && kinds[end] == Kind::Number)
      ++end;
    for (; end > begin; --end)
      fixes.push_back(texts.inList(begin, end));
  }
  return fixes;
}

bool isUnfinished(const IrBuilder& emit, const Node* node) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  if (!call) return false;
  text::Offset argumentsEnd = call->func->range.end;
  for (const Expr* argument : call->args)
    argumentsEnd = std::max(argumentsEnd, argument->range.end);
  for (const syntax::Keyword& keyword : call->keywords)
    argumentsEnd = std::max(argumentsEnd, keyword.value->range.end);
  // The text is empty in Triton's own library, whose calls are complete.
  llvm::StringRef text = emit.sourceText(call);
  return !text.empty() && (argumentsEnd >= call->range.end || !text.ends_with(")"));
}

void offerUncalled(const IrBuilder& emit, Reported& reported, const Node* node) {
  auto* call = llvm::dyn_cast_if_present<Call>(node);
  if (!call || !call->args.empty() || !call->keywords.empty()) return;
  reported.fix(FixId::TryText, {{{call->func->range.end, call->range.end}, ""}},
               emit.sourceText(call->func));
}

void offerNamesake(const IrBuilder& emit, Reported& reported, const Call& call,
                   llvm::StringRef parameter, std::optional<size_t> position) {
  if (!emit.source()) return;
  std::vector<std::string> names;
  emit.forEachVariable([&](llvm::StringRef name, Value value) {
    if (name == parameter && !value.isUnknown()) names.push_back(name.str());
  });
  // acc = mma(a, b), but not x = where(x > 0, x)
  auto isPassed = [&](const std::string& name) {
    return llvm::any_of(call.args, [&](const Expr* each) { return emit.sourceText(each) == name; });
  };
  if (const syntax::FunctionDef* def = emit.definition())
    for (const Node* each : syntax::pathFrom(def->body, call.range.begin))
      if (auto* assign = llvm::dyn_cast<syntax::Assign>(each);
          assign && assign->value == &call && assign->targets.size() == 1)
        if (auto* target = llvm::dyn_cast<syntax::NameExpr>(assign->targets.front()))
          if (std::string name = emit.sourceText(target).str();
              !llvm::is_contained(names, name) && !isPassed(name))
            names.push_back(name);
  if (parameter == "axis") names.push_back("0");
  text::Offset end = syntax::endOfArguments(call);
  // By position where it is the next one.
  bool isNext = call.keywords.empty() && position == call.args.size();
  bool isFirst = call.args.empty() && call.keywords.empty();
  for (const std::string& name : names) {
    std::string text = isNext ? name : parameter.str() + "=" + name;
    reported.fix(FixId::TryText, {{{end, end}, (isFirst ? "" : ", ") + text}},
                 emit.sourceText(call.func).str() + (isFirst ? "(" : "(..., ") + text + ")");
  }
}

bool offerPresentForm(const IrBuilder& emit, Reported& reported, const language::Builtin& builtin,
                      const Call& call) {
  if (!emit.source()) return false;
  const text::SourceText& source = *emit.source();
  llvm::SmallVector<llvm::StringRef, 4> keywords;
  for (const syntax::Keyword& each : call.keywords)
    keywords.push_back(emit.names().text(each.name.name));
  auto form = syntax::spreadsAny(call) ? std::nullopt
                                       : evaluate::earlierForm(builtin, call.args.size(), keywords);
  if (!form) return false;
  std::vector<text::Edit> edits;
  text::Offset before = call.func->range.end; // the end of what comes before an argument
  for (auto [i, now] : llvm::enumerate(form->names)) {
    bool isPositional = i < call.args.size();
    const syntax::Keyword* keyword = isPositional ? nullptr : &call.keywords[i - call.args.size()];
    const Expr* value = keyword ? keyword->value : call.args[i];
    text::Offset begin = keyword ? keyword->name.range.begin : value->range.begin;
    // Parentheses around an argument do not belong to its node.
    llvm::StringRef between = source.slice({before, begin});
    llvm::StringRef assigned =
        keyword ? source.slice({keyword->name.range.end, value->range.begin}) : "";
    if ((i > 0 && between.contains('(')) || assigned.contains('(')) return false;
    if (now.empty()) {
      std::string text = source.slice(value->range).str();
      std::replace(text.begin(), text.end(), '\'', '"');
      if (i == 0 || text != form->defaults[i]) return false;
      edits.push_back({{before, value->range.end}, ""});
    } else if (keyword) {
      if (now != emit.names().text(keyword->name.name)) return false;
    } else if (!edits.empty() || i >= builtin.parameters.size() ||
               builtin.parameters[i].kind != language::ParameterKind::Positional ||
               llvm::StringRef(builtin.parameters[i].name) != now) {
      edits.push_back({{begin, begin}, now + "="});
    }
    before = value->range.end;
  }
  if (edits.empty()) return false;
  std::string text = text::withEdits(source, call.range, edits);
  reported.fix(FixId::UseText, std::move(edits), text);
  return true;
}

} // namespace gluond::codegen
