#include "driver/RecordReader.h"

#include "codegen/Prelude.h"
#include "evaluate/Launches.h"
#include "language/Builtin.h"
#include "language/Layout.h"
#include "language/TypeContext.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <cmath>
#include <limits>

namespace gluond::driver {

using codegen::KernelArgument;
using language::FunctionObject;
using language::LayoutObject;
using language::Type;
using language::Value;
using language::ValueKind;
using nlohmann::json;
using namespace syntax;

Value RecordReader::fail(const llvm::Twine& message) {
  if (problem_.empty()) problem_ = message.str();
  return Value::absent();
}

// ---------------------------------------------------------------- values

bool RecordReader::list(const json& items, llvm::SmallVectorImpl<Value>& out) {
  if (!items.is_array()) return fail("a list is expected"), false;
  for (const json& item : items) {
    out.push_back(value(item));
    if (out.back().isAbsent()) return false;
  }
  return true;
}

Value RecordReader::value(const json& value) {
  switch (value.type()) {
  case json::value_t::null:
    return Value::none();
  case json::value_t::boolean:
    return Value::boolean(value.get<bool>());
  case json::value_t::number_integer:
    return Value::integer(value.get<int64_t>());
  case json::value_t::number_unsigned: {
    uint64_t number = value.get<uint64_t>();
    return heap().bigInt(number, false);
  }
  case json::value_t::number_float:
    return Value::real(value.get<double>());
  case json::value_t::string:
    return heap().str(value.get_ref<const std::string&>());
  case json::value_t::array: {
    if (++depth_ > 64) return fail("values are nested too deeply");
    llvm::SmallVector<Value, 8> items;
    bool fine = list(value, items);
    --depth_;
    return fine ? heap().list(items) : Value::absent();
  }
  case json::value_t::object: {
    if (++depth_ > 64) return fail("values are nested too deeply");
    for (auto it = value.begin(); it != value.end(); ++it)
      if (!it.key().empty() && it.key()[0] == '$') {
        Value result = tagged(value, it.key(), it.value());
        --depth_;
        return result;
      }
    return fail("an object has no $ tag");
  }
  default:
    return fail("a value is malformed");
  }
}

Value RecordReader::tagged(const json& value, llvm::StringRef tag, const json& content) {
  llvm::SmallVector<Value, 8> items;
  auto text = [&]() -> std::string {
    return content.is_string() ? content.get<std::string>() : std::string();
  };
  if (tag == "$tuple" || tag == "$tl.tuple")
    return list(content, items) ? heap().tuple(items) : Value::absent();
  if (tag == "$constexpr") {
    Value inner = this->value(content);
    return inner.isAbsent() ? inner : inner.wrapped();
  }
  if (tag == "$float") {
    std::string name = text();
    double infinity = std::numeric_limits<double>::infinity();
    if (name == "inf") return Value::real(infinity);
    if (name == "-inf") return Value::real(-infinity);
    if (name == "nan") return Value::real(std::numeric_limits<double>::quiet_NaN());
    return fail("'" + name + "' is not a float");
  }
  if (tag == "$dtype") {
    language::ScalarKind kind;
    if (!language::findScalar(text(), kind)) return fail("'" + text() + "' is not a dtype");
    return Value::type(language::scalarType(kind));
  }
  if (tag == "$pointer") {
    Value element = this->value(content);
    if (element.isAbsent()) return element;
    if (!element.is(ValueKind::Type)) return fail("a pointer points to a dtype");
    auto isConst = value.find("const");
    return Value::type(resolver_.types_.pointer(
        element.asType(), isConst != value.end() && isConst->is_boolean() && isConst->get<bool>()));
  }
  if (tag == "$dict") {
    if (!content.is_array()) return fail("$dict holds a list of pairs");
    Value dict = heap().dict();
    for (const json& pair : content) {
      if (!pair.is_array() || pair.size() != 2) return fail("$dict holds a list of pairs");
      Value key = this->value(pair[0]), item = this->value(pair[1]);
      if (key.isAbsent() || item.isAbsent()) return Value::absent();
      if (!resolver_.interpreter_.dictSet(dict.as<language::DictObject>(), key, item)) {
        resolver_.interpreter_.dropError();
        return fail("a key of $dict cannot be one");
      }
    }
    return dict;
  }
  if (tag == "$range" || tag == "$slice") {
    if (!list(content, items)) return Value::absent();
    if (items.size() != 3) return fail(tag + " holds three items");
    if (tag == "$slice")
      return Value::object(ValueKind::Slice, heap().make<language::SliceObject>(
                                                 language::Object{}, items[0], items[1], items[2]));
    if (!llvm::all_of(items, [](Value item) { return item.isIntegral(); }))
      return fail("$range holds integers");
    return Value::object(ValueKind::Range,
                         heap().make<language::RangeObject>(language::Object{}, items[0].asInt(),
                                                            items[1].asInt(), items[2].asInt()));
  }
  if (tag == "$layout") return layout(value, text());
  if (tag == "$type") return type(value, text());
  if (tag == "$fn" || tag == "$class") return reference(value, text());
  if (tag == "$builtin") return builtin(text());
  if (tag == "$object") return object(value, text());
  if (tag == "$namedtuple") return namedTuple(value);
  if (tag == "$module") {
    if (value.contains("file")) {
      json reference = {{"file", value["file"]}, {"module", content}};
      std::optional<ProgramModule> module = moduleOf(reference);
      return module ? Value::object(ValueKind::Module, module->module) : Value::absent();
    }
    return resolver_.interpreter_.module(heap().copy(llvm::StringRef(text())));
  }
  if (tag == "$enum") {
    if (content.is_object() && content.contains("module")) { // one of Triton's own
      std::string dotted = content.value("module", "") + "." + content.value("$class", "");
      const language::BuiltinModule* known = language::findModule(dotted);
      if (const language::Builtin* member =
              known ? language::findBuiltin(known->id, value.value("name", "")) : nullptr)
        return language::valueOf(*member);
    }
    Value cls = this->value(content);
    if (cls.isAbsent() || cls.isUnknown()) return cls;
    Value member = resolver_.interpreter_.lookupAttribute(cls, name(textIn(value, "name")));
    resolver_.interpreter_.dropError();
    return member.isAbsent() ? fail("the enum has no member '" + textIn(value, "name") + "'")
                             : member;
  }
  if (tag == "$bound") {
    Value function = this->value(content),
          self = value.contains("self") ? this->value(value["self"]) : Value::none();
    if (function.isAbsent() || self.isAbsent()) return Value::absent();
    return Value::object(ValueKind::BoundMethod, heap().make<language::BoundMethodObject>(
                                                     language::Object{}, self, function));
  }
  if (tag == "$torch.dtype") return Value::unknown();
  return fail("'" + tag + "' is not a tag of launch records");
}

Value RecordReader::layout(const json& value, const std::string& spelled) {
  const language::LayoutClass* cls = nullptr;
  for (unsigned i = 0; i <= static_cast<unsigned>(language::LayoutKind::NvidiaCachePolicy); ++i) {
    const auto& row = language::layoutClass(static_cast<language::LayoutKind>(i));
    auto [space, plain] = llvm::StringRef(spelled).contains('.')
                              ? llvm::StringRef(spelled).split('.')
                              : std::pair(llvm::StringRef(), llvm::StringRef(spelled));
    if (llvm::StringRef(row.name) != plain) continue;
    if (!space.empty() && !row.module.contains(space)) continue;
    if (space.empty() && cls) continue; // the first of a name that exists twice
    cls = &row;
  }
  if (!cls) return fail("'" + spelled + "' is not a layout class");
  llvm::SmallVector<Value, 8> fields;
  for (const language::LayoutField& field : cls->fields) {
    auto it = value.find(field.name.str());
    if (it == value.end())
      return fail("layout " + spelled + " misses its field '" + field.name + "'");
    fields.push_back(this->value(*it));
    if (fields.back().isAbsent()) return fields.back();
  }
  return Value::object(ValueKind::Layout, language::makeLayoutUnchecked(cls->kind, fields, heap()));
}

Value RecordReader::type(const json& value, const std::string& kind) {
  auto part = [&](const char* name) {
    return value.contains(name) ? this->value(value[name]) : Value::none();
  };
  Value element = part("element_ty"), shape = part("shape"), layout = part("layout"),
        alloc = part("alloc_shape");
  for (Value each : {element, shape, layout, alloc})
    if (each.isAbsent()) return each;
  auto sizes = language::ints(shape), allocSizes = language::ints(alloc);
  if (!element.is(ValueKind::Type) || !sizes) return fail("the type " + kind + " is malformed");
  const LayoutObject* object = layout.as<LayoutObject>();
  if (kind == "shared_memory_descriptor_type" && object && allocSizes)
    return Value::type(
        resolver_.types_.sharedMemory(element.asType(), *sizes, object, *allocSizes));
  if (kind == "tensor_memory_descriptor_type" && object && allocSizes)
    return Value::type(resolver_.types_.tensorMemory(element.asType(), *sizes, object, *allocSizes,
                                                     alloc.is(ValueKind::Tuple)));
  if (kind == "distributed_type" || kind == "block_type")
    return Value::type(resolver_.types_.tensor(element.asType(), *sizes, object));
  return fail("'" + kind + "' is not a type");
}

Value RecordReader::object(const json& value, const std::string& qualname) {
  Value cls = reference(value, qualname);
  if (cls.isAbsent() || cls.isUnknown()) return cls;
  auto* object = cls.as<language::ClassObject>();
  if (!object) return fail("'" + qualname + "' is not a class");
  auto fields = value.find("fields");
  if (fields == value.end() || !fields->is_object())
    return fail("an object of '" + qualname + "' has no fields");
  auto* instance = heap().make<language::InstanceObject>(language::Object{}, object,
                                                         resolver_.interpreter_.newScope());
  for (auto it = fields->begin(); it != fields->end(); ++it) {
    Value field = this->value(it.value());
    if (field.isAbsent()) return field;
    instance->attributes->set(name(it.key()), field);
  }
  return Value::object(ValueKind::Instance, instance);
}

Value RecordReader::namedTuple(const json& value) {
  auto fields = value.find("fields");
  if (fields == value.end() || !fields->is_object()) return fail("a namedtuple has no fields");
  llvm::SmallVector<Value, 8> items;
  llvm::SmallVector<Name, 8> names;
  const json& reference = value["$namedtuple"];
  language::ClassObject* cls = nullptr;
  if (reference.is_object() && reference.contains("$class") && reference["$class"].is_string()) {
    std::string kept = problem_;
    Value found = this->reference(reference, reference["$class"].get<std::string>());
    problem_ = kept; // the class may be made at run time: the fields say all
    cls = found.as<language::ClassObject>();
  }
  // The class's order of fields; JSON objects of nlohmann are sorted by key.
  if (cls)
    for (const auto& field : cls->fields) {
      auto it = fields->find(resolver_.interpreter_.text(field.name).str());
      if (it == fields->end()) return fail("a namedtuple misses a field");
      items.push_back(this->value(*it));
      names.push_back(field.name);
    }
  else
    for (auto it = fields->begin(); it != fields->end(); ++it) {
      items.push_back(this->value(it.value()));
      names.push_back(name(it.key()));
    }
  for (Value item : items)
    if (item.isAbsent()) return item;
  return Value::object(ValueKind::Tuple, heap().make<language::TupleObject>(
                                             language::Object{}, heap().copy(items), cls,
                                             heap().copyArray(llvm::ArrayRef<Name>(names))));
}

// ---------------------------------------------------------------- definitions

// The jit or constexpr function itself, under autotuners and heuristics.
static const FunctionObject* functionOf(Value value) {
  if (auto* function = value.as<FunctionObject>()) return function;
  return evaluate::kernelOf(value);
}

Value RecordReader::builtin(llvm::StringRef dottedName) {
  // The longest prefix that is a module or class of the table.
  for (size_t dot = dottedName.rfind('.'); dot != llvm::StringRef::npos;
       dot = dottedName.take_front(dot).rfind('.')) {
    const language::BuiltinModule* module = language::findModule(dottedName.take_front(dot));
    if (!module) continue;
    if (const language::Builtin* row =
            language::findBuiltin(module->id, dottedName.drop_front(dot + 1))) {
      if (row->kind == language::BuiltinKind::Prelude) return resolver_.prelude_.function(*row);
      return language::valueOf(*row);
    }
  }
  auto [module, member] = dottedName.rsplit('.');
  Value value = resolver_.interpreter_.moduleMember(module, name(member));
  return value.isAbsent() ? fail("'" + dottedName + "' is not known") : value;
}

std::optional<ProgramModule> RecordReader::moduleOf(const json& reference) {
  std::string path = record_.path, module = record_.module;
  if (auto it = reference.find("file"); it != reference.end() && it->is_string()) {
    llvm::SmallString<256> absolute(record_.path);
    // The record's root is the folder that its own "file" is relative to.
    llvm::StringRef root(record_.path);
    root.consume_back(record_.file);
    absolute = root;
    llvm::sys::path::append(absolute, it->get<std::string>());
    path = absolute.str().str();
    module = llvm::sys::path::stem(path).str();
  }
  if (auto it = reference.find("module"); it != reference.end() && it->is_string())
    module = it->get<std::string>();
  std::optional<ProgramModule> result = resolver_.load_(path, module);
  if (!result) fail("there is no file " + path);
  return result;
}

namespace {

// The definition of a qualified name at a line: FunctionDef or ClassDef, and the definitions it
// stands in.
class DefinitionFinder {
public:
  DefinitionFinder(llvm::StringRef qualname, unsigned line, const text::SourceText& text,
                   const evaluate::Interpreter& in)
      : qualname_(qualname), line_(line), text_(text), interpreter_(in) {}

