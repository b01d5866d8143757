#include "evaluate/execution/Binding.h"
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/interpreter/UncertainScope.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"
#include "language/JitDecorator.h"
#include "language/values/Integers.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using namespace syntax;

#define GLUOND_TRY(variable, expression)                                                           \
  Value variable = (expression);                                                                   \
  if (variable.isAbsent()) return variable

Value Interpreter::eval(const Expr* expr) {
  // One expression may make far more values than a step's worth: then the limits are looked at
  // before the next one.
  constexpr size_t mostBytesBetweenPolls = 1 << 20;
  if (heap().bytes() - tables_->bytesAtPoll > mostBytesBetweenPolls) {
    tables_->bytesAtPoll = heap().bytes();
    steps_ += std::exchange(untilPoll_, 0);
  }
  if (!step()) return Value::absent();
  switch (expr->kind) {
  case NodeKind::NameExpr:
    return evalName(static_cast<const NameExpr*>(expr));
  case NodeKind::Constant:
    return evalConstant(static_cast<const Constant*>(expr));
  default:
    break;
  }
  if (deep()) return Value::absent();
  switch (expr->kind) {
  case NodeKind::JoinedStr:
    return evalJoined(static_cast<const JoinedStr*>(expr));
  case NodeKind::Tuple:
  case NodeKind::List:
  case NodeKind::Set:
  case NodeKind::Dict:
    return evalDisplay(expr);
  case NodeKind::Comprehension:
    return evalComprehension(static_cast<const Comprehension*>(expr));
  case NodeKind::Attribute: {
    auto* attribute = static_cast<const Attribute*>(expr);
    GLUOND_TRY(object, eval(attribute->value));
    frame_->node = expr;
    if (object.isUnknown()) return mayRaise(object);
    return getAttribute(object, attribute->attribute.name);
  }
  case NodeKind::Subscript:
    return mayRaise(evalSubscript(static_cast<const Subscript*>(expr)));
  case NodeKind::Slice: {
    auto* slice = static_cast<const Slice*>(expr);
    Value parts[3] = {Value::none(), Value::none(), Value::none()};
    const Expr* exprs[3] = {slice->lower, slice->upper, slice->step};
    for (int i = 0; i < 3; ++i)
      if (exprs[i] && (parts[i] = eval(exprs[i])).isAbsent()) return Value::absent();
    return Value::object(ValueKind::Slice, heap().make<SliceObject>(language::Object{}, parts[0],
                                                                    parts[1], parts[2]));
  }
  case NodeKind::Call:
    return evalCall(static_cast<const Call*>(expr));
  case NodeKind::BinOp: {
    auto* op = static_cast<const BinOp*>(expr);
    GLUOND_TRY(left, eval(op->left));
    GLUOND_TRY(right, eval(op->right));
    frame_->node = expr;
    return mayRaise(binary(op->op, left, right));
  }
  case NodeKind::UnaryOp: {
    auto* op = static_cast<const UnaryOp*>(expr);
    GLUOND_TRY(operand, eval(op->operand));
    frame_->node = expr;
    return unary(op->op, operand);
  }
  case NodeKind::BoolOp:
    return evalBoolOp(static_cast<const BoolOp*>(expr));
  case NodeKind::Compare:
    return evalCompare(static_cast<const Compare*>(expr));
  case NodeKind::IfExp: {
    auto* choice = static_cast<const IfExp*>(expr);
    GLUOND_TRY(test, eval(choice->test));
    auto known = truth(test);
    if (failed()) return Value::absent();
    if (known) return eval(*known ? choice->body : choice->orelse);
    auto mayEval = [&](const Expr* expr) {
      UncertainScope run(*this);
      Value value = eval(expr);
      if (value.isAbsent()) dropUnlessExhausted();
      return value;
    };
    Value first = mayEval(choice->body);
    Value second = isExhausted() ? Value::absent() : mayEval(choice->orelse);
    if (failed()) return Value::absent();
    if (first.isAbsent() && !second.isAbsent()) return second;
    if (second.isAbsent() && !first.isAbsent()) return first;
    auto same = equal(first, second);
    dropError();
    return same.value_or(false) && first.kind() == second.kind() &&
                   first.isConstexpr() == second.isConstexpr()
               ? first
               : Value::unknown();
  }
  case NodeKind::Lambda:
    return evalLambda(static_cast<const Lambda*>(expr));
  case NodeKind::NamedExpr: {
    auto* named = static_cast<const NamedExpr*>(expr);
    GLUOND_TRY(value, eval(named->value));
    bindName(named->target->name, value);
    return value;
  }
  case NodeKind::Await:
    return eval(static_cast<const Await*>(expr)->value).isAbsent() ? Value::absent()
                                                                   : Value::unknown();
  case NodeKind::Yield:
    return evalYield(static_cast<const Yield*>(expr));
  default:
    return Value::unknown(); // Starred out of place, half-typed code
  }
}

