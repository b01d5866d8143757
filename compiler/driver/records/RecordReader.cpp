#include "driver/records/RecordReader.h"

#include "driver/records/ParameterPlaces.h"
#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/TypeContext.h"
#include "language/types/TypeText.h"

#include <limits>

namespace gluond::driver {

using codegen::KernelArgument;
using language::LayoutObject;
using language::Type;
using language::Value;
using language::ValueKind;
using namespace syntax;

Value RecordReader::fail(const llvm::Twine& message) {
  if (problem_.empty()) problem_ = message.str();
  return Value::absent();
}

// ---------------------------------------------------------------- values

bool RecordReader::list(const JsonValue& items, llvm::SmallVectorImpl<Value>& out) {
  if (!items.isArray()) return fail("expected a list"), false;
  for (const JsonValue& item : items.items()) {
    out.push_back(value(item));
    if (out.back().isAbsent()) return false;
  }
  return true;
}

Value RecordReader::value(const JsonValue& value) {
  using enum JsonValue::Kind;
  switch (value.kind()) {
  case Null:
    return Value::none();
  case Boolean:
    return Value::boolean(value.boolean());
  case Integer:
    if (value.isHuge()) return heap().bigInt(static_cast<uint64_t>(value.integer()), false);
    return Value::integer(value.integer());
  case Real:
    return Value::real(value.real());
  case String:
    return heap().str(value.text());
  case Array: {
    if (++depth_ > 64) return fail("values are nested too deeply");
    llvm::SmallVector<Value, 8> items;
    bool fine = list(value, items);
    --depth_;
    return fine ? heap().list(items) : Value::absent();
  }
  case Object: {
    if (++depth_ > 64) return fail("values are nested too deeply");
    for (const JsonValue& member : value.items())
      if (member.key().starts_with("$")) {
        Value result = tagged(value, member.key(), member);
        --depth_;
        return result;
      }
    return fail("an object has no $ tag");
  }
  }
  return fail("a value is malformed");
}

Value RecordReader::tagged(const JsonValue& value, llvm::StringRef tag, const JsonValue& content) {
  llvm::SmallVector<Value, 8> items;
  auto text = [&] { return content.text(); };
  if (tag == "$layout") return layout(value, text()); // of almost every record
  if (tag == "$tuple" || tag == "$tl.tuple")
    return list(content, items) ? heap().tuple(items) : Value::absent();
  if (tag == "$constexpr") {
    Value inner = this->value(content);
    return inner.isAbsent() ? inner : inner.wrapped();
  }
  if (tag == "$float") {
    llvm::StringRef name = text();
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
    return Value::type(resolver_.types_.pointer(
        element.asType(), value.find("const") && value.find("const")->boolean()));
  }
  if (tag == "$dict") {
    if (!content.isArray()) return fail("$dict holds a list of pairs");
    Value dict = heap().dict();
    for (const JsonValue& pair : content.items()) {
      if (!pair.isArray() || pair.items().size() != 2) return fail("$dict holds a list of pairs");
      Value key = this->value(pair.items()[0]), item = this->value(pair.items()[1]);
      if (key.isAbsent() || item.isAbsent()) return Value::absent();
      if (!resolver_.interpreter_.dictSet(dict.as<language::DictObject>(), key, item)) {
        resolver_.interpreter_.dropError();
        return fail("a value in $dict cannot be used as a key");
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
    if (items[2].asInt() == 0) return fail("the step of a $range is not zero");
    return Value::object(ValueKind::Range,
                         heap().make<language::RangeObject>(language::Object{}, items[0].asInt(),
                                                            items[1].asInt(), items[2].asInt()));
  }
  if (tag == "$type") return type(value, text());
  if (tag == "$fn" || tag == "$class") return reference(value, text());
  if (tag == "$builtin") return builtin(text());
  if (tag == "$object") return object(value, text());
  if (tag == "$namedtuple") return namedTuple(value);
  if (tag == "$module") {
    if (const JsonValue* file = value.find("file")) {
      std::optional<ProgramModule> module = moduleOf(file, &content);
      return module ? Value::object(ValueKind::Module, module->module) : Value::absent();
    }
    return resolver_.interpreter_.module(heap().copy(text()));
  }
  if (tag == "$enum") {
    if (const JsonValue* module = content.find("module");
        module && module->isString()) { // one of Triton's own
      std::string dotted = (module->text() + "." + content.textOf("$class")).str();
      const language::BuiltinModule* known = language::findModule(dotted);
      if (const language::Builtin* member =
              known ? language::findBuiltin(known->id, value.textOf("name")) : nullptr)
        return language::valueOf(*member);
    }
    Value cls = this->value(content);
    if (cls.isAbsent() || cls.isUnknown()) return cls;
    Value member = resolver_.interpreter_.lookupAttribute(cls, name(value.textOf("name")));
    resolver_.interpreter_.dropError();
    return member.isAbsent() ? fail("the enum has no member '" + value.textOf("name") + "'")
                             : member;
  }
  if (tag == "$bound") {
    Value function = this->value(content),
          self = value.find("self") ? this->value(*value.find("self")) : Value::none();
    if (function.isAbsent() || self.isAbsent()) return Value::absent();
    return Value::object(ValueKind::BoundMethod, heap().make<language::BoundMethodObject>(
                                                     language::Object{}, self, function));
  }
  if (tag == "$torch.dtype") return Value::unknown();
  return fail("'" + tag + "' is not a tag of launch records");
}

Value RecordReader::layout(const JsonValue& value, llvm::StringRef spelled) {
  const language::LayoutClass* cls = nullptr;
  auto [space, plain] =
      spelled.contains('.') ? spelled.split('.') : std::pair(llvm::StringRef(), spelled);
  for (unsigned i = 0; i <= static_cast<unsigned>(language::LayoutKind::NvidiaCachePolicy); ++i) {
    const auto& row = language::layoutClass(static_cast<language::LayoutKind>(i));
    if (llvm::StringRef(row.name) != plain) continue;
    if (!space.empty() && !row.module.contains(space)) continue;
    if (space.empty() && cls) continue; // the first of a name that exists twice
    cls = &row;
  }
  if (!cls) return fail("'" + spelled + "' is not a layout class");
  llvm::SmallVector<Value, 8> fields;
  for (const language::LayoutField& field : cls->fields) {
    const JsonValue* given = value.find(field.name);
    if (!given) return fail("layout " + spelled + " has no field '" + field.name + "'");
    fields.push_back(this->value(*given));
    if (fields.back().isAbsent()) return fields.back();
  }
  auto made = language::makeLayoutOf(cls->kind, fields, heap());
  return made ? *made : fail("layout " + spelled + ": " + made.error().message);
}

Value RecordReader::type(const JsonValue& value, llvm::StringRef kind) {
  auto part = [&](const char* name) {
    const JsonValue* given = value.find(name);
    return given ? this->value(*given) : Value::none();
  };
  Value element = part("element_ty"), shape = part("shape"), layout = part("layout"),
        alloc = part("alloc_shape");
  for (Value each : {element, shape, layout, alloc})
    if (each.isAbsent()) return each;
  auto sizes = language::ints(shape), allocSizes = language::ints(alloc);
  if (!element.is(ValueKind::Type) || !sizes) return fail("the type " + kind + " is malformed");
  const LayoutObject* object = layout.as<LayoutObject>();
  auto isOf = [&](language::LayoutFamily family) {
    return object && object->cls->family == family;
  };
  if (kind == "shared_memory_descriptor_type" && isOf(language::LayoutFamily::Shared) && allocSizes)
    return Value::type(
        resolver_.types_.sharedMemory(element.asType(), *sizes, object, *allocSizes));
  if (kind == "tensor_memory_descriptor_type" && isOf(language::LayoutFamily::TensorMemory) &&
      allocSizes)
    return Value::type(resolver_.types_.tensorMemory(element.asType(), *sizes, object, *allocSizes,
                                                     alloc.is(ValueKind::Tuple)));
  if (kind != "distributed_type" && kind != "block_type")
    return fail("'" + kind + "' is not a type, or its parts do not make one");
  // The program's own constructor checks the rest.
  Value parts[] = {element, shape, layout};
  bool hasLayout = kind == "distributed_type";
  Value made = language::callNative(*language::findBuiltin(language::ModuleId::gl, kind),
                                    resolver_.interpreter_,
                                    {llvm::ArrayRef(parts).take_front(hasLayout ? 3 : 2), {}});
  if (!made.isAbsent()) return made;
  return fail("the type " + kind + " is malformed: " + resolver_.interpreter_.takeError().message);
}

Value RecordReader::object(const JsonValue& value, llvm::StringRef qualname) {
  Value cls = reference(value, qualname);
  if (cls.isAbsent() || cls.isUnknown()) return cls;
  auto* object = cls.as<language::ClassObject>();
  if (!object) return fail("'" + qualname + "' is not a class");
  if (!evaluate::hasPlainInstances(object))
    return fail("objects of '" + qualname + "' are not made of fields");
  const JsonValue* fields = value.find("fields");
  if (!fields || !fields->isObject()) return fail("an object of '" + qualname + "' has no fields");
  language::Scope* attributes = resolver_.interpreter_.newScope();
  for (const JsonValue& member : fields->items()) {
    Value field = this->value(member);
    if (field.isAbsent()) return field;
    attributes->set(name(member.key()), field);
  }
  return Value::object(ValueKind::Instance, heap().make<language::InstanceObject>(
                                                language::Object{}, object, attributes));
}

Value RecordReader::namedTuple(const JsonValue& value) {
  const JsonValue* fields = value.find("fields");
  if (!fields || !fields->isObject()) return fail("a namedtuple has no fields");
  llvm::SmallVector<Value, 8> items;
  llvm::SmallVector<Name, 8> names;
  const JsonValue& reference = *value.find("$namedtuple");
  const language::ClassObject* cls = nullptr;
  if (!reference.textOf("$class").empty()) {
    std::string kept = problem_;
    Value found = this->reference(reference, reference.textOf("$class"));
    problem_ = kept; // the class may be made at run time, and the fields are sufficient
    cls = found.as<language::ClassObject>();
    if (cls && cls->flavour != language::ClassObject::Flavour::NamedTuple)
      return fail("'" + reference.textOf("$class") + "' is not a namedtuple");
  }
  // The class's order of fields, where the class is known.
  if (cls)
    for (const auto& field : cls->fields) {
      const JsonValue* given = fields->find(resolver_.interpreter_.text(field.name));
      if (!given) return fail("a field of a namedtuple is missing");
      items.push_back(this->value(*given));
      names.push_back(field.name);
    }
  else
    for (const JsonValue& member : fields->items()) {
      items.push_back(this->value(member));
      names.push_back(name(member.key()));
    }
  for (Value item : items)
    if (item.isAbsent()) return item;
  return Value::object(ValueKind::Tuple, heap().make<language::TupleObject>(
                                             language::Object{}, heap().copy(items), cls,
                                             heap().copyArray(llvm::ArrayRef<Name>(names))));
}

// ---------------------------------------------------------------- arguments

const Type* RecordReader::signature(llvm::StringRef text) {
  constexpr size_t longest = 64; // pointers to pointers included
  if (text.size() > longest) return fail("the type has too many characters"), nullptr;
  if (const Type* type = language::typeOfSignature(text, resolver_.types_)) return type;
  if (text == "B") return language::scalarType(language::ScalarKind::Int1);
  fail("'" + text + "' is not a type");
  return nullptr;
}

const Type* RecordReader::descriptor(const JsonValue& argument, bool im2col) {
  const Type* element = signature(argument.textOf("dtype"));
  if (!element) return nullptr;
  llvm::SmallVector<int64_t, 4> block;
  if (const JsonValue* sizes = argument.find("block"))
    for (const JsonValue& size : sizes->items())
      if (size.isInteger()) block.push_back(size.integer());
  auto isSize = [](int64_t size) { return size > 0 && size <= 1 << 20; };
  if (block.empty() || block.size() > 8 || !llvm::all_of(block, isSize))
    return fail("the block of a tensor descriptor is malformed"), nullptr;
  const JsonValue* spelled = argument.find("layout");
  Value layout = spelled ? value(*spelled) : Value::none();
  if (layout.isAbsent()) return nullptr;
  const LayoutObject* object = layout.as<LayoutObject>();
  if (!object) return fail("a tensor descriptor needs a layout"), nullptr;
  int64_t rank = static_cast<int64_t>(block.size());
  if (const JsonValue* given = argument.find("input_rank"); im2col && given && given->isInteger())
    rank = given->integer();
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

bool RecordReader::argument(const JsonValue& argument, KernelArgument& out) {
  if (!argument.isObject()) return fail("an argument is not an object"), false;
  llvm::StringRef type = argument.textOf("type");
  if (type.empty()) return fail("an argument has no type"), false;
  auto number = [&](const char* name, std::optional<int64_t>& set) {
    if (const JsonValue* found = argument.find(name); found && found->isInteger())
      set = found->integer();
  };
  number("divisible_by", out.divisibleBy);
  number("pointer_range", out.pointerRange);
  for (const std::optional<int64_t>& given : {out.divisibleBy, out.pointerRange})
    if (given && (*given <= 0 || *given > INT32_MAX))
      return fail("divisible_by and pointer_range must be positive 32-bit numbers"), false;
  if (type == "constexpr") {
    const JsonValue* value = argument.find("value");
    if (!value) return fail("a constexpr argument has no value"), false;
    Value constant = this->value(*value);
    if (constant.isAbsent()) return false;
    if (language::fit(constant) != language::Fit::Fits)
      return fail("a constant nests too deeply or is too large"), false;
    out.type = constantType(constant);
    return true;
  }
  if (type == "tuple") {
    const JsonValue* elements = argument.find("elements");
    if (!elements || !elements->isArray()) return fail("a tuple has no elements"), false;
    if (++depth_ > 64) return fail("values are nested too deeply"), false;
    llvm::SmallVector<const Type*, 8> parts;
    for (const JsonValue& element : elements->items()) {
      if (!this->argument(element, out.elements.emplace_back())) return false;
      parts.push_back(out.elements.back().type);
    }
    --depth_;
    llvm::SmallVector<Name, 8> fields;
    if (const JsonValue* names = argument.find("fields"))
      for (const JsonValue& field : names->items())
        if (field.isString()) fields.push_back(name(field.text()));
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
  const JsonValue* given = record_.json->find("globals");
  if (!given || !given->isObject()) return true;
  for (const JsonValue& member : given->items()) {
    auto [module, variable] = member.key().split(':');
    Value wanted = value(member);
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
  result.release = interpreter_.options().release;
  result.kernel = reader.kernel();
  if (!result.kernel) return tl::make_unexpected(reader.problem());
  const auto& parameters = result.kernel->def->parameters;
  llvm::ArrayRef<JsonValue> args = record.json->find("args")->items();
  if (args.size() != parameters.size())
    return tl::make_unexpected("the record has " + std::to_string(args.size()) +
                               " arguments, but '" + record.kernel + "' has " +
                               std::to_string(parameters.size()) + " parameters");
  result.arguments.resize(parameters.size());
  ParameterPlaces places(parameters, interpreter_);
  for (const JsonValue& argument : args) {
    llvm::StringRef spelled = argument.textOf("name");
    if (spelled.empty()) return tl::make_unexpected(std::string("an argument has no name"));
    auto found = places.find(spelled);
    if (!found)
      return tl::make_unexpected("'" + record.kernel + "' has no parameter '" + spelled.str() +
                                 "'");
    if (!reader.argument(argument, result.arguments[*found]))
      return tl::make_unexpected("argument '" + spelled.str() + "': " + reader.problem());
  }
  for (auto [parameter, argument] : llvm::zip(parameters, result.arguments))
    if (!argument.type)
      return tl::make_unexpected("the record has no argument '" +
                                 interpreter_.text(parameter.name.name).str() + "'");
  if (!reader.globals(result.globals)) return tl::make_unexpected(reader.problem());
  return result;
}

} // namespace gluond::driver