  const Stmt* find(Stmts body) {
    walk(body, "");
    return found_;
  }

private:
  void walk(Stmts body, const std::string& prefix) {
    for (const Stmt* stmt : body) {
      if (auto* function = llvm::dyn_cast<FunctionDef>(stmt)) {
        std::string name = prefix + interpreter_.text(function->name.name).str();
        take(function, name, function->name.range.begin);
        walk(function->body, name + ".<locals>.");
      } else if (auto* cls = llvm::dyn_cast<ClassDef>(stmt)) {
        std::string name = prefix + interpreter_.text(cls->name.name).str();
        take(cls, name, cls->name.range.begin);
        walk(cls->body, name + ".");
      } else if (auto* branch = llvm::dyn_cast<If>(stmt)) {
        walk(branch->body, prefix);
        walk(branch->orelse, prefix);
      } else if (auto* loop = llvm::dyn_cast<For>(stmt)) {
        walk(loop->body, prefix);
        walk(loop->orelse, prefix);
      } else if (auto* loop = llvm::dyn_cast<While>(stmt))
        walk(loop->body, prefix);
      else if (auto* with = llvm::dyn_cast<With>(stmt))
        walk(with->body, prefix);
      else if (auto* attempt = llvm::dyn_cast<Try>(stmt)) {
        walk(attempt->body, prefix);
        for (const ExceptHandler& handler : attempt->handlers)
          walk(handler.body, prefix);
        walk(attempt->orelse, prefix);
        walk(attempt->finalbody, prefix);
      }
    }
  }
  void take(const Stmt* stmt, llvm::StringRef name, text::Offset at) {
    if (name != qualname_ || (line_ && text_.lineOf(at) + 1 != line_)) return;
    found_ = stmt; // the last one wins, as at run time
  }