// What every notebook has: https://ipython.readthedocs.io, "Input caching" and "Output caching".
static bool isOfIPython(llvm::StringRef name) {
  constexpr llvm::StringLiteral known[] = {
      "In",  "Out", "display", "exit", "get_ipython", "quit", "_",   "__",
      "___", "_i",  "_ii",     "_iii", "_ih",         "_oh",  "_dh", "_exit_code"};
  if (llvm::is_contained(known, name)) return true;
  llvm::StringRef number = name;
  return number.consume_front("_") && (number.consume_front("i"), !number.empty()) &&
         llvm::all_of(number, llvm::isDigit);
}

bool Interpreter::isLocal(Name name) const {
  const FunctionObject* function = frame_->function;
  if (!function || !function->def || frame_->isClass || !frame_->info) return false;
  const FunctionInfo& info = *frame_->info;
  if (!info.bound) {
    info.bound.emplace();
    forEachBound(function->def->body, [&](Name bound) { info.bound->insert(bound); });
    for (Name global : info.globals)
      info.bound->erase(global);
    for (Name nonlocal : info.nonlocals)
      info.bound->erase(nonlocal);
  }
  return info.bound->contains(name);
}

Value Interpreter::evalName(const NameExpr* expr) {
  Name wanted = expr->name;
  const Scope* scope = frame_->locals;
  // Comprehensions do not see the names of the class whose body they are in.
  const Scope* hidden = frame_->isClass ? scope : nullptr;
  for (unsigned i = 0; hidden && i < frame_->comprehensions; ++i)
    hidden = hidden->parent;
  if (frame_->comprehensions == 0) hidden = nullptr;
  for (unsigned depth = 0;; ++depth) {
    Value found = scope == hidden ? Value::absent() : scope->get(wanted);
    if (!found.isAbsent()) return found;
    // A name that the function binds anywhere is never looked for outside of it.
    if (depth == frame_->comprehensions && isLocal(wanted) && !scope->contains(Name{})) {
      frame_->node = expr;
      return raise("UnboundLocalError", "cannot access local variable '" + text(wanted) +
                                            "' where it is not associated with a value");
    }
    if (!scope->parent) break;
    scope = scope->parent;
  }
  if (scope != frame_->module->globals)
    if (Value found = frame_->module->globals->get(wanted); !found.isAbsent()) return found;
  if (Value found = tables_->builtin(*this, wanted); !found.isAbsent()) return found;
  bool mayBeBound =
      frame_->module->globals->contains(Name{}) || // `from something unknown import *`
      pythonHas("module builtins", text(wanted)) ||
      (frame_->module->path.ends_with(".ipynb") && isOfIPython(text(wanted)));
  for (scope = frame_->locals; scope && !mayBeBound; scope = scope->parent)
    mayBeBound = scope->contains(Name{});
  if (mayBeBound) return Value::unknown();
  frame_->node = expr;
  return raise({ErrorKind::MissingName, text(wanted).str(), ""}, "NameError",
               "name '" + text(wanted) + "' is not defined");
}

