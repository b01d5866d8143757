// Functions and classes as statements.
#include "evaluate/interpreter/Gluon.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeTables.h"
#include "evaluate/triton/TritonModules.h"
#include "evaluate/values/Classes.h"
#include "evaluate/values/Containers.h"
#include "evaluate/values/PythonCoverage.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

using namespace syntax;

Value Interpreter::decorate(Exprs decorators, Value value) {
  // They are evaluated top down and applied bottom up.
  llvm::SmallVector<Value, 4> evaluated;
  for (auto* decorator : decorators) {
    Value one = eval(decorator);
    if (one.isAbsent()) return one;
    evaluated.push_back(one);
  }
  for (size_t i = decorators.size(); i-- > 0;) {
    frame_->node = decorators[i];
    Value decorated = evaluated[i].isUnknown() ? Value::unknown() : call(evaluated[i], value);
    if (decorated.isAbsent()) return decorated;
    if (decorated.isUnknown())
      markOpen(*this, value); // assumed to return the decorated object
    else
      value = decorated;
  }
  return value;
}

Flow Interpreter::execFunctionDef(const FunctionDef* stmt) {
  Value function = makeFunction(stmt, nullptr, text(stmt->name.name), stmt->parameters);
  if (function.isAbsent()) return Flow::Raise;
  definitions_.push_back(function.as<FunctionObject>());
  Value value = stmt->decorators.empty() ? function : decorate(stmt->decorators, function);
  if (value.isAbsent()) return Flow::Raise;
  bindName(stmt->name.name, value);
  return failed() ? Flow::Raise : Flow::Next;
}

// Calls the metaclass's __prepare__, which may give the body names. `out` is the namespace; Absent
// for an empty one. Returns false if it raised.
static bool prepareBody(Interpreter& in, Value metaclass, llvm::StringRef className, Values bases,
                        llvm::ArrayRef<KeywordArgument> options, Scope& locals, Value& out) {
  auto* of = metaclass.as<ClassObject>();
  Value prepare = of ? in.findInClass(of, in.names().prepare) : Value::absent();
  if (metaclass.isUnknown() || prepare.isUnknown()) {
    out = Value::unknown();
  } else if (!prepare.isAbsent()) {
    Value arguments[] = {in.string(className), in.tupleOf(bases)};
    out = in.call(in.bindMember(prepare, Value::absent(), metaclass), {arguments, options});
    if (out.isAbsent()) return false;
    if (!out.is(ValueKind::Dict) || out.as<DictObject>()->uncertain) out = Value::unknown();
  }
  if (out.isUnknown()) {
    locals.set(Name{}, out);
    return true;
  }
  if (auto* given = out.as<DictObject>())
    for (auto [key, value] : given->items)
      if (auto* text = key.as<StrObject>(); text && in.charge(text->text.size() + 64))
        locals.set(in.name(text->text), value);
  return !in.failed();
}

// Puts what a class's body bound into the namespace that its metaclass gets.
static void fillNamespace(Interpreter& in, Value& space, const Scope& locals,
                          llvm::ArrayRef<ClassObject::Field> fields, llvm::StringRef qualname,
                          llvm::StringRef docstring) {
  if (space.isAbsent()) space = in.heap().dict();
  auto* dict = space.as<DictObject>();
  auto set = [&](llvm::StringRef name, Value value) {
    return in.dictSet(dict, in.string(name), value);
  };
  set("__module__", in.string(in.frame()->module ? in.frame()->module->name : "__main__"));
  set("__qualname__", in.string(qualname));
  if (!docstring.empty()) set("__doc__", in.string(docstring));
  if (!fields.empty()) {
    Value annotations = in.heap().dict();
    for (auto& field : fields)
      in.dictSet(annotations.as<DictObject>(), in.string(in.text(field.name)), field.annotation);
    set("__annotations__", annotations);
  }
  for (auto [name, value] : locals)
    if (!value.isAbsent() && !set(in.text(name), value)) return;
}

Flow Interpreter::execClassDef(const ClassDef* stmt) {
  llvm::SmallVector<Value> bases;
  bool uncertain = false;
  if (!evalElements(stmt->bases, bases, uncertain)) return Flow::Raise;
  llvm::SmallVector<KeywordArgument> keywords;
  for (auto& keyword : stmt->keywords) {
    Value value = eval(keyword.value);
    if (value.isAbsent()) return Flow::Raise;
    if (keyword.name.name) keywords.push_back({keyword.name.name, value});
  }
  frame_->captured = true;
  llvm::StringRef className = text(stmt->name.name);
  llvm::StringRef qualname = heap().copy((qualnamePrefix() + className).str());
  const Scope* outer = frame_->isClass ? frame_->classScope : frame_->locals;
  Scope* cell = newScope(outer); // holds __class__, for super()
  Frame frame;
  frame.caller = frame_;
  frame.module = frame_->module;
  frame.locals = newScope(cell);
  frame.classScope = cell;
  frame.isClass = true;
  frame.captured = true;
  frame.prefix = heap().copy((qualname + ".").str());
  frame.node = stmt;
  llvm::SmallVector<std::pair<Name, Value>> annotated;
  frame.annotated = &annotated;
  Value metaclass = metaclassFor(*this, bases, keywords);
  Metaclass maker = whatMakes(*this, metaclass);
  llvm::SmallVector<KeywordArgument> options = withoutMetaclass(*this, keywords);
  Value namespaceOfBody = Value::absent();
  if (!prepareBody(*this, metaclass, className, bases, options, *frame.locals, namespaceOfBody))
    return Flow::Raise;
  if (namespaceOfBody.isUnknown()) maker = Metaclass::Unknown;
  frame_ = &frame;
  Flow flow = exec(stmt->body);
  frame_ = frame.caller;
  if (flow == Flow::Raise) return flow;
  llvm::SmallVector<ClassObject::Field> fields;
  for (auto& [fieldName, annotation] : annotated) {
    ClassObject::Field field;
    field.name = fieldName;
    field.annotation = annotation;
    if (Value value = frame.locals->get(fieldName); !value.isAbsent()) {
      field.defaultValue = value;
      field.hasDefault = true;
    }
    fields.push_back(field);
  }
  frame_->node = stmt;
  frame.locals->parent = nullptr;
  Value cls = Value::unknown();
  if (!uncertain && maker == Metaclass::Program && !frame.locals->contains(Name{})) {
    fillNamespace(*this, namespaceOfBody, *frame.locals, fields, qualname, stmt->docstring);
    Value arguments[] = {string(className), tupleOf(bases), namespaceOfBody};
    cls = failed() ? Value::absent() : call(metaclass, {arguments, options});
  } else if (!uncertain) {
    if (maker != Metaclass::Python) assume(); // what the metaclass does is not known
    cls = makeClass(stmt, className, qualname, bases, keywords, frame.locals, fields);
    if (maker != Metaclass::Python) markOpen(*this, cls);
  }
  if (cls.isAbsent()) return Flow::Raise;
  cell->set(known_.class_, cls);
  if (!stmt->decorators.empty()) {
    Value decorated = decorate(stmt->decorators, cls);
    if (decorated.isAbsent()) return Flow::Raise;
    if (decorated.is(ValueKind::Class)) cell->set(known_.class_, decorated);
    cls = decorated;
  }
  bindName(stmt->name.name, cls);
  return failed() ? Flow::Raise : Flow::Next;
}

} // namespace gluond::evaluate