  llvm::StringRef qualname_;
  unsigned line_;
  const text::SourceText& text_;
  const evaluate::Interpreter& interpreter_;
  const Stmt* found_ = nullptr;
};

} // namespace

// Defines a function or class of the program again, with what its closure held when the record was
// made.
Value RecordReader::define(const ProgramModule& module, llvm::StringRef qualname, unsigned line,
                           const json& reference) {
  const Stmt* definition =
      DefinitionFinder(qualname, line, *module.text, resolver_.interpreter_).find(module.body);
  if (!definition) {
    std::string at = line ? " at line " + std::to_string(line) : std::string();
    return fail(llvm::sys::path::filename(module.module->path) + " has no '" + qualname + "'" + at);
  }
  language::Scope* scope = resolver_.interpreter_.newScope(module.module->globals);
  if (auto it = reference.find("closure"); it != reference.end() && it->is_object())
    for (auto entry = it->begin(); entry != it->end(); ++entry) {
      Value value = this->value(entry.value());
      if (value.isAbsent()) return value;
      scope->set(name(entry.key()), value);
    }
  size_t split = qualname.rfind('.');
  std::string prefix = split == llvm::StringRef::npos ? "" : qualname.take_front(split + 1).str();
  Value made = resolver_.interpreter_.define(definition, scope, module.module, prefix);
  if (made.isAbsent()) {
    evaluate::PythonError error = resolver_.interpreter_.takeError();
    return fail("defining '" + qualname + "' raises " + error.exceptionClass + ": " +
                error.message);
  }
  const FunctionObject* function = functionOf(made);
  if (!function) return made;
  if (auto it = reference.find("defaults");
      it != reference.end() && it->is_object() && function->def) {
    llvm::SmallVector<Value, 8> defaults(function->defaults);
    defaults.resize(function->def->parameters.size(), Value::absent());
    for (auto entry = it->begin(); entry != it->end(); ++entry)
      for (auto [i, parameter] : llvm::enumerate(function->def->parameters))
        if (parameter.name.name == name(entry.key())) {
          defaults[i] = this->value(entry.value());
          if (defaults[i].isAbsent()) return defaults[i];
        }
    auto* copy = heap().make<FunctionObject>(*function);
    copy->defaults = heap().copy(defaults);
    function = copy;
  }
  return Value::object(ValueKind::Function, const_cast<FunctionObject*>(function));
}

Value RecordReader::reference(const json& reference, const std::string& qualname) {
  if (&reference == &record_.data->json) {
    // The record itself: "file" and "module" are where its kernel is.
    std::optional<ProgramModule> module = resolver_.load_(record_.path, record_.module);
    return module ? definition(*module, reference, qualname)
                  : fail("there is no file " + record_.path);
  }
  if (auto it = reference.find("module"); it != reference.end() && it->is_string()) {
    llvm::StringRef module(it->get_ref<const std::string&>());
    if (module == "triton" || module.starts_with("triton."))
      return builtin((module + "." + qualname).str());
    if (module == "builtins")
      return resolver_.interpreter_.moduleMember("builtins", name(qualname));
  }
  std::optional<ProgramModule> module = moduleOf(reference);
  return module ? definition(*module, reference, qualname) : Value::absent();
}

Value RecordReader::definition(const ProgramModule& module, const json& reference,
                               const std::string& qualname) {
  unsigned line = 0;
  if (auto it = reference.find("line"); it != reference.end() && it->is_number_unsigned())
    line = it->get<unsigned>();
  // As the module has it now, unless it is another definition of the same name.
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(qualname).split(parts, '.');
  const Value* global = module.module->globals->find(name(parts[0]));
  Value found = global ? *global : Value::absent();
  for (size_t i = 1; i < parts.size() && !found.isAbsent() && !found.isUnknown(); ++i) {
    found = parts[i] == "<locals>" ? Value::absent()
                                   : resolver_.interpreter_.lookupAttribute(found, name(parts[i]));
    resolver_.interpreter_.dropError();
  }
  if (!found.isAbsent() && !found.isUnknown()) {
    if (found.is(ValueKind::Class)) return found;
    const FunctionObject* function = functionOf(found);
    if (function && (!line || (function->def &&
                               module.text->lineOf(function->def->name.range.begin) + 1 == line)))
      return Value::object(ValueKind::Function, const_cast<FunctionObject*>(function));
  }
  return define(module, qualname, line, reference);
}

const FunctionObject* RecordReader::kernel() {
  Value found = reference(record_.data->json, record_.kernel);
  if (found.isAbsent()) return nullptr;
  const FunctionObject* function = found.as<FunctionObject>();
  if (function && function->def && function->function == language::FunctionKind::Jit)
    return function;
  fail("'" + record_.kernel + "' is not a kernel");
  return nullptr;
}

// ---------------------------------------------------------------- arguments

const Type* RecordReader::signature(llvm::StringRef text) {
  if (text.consume_front("*")) {
    bool isConst = text.consume_front("k");
    const Type* element = signature(text);
    return element ? resolver_.types_.pointer(element, isConst) : nullptr;
  }
  struct Row {
    llvm::StringLiteral text;
    language::ScalarKind kind;
  };
  using enum language::ScalarKind;
  static constexpr Row rows[] = {{"i1", Int1},           {"u1", Int1},          {"B", Int1},
                                 {"i8", Int8},           {"i16", Int16},        {"i32", Int32},
                                 {"i64", Int64},         {"u8", UInt8},         {"u16", UInt16},
                                 {"u32", UInt32},        {"u64", UInt64},       {"fp16", Fp16},
                                 {"bf16", Bf16},         {"fp32", Fp32},        {"fp64", Fp64},
                                 {"fp8e4nv", Fp8e4nv},   {"fp8e4b8", Fp8e4b8},  {"fp8e5", Fp8e5},
                                 {"fp8e5b16", Fp8e5b16}, {"fp8e4b15", Fp8e4b15}};
  for (const Row& row : rows)
    if (row.text == text) return language::scalarType(row.kind);
  fail("'" + text + "' is not a type");
  return nullptr;
}

const Type* RecordReader::descriptor(const json& argument, bool im2col) {
  const Type* element = signature(textIn(argument, "dtype"));
  if (!element) return nullptr;
  llvm::SmallVector<int64_t, 4> block;
  if (auto it = argument.find("block"); it != argument.end() && it->is_array())
    for (const json& size : *it)
      if (size.is_number_integer()) block.push_back(size.get<int64_t>());
  if (block.empty() || block.size() > 8)
    return fail("the block of a tensor descriptor is malformed"), nullptr;
  Value layout = argument.contains("layout") ? value(argument["layout"]) : Value::none();
  if (layout.isAbsent()) return nullptr;
  const LayoutObject* object = layout.as<LayoutObject>();
  if (!object) return fail("a tensor descriptor needs a layout"), nullptr;
  int64_t rank = static_cast<int64_t>(block.size());
  if (auto it = argument.find("input_rank");
      im2col && it != argument.end() && it->is_number_integer())
    rank = it->get<int64_t>();
  if (rank < 1 || rank > 8) return fail("the rank of a tensor descriptor is malformed"), nullptr;
  language::TypeContext& types = resolver_.types_;
  auto all = [&](language::ScalarKind kind) {
    llvm::SmallVector<const Type*, 8> items(static_cast<size_t>(rank), language::scalarType(kind));
    return types.tuple(items);
  };
  using language::DescriptorKind;
  bool tma = language::isA(object, language::LayoutKind::NVMMASharedLayout);
  DescriptorKind kind = !tma     ? DescriptorKind::Tdm
                        : im2col ? DescriptorKind::Im2Col
                                 : DescriptorKind::Tiled;
  return types.descriptor(kind, types.tensor(element, block, nullptr),
                          all(language::ScalarKind::Int32), all(language::ScalarKind::Int64),
                          object);
}

// A tuple of constants is a tuple of constexprs.
const Type* RecordReader::constantType(Value constant) {
  auto* tuple = constant.as<language::TupleObject>();
  if (!tuple) return resolver_.types_.constexprType(constant);
  llvm::SmallVector<const Type*, 8> parts;
  for (Value item : tuple->items)
    parts.push_back(constantType(item));
  return resolver_.types_.tuple(parts, tuple->fields);
}

bool RecordReader::argument(const json& argument, KernelArgument& out) {
  if (!argument.is_object()) return fail("an argument is not an object"), false;
  auto it = argument.find("type");
  if (it == argument.end() || !it->is_string()) return fail("an argument has no type"), false;
  const std::string& type = it->get_ref<const std::string&>();
  auto number = [&](const char* name, std::optional<int64_t>& set) {
    if (auto found = argument.find(name); found != argument.end() && found->is_number_integer())
      set = found->get<int64_t>();
  };
  number("divisible_by", out.divisibleBy);
  number("pointer_range", out.pointerRange);
  if (type == "constexpr") {
    auto value = argument.find("value");
    if (value == argument.end()) return fail("a constexpr argument has no value"), false;
    Value constant = this->value(*value);
    if (constant.isAbsent()) return false;
    out.type = constantType(constant);
    return true;
  }
  if (type == "tuple") {
    auto elements = argument.find("elements");
    if (elements == argument.end() || !elements->is_array())
      return fail("a tuple has no elements"), false;
    if (++depth_ > 64) return fail("values are nested too deeply"), false;
    llvm::SmallVector<const Type*, 8> parts;
    for (const json& element : *elements) {
      if (!this->argument(element, out.elements.emplace_back())) return false;
      parts.push_back(out.elements.back().type);
    }
    --depth_;
    llvm::SmallVector<Name, 8> fields;
    if (auto names = argument.find("fields"); names != argument.end() && names->is_array())
      for (const json& field : *names)
        if (field.is_string()) fields.push_back(name(field.get<std::string>()));
    if (fields.size() != parts.size()) fields.clear();
    out.type = resolver_.types_.tuple(parts, fields);
    return true;
  }
  if (type == "tensordesc" || type == "tensordesc_im2col")
    out.type = descriptor(argument, type != "tensordesc");
  else
    out.type = signature(type);
  return out.type != nullptr;
}

// Module-level constexprs as they were when the record was made.
bool RecordReader::globals(std::vector<codegen::GlobalValue>& out) {
  auto it = record_.data->json.find("globals");
  if (it == record_.data->json.end() || !it->is_object()) return true;
  for (auto entry = it->begin(); entry != it->end(); ++entry) {
    auto [module, variable] = llvm::StringRef(entry.key()).split(':');
    Value wanted = value(entry.value());
    if (wanted.isAbsent()) return false;
    out.push_back({name(module), name(variable), wanted.wrapped()});
  }
  return true;
}

// ---------------------------------------------------------------- the whole record

tl::expected<codegen::Specialization, std::string>
RecordResolver::resolve(const LaunchRecord& record) {
  RecordReader reader(*this, record);
  codegen::Specialization result;
  result.target = record.target;
  result.options = record.options;
  result.kernel = reader.kernel();
  if (!result.kernel) return tl::make_unexpected(reader.problem());
  const auto& parameters = result.kernel->def->parameters;
  const json& args = record.data->json["args"];
  if (args.size() != parameters.size())
    return tl::make_unexpected("the record has " + std::to_string(args.size()) + " arguments, '" +
                               record.kernel + "' has " + std::to_string(parameters.size()) +
                               " parameters");
  result.arguments.resize(parameters.size());
  for (const json& argument : args) {
    if (!argument.is_object() || !argument.contains("name") || !argument["name"].is_string())
      return tl::make_unexpected(std::string("an argument has no name"));
    const std::string& spelled = argument["name"].get_ref<const std::string&>();
    auto found = llvm::find_if(parameters, [&](const Parameter& parameter) {
      return interpreter_.text(parameter.name.name) == spelled;
    });
    if (found == parameters.end())
      return tl::make_unexpected("'" + record.kernel + "' has no parameter '" + spelled + "'");
    auto index = static_cast<size_t>(found - parameters.begin());
    if (!reader.argument(argument, result.arguments[index]))
      return tl::make_unexpected("argument '" + spelled + "': " + reader.problem());
  }
  for (auto [parameter, argument] : llvm::zip(parameters, result.arguments))
    if (!argument.type)
      return tl::make_unexpected("the record has no argument '" +
                                 interpreter_.text(parameter.name.name).str() + "'");
  if (!reader.globals(result.globals)) return tl::make_unexpected(reader.problem());
  return result;
}

} // namespace gluond::driver