Value Interpreter::evalConstant(const Constant* expr) {
  switch (expr->constant) {
  case ConstantKind::None:
    return Value::none();
  case ConstantKind::True:
    return Value::boolean(true);
  case ConstantKind::False:
    return Value::boolean(false);
  case ConstantKind::Ellipsis:
    return Value::ellipsis();
  case ConstantKind::Int:
    return Value::integer(expr->integer);
  case ConstantKind::Float:
    return Value::real(expr->real);
  case ConstantKind::Complex:
    return Value::unknown();
  case ConstantKind::Str:
    return tables_->literal(*this, expr);
  case ConstantKind::Bytes:
    return Value::object(ValueKind::Bytes, tables_->literal(*this, expr).as<StrObject>());
  case ConstantKind::BigInt: {
    unsigned bits = llvm::APInt::getSufficientBitsNeeded(expr->string, 10) + 2;
    if (bits > options_.budget.integerBits)
      return exhaust("an integer literal of " + llvm::Twine(expr->string.size()) + " digits");
    if (!spendProduct(bits / 64, bits / 64)) return Value::absent();
    return fromAPInt(heap(), language::parseDecimal(expr->string));
  }
  }
  return Value::unknown();
}

Value Interpreter::evalJoined(const JoinedStr* expr) {
  if (deep()) return Value::absent(); // a specification is a joined string, too
  std::string result;
  bool unknown = false;
  for (auto* part : expr->parts) {
    if (auto* constant = llvm::dyn_cast<Constant>(part)) {
      if (!spendBytes(constant->string.size())) return Value::absent();
      result += constant->string;
      continue;
    }
    auto* field = llvm::dyn_cast<FormattedValue>(part);
    if (!field) {
      unknown = true;
      continue;
    }
    GLUOND_TRY(value, eval(field->value));
    result += field->debugText;
    std::string spec;
    if (field->formatSpec) {
      GLUOND_TRY(specValue, evalJoined(field->formatSpec));
      if (auto* specText = specValue.as<StrObject>())
        spec = specText->text.str();
      else
        unknown = true;
    }
    if (value.isUnknown()) {
      unknown = true;
      continue;
    }
    frame_->node = field;
    char conversion = field->conversion;
    if (!conversion && !field->debugText.empty() && !field->formatSpec) conversion = 'r';
    hasPrintedUnknown_ = false;
    if (conversion) {
      std::string shown = conversion == 's' ? str(value) : repr(value);
      if (failed()) return Value::absent();
      value = string(shown);
    }
    auto shown = format(value, spec);
    if (!shown) return Value::absent();
    unknown |= printedUnknown();
    result += *shown;
    if (!charge(shown->size()) || !spendBytes(shown->size())) return Value::absent();
  }
  return unknown ? Value::unknown() : string(result);
}

bool Interpreter::evalElements(Exprs exprs, llvm::SmallVectorImpl<Value>& out, bool& uncertain) {
  for (auto* element : exprs) {
    if (auto* starred = llvm::dyn_cast<Starred>(element)) {
      Value value = eval(starred->value);
      if (value.isAbsent()) return false;
      frame_->node = element;
      if (!unpack(value, out, uncertain)) {
        if (failed()) return false;
        uncertain = true;
      }
      continue;
    }
    Value value = eval(element);
    if (value.isAbsent()) return false;
    out.push_back(value);
  }
  return true;
}

Value Interpreter::evalDisplay(const Expr* expr) {
  llvm::SmallVector<Value, 8> items;
  bool uncertain = false;
  switch (expr->kind) {
  case NodeKind::Tuple:
    if (!evalElements(static_cast<const Tuple*>(expr)->elements, items, uncertain))
      return Value::absent();
    if (!charge(items.size() * sizeof(Value))) return Value::absent();
    return uncertain ? Value::unknown() : tupleOf(items);
  case NodeKind::List:
    if (!evalElements(static_cast<const List*>(expr)->elements, items, uncertain))
      return Value::absent();
    if (!charge(items.size() * sizeof(Value))) return Value::absent();
    return uncertain ? Value::unknown() : heap().list(items);
  case NodeKind::Set: {
    if (!evalElements(static_cast<const Set*>(expr)->elements, items, uncertain))
      return Value::absent();
    auto* set = heap().make<DictObject>();
    set->uncertain = uncertain;
    for (Value item : items)
      if (!dictSet(set, item, Value::none())) return Value::absent();
    return Value::object(ValueKind::Set, set);
  }
  default: {
    Value dict = heap().dict();
    for (auto& item : static_cast<const Dict*>(expr)->items) {
      if (!item.key) {
        GLUOND_TRY(other, eval(item.value));
        if (!updateDict(*this, dict.as<DictObject>(), other)) return Value::absent();
        continue;
      }
      GLUOND_TRY(key, eval(item.key));
      GLUOND_TRY(value, eval(item.value));
      frame_->node = item.key;
      if (!dictSet(dict.as<DictObject>(), key, value)) return Value::absent();
    }
    return dict;
  }
  }
}

bool Interpreter::evalOperands(const Subscript* expr, Value& object, Value& index) {
  object = eval(expr->value);
  if (object.isAbsent()) return false;
  index = eval(expr->index);
  if (index.isAbsent()) return false;
  frame_->node = expr;
  return true;
}

Value Interpreter::evalSubscript(const Subscript* expr) {
  Value object, index;
  return evalOperands(expr, object, index) ? getItem(object, index) : Value::absent();
}

Value Interpreter::evalBoolOp(const BoolOp* expr) {
  Value result = Value::unknown();
  unsigned unknowns = 0;
  for (size_t i = 0; i < expr->values.size(); ++i) {
    std::optional<UncertainScope> run;
    if (unknowns) run.emplace(*this);
    result = eval(expr->values[i]);
    run.reset();
    if (result.isAbsent()) {
      if (unknowns && !isExhausted()) { // may not run at all
        dropError();
        return Value::unknown();
      }
      return result;
    }
    if (i + 1 == expr->values.size()) break;
    auto known = truth(result);
    if (failed()) return Value::absent();
    if (!known)
      ++unknowns;
    else if (*known != expr->isAnd) {
      // `unknown and False` is falsy whatever the first value is, but it is not known which falsy
      // value it is.
      return unknowns ? (result.is(ValueKind::Bool) ? result : Value::unknown()) : result;
    }
  }
  return unknowns ? Value::unknown() : result;
}

Value Interpreter::evalCompare(const Compare* expr) {
  GLUOND_TRY(left, eval(expr->left));
  Value result = Value::boolean(true);
  bool unknown = false;
  for (size_t i = 0; i < expr->ops.size(); ++i) {
    GLUOND_TRY(right, eval(expr->comparators[i]));
    frame_->node = expr;
    result = compare(expr->ops[i], left, right);
    if (result.isAbsent()) return result;
    if (i + 1 < expr->ops.size()) {
      auto known = truth(result);
      if (failed()) return Value::absent();
      if (known && !*known) return result;
      unknown |= !known;
    }
    left = right;
  }
  return unknown ? Value::unknown() : result;
}

Value Interpreter::makeFunction(const FunctionDef* def, const Lambda* lambda,
                                llvm::StringRef functionName,
                                llvm::ArrayRef<Parameter> parameters) {
  llvm::SmallVector<Value, 8> defaults, annotations;
  bool annotated = false;
  for (auto& parameter : parameters) {
    Value value = Value::absent();
    if (parameter.defaultValue && (value = eval(parameter.defaultValue)).isAbsent()) return value;
    defaults.push_back(value);
    Value annotation = Value::none();
    if (parameter.annotation) {
      annotated = true;
      annotation = eval(parameter.annotation);
      if (annotation.isAbsent()) {
        if (isExhausted()) return annotation;
        // `from __future__ import annotations`, or a name only known to type checkers. But the
        // decorator of a kernel needs it.
        bool isNeeded = def && language::isJitFunction(*def, names_) && !isUncertain() &&
                        !hasAssumed_ && !frame_->module->globals->contains(name("annotations"));
        PythonError error = takeError();
        bool isMissing =
            error.exceptionClass == "NameError" || error.exceptionClass == "AttributeError";
        if (isNeeded && isMissing) note(std::move(error));
        annotation = Value::unknown();
      }
    }
    annotations.push_back(annotation);
  }
  auto* function = heap().make<FunctionObject>();
  function->def = def;
  function->lambda = lambda;
  function->module = frame_->module;
  function->scope = frame_->isClass ? frame_->classScope : frame_->locals;
  function->qualname = frame_->prefix.empty() && !frame_->function
                           ? heap().copy(functionName)
                           : heap().copy((qualnamePrefix() + functionName).str());
  function->defaults = heap().copy(defaults);
  if (annotated) function->annotations = heap().copy(annotations);
  function->decoration = Value::unknown();
  frame_->captured = true;
  return Value::object(ValueKind::Function, function);
}

llvm::StringRef Interpreter::qualnamePrefix() {
  if (frame_->prefix.empty() && frame_->function)
    frame_->prefix = heap().copy((frame_->function->qualname + ".<locals>.").str());
  return frame_->prefix;
}

Value Interpreter::evalLambda(const Lambda* expr) {
  return makeFunction(nullptr, expr, "<lambda>", expr->parameters);
}

Value Interpreter::evalYield(const Yield* expr) {
  Value value = Value::none();
  if (expr->value && (value = eval(expr->value)).isAbsent()) return value;
  if (!frame_->yields) return Value::unknown();
  if (expr->isFrom) {
    bool uncertain = false;
    llvm::SmallVector<Value> items;
    if (!unpack(value, items, uncertain)) {
      if (failed()) return Value::absent();
      uncertain = true;
    }
    if (!charge(items.size(), sizeof(Value))) return Value::absent();
    frame_->yields->append(items.begin(), items.end());
    frame_->stoppedEarly |= uncertain;
    auto* inner = hostAs<IteratorObject>(value, iteratorClass);
    return inner ? inner->returned : Value::none();
  }
  constexpr size_t mostYields = 4096; // a generator without end is cut here
  if (frame_->yields->size() >= mostYields) {
    frame_->stoppedEarly = true;
    frame_->returned = Value::none();
    return stopGenerator();
  }
  frame_->yields->push_back(value);
  return Value::none();
}

Value Interpreter::superOf(const CallArguments& arguments) {
  auto* object = heap().make<SuperObject>();
  object->cls = &superClass;
  if (arguments.positional.size() == 2) {
    object->after = arguments.positional[0].as<ClassObject>();
    object->self = arguments.positional[1];
    return object->after ? Value::object(ValueKind::Host, object) : Value::unknown();
  }
  Value cls = Value::absent();
  for (const Scope* scope = frame_->locals; scope && cls.isAbsent(); scope = scope->parent)
    cls = scope->get(known_.class_);
  if (!frame_->function) return raise("RuntimeError", "super(): no arguments");
  // The class's own body may run before there is a class.
  if (!cls.as<ClassObject>() || !frame_->function->def || frame_->function->def->parameters.empty())
    return Value::unknown();
  Value self = Value::absent();
  for (const Scope* scope = frame_->locals; scope && self.isAbsent(); scope = scope->parent)
    self = scope->get(frame_->function->def->parameters[0].name.name);
  object->after = cls.as<ClassObject>();
  object->self = self.isAbsent() ? Value::unknown() : self;
  return Value::object(ValueKind::Host, object);
}

void Interpreter::Tables::noteUnknownCall(const Interpreter& in, const Call& call) {
  const NameExpr* owner = ownerOf(call.func);
  const Frame& frame = *in.frame();
  if (!owner || !frame.module->globals || !frame.module->globals->get(owner->name).isUnknown())
    return;
  constexpr llvm::StringLiteral ofLoggers[] = {"critical", "debug", "error", "exception",
                                               "info",     "log",   "warn",  "warning"};
  auto* member = llvm::dyn_cast<Attribute>(call.func);
  mayHaveEnded |= !member || !llvm::is_contained(ofLoggers, in.text(member->attribute.name));
}

Value Interpreter::evalCall(const Call* expr) {
  // object.method(...) without making the bound method.
  Value callee, self = Value::absent();
  Native direct = nullptr;
  if (auto* attribute = llvm::dyn_cast<Attribute>(expr->func)) {
    GLUOND_TRY(object, eval(attribute->value));
    if (!step()) return Value::absent();
    frame_->node = attribute;
    const NativeRow* row = object.isConstexpr() || object.isUnknown()
                               ? nullptr
                               : tables_->method(object.kind(), attribute->attribute.name, *this);
    if (auto* tuple = object.as<TupleObject>();
        tuple && (tuple->namedtuple || !tuple->fields.empty()))
      row = nullptr;
    if (row) {
      direct = row->function;
      self = object;
    } else {
      callee = object.isUnknown() ? object : getAttribute(object, attribute->attribute.name);
      if (callee.isAbsent()) return callee;
    }
  } else {
    callee = eval(expr->func);
    if (callee.isAbsent()) return callee;
  }
  llvm::SmallVector<Value, 8> positional;
  llvm::SmallVector<KeywordArgument, 4> keywords;
  bool uncertain = false;
  if (direct) positional.push_back(self);
  if (!evalElements(expr->args, positional, uncertain)) return Value::absent();
  llvm::SmallDenseSet<Name, 16> many; // the names given, once there are more than a few
  auto give = [&](Name keywordName, Value value) {
    constexpr size_t few = 8;
    bool isNew;
    if (keywords.size() < few) {
      isNew = llvm::none_of(keywords, [&](auto& one) { return one.name == keywordName; });
    } else {
      if (many.empty())
        for (auto& one : keywords)
          many.insert(one.name);
      isNew = many.insert(keywordName).second;
    }
    if (!isNew) {
      raise("TypeError", "got multiple values for keyword argument '" + text(keywordName) + "'");
      return false;
    }
    keywords.push_back({keywordName, value});
    return true;
  };
  for (auto& keyword : expr->keywords) {
    GLUOND_TRY(value, eval(keyword.value));
    if (keyword.name.name) {
      frame_->node = expr;
      if (!give(keyword.name.name, value)) return Value::absent();
      continue;
    }
    Value inner = hostDict(*this, value.unwrapped());
    if (inner.isAbsent() && failed()) return inner;
    auto* dict = (inner.isAbsent() ? value.unwrapped() : inner).as<DictObject>();
    if (!dict || value.is(ValueKind::Set)) {
      if (!isKnownInPart(*this, value) && !value.is(ValueKind::Instance)) {
        frame_->node = keyword.value;
        return raise("TypeError", "argument after ** must be a mapping, not " +
                                      llvm::Twine(className(typeOf(value))));
      }
      uncertain = true;
      continue;
    }
    uncertain |= dict->uncertain;
    for (auto [key, member] : dict->items) {
      auto* keyText = key.as<StrObject>();
      if (!keyText) return raise("TypeError", "keywords must be strings");
      if (!spend(1 + keyText->text.size() / bytesPerStep) || !give(name(keyText->text), member))
        return Value::absent();
    }
  }
  frame_->node = expr;
  CallArguments arguments{positional, keywords};
  if (uncertain) {
    // Not all arguments are known: the launch is still recorded, with unknown arguments.
    if (isLauncher(callee)) return launchUncertain(*this, callee, arguments);
    if (callee.is(ValueKind::Host)) markOpen(*this, callee); // parser.add_argument(**unknown)
    return failed() ? Value::absent() : Value::unknown();
  }
  if (direct) return spendOn(positional) ? direct(*this, arguments) : Value::absent();
  if (callee.isUnknown()) tables_->noteUnknownCall(*this, *expr);
  bool isExpecting = callee.isUnknown() && positional.size() > 1 && isAssertRaises(expr);
  Value result = isExpecting ? callExpectingFailure(arguments) : call(callee, arguments);
  frame_->node = expr;
  return result;
}

} // namespace gluond::evaluate
