#include "driver/launches/RecordWriter.h"

#include "driver/launches/HostLaunch.h"
#include "driver/records/RecordReader.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"
#include "support/json/Text.h"
#include "syntax/tree/FreeNames.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace gluond::driver {

using namespace language;
using Json = nlohmann::ordered_json;

namespace {

class Writer {
public:
  // `file` is the kernel's file as the record names it: other files are named from the same folder.
  Writer(const Variant& variant, llvm::StringRef file, const Interner& names)
      : program_(*variant.program), file_(variant.file()), names_(names) {
    llvm::StringRef path = file_.path();
    if (path.ends_with(file)) folder_ = path.drop_back(file.size()).str();
  }

  // The values that the kernel takes from the functions around it: "closure" and "defaults".
  void surroundings(const FunctionObject& kernel, Json& json) {
    if (kernel.qualname.contains("<locals>")) definedInside(kernel, json);
  }

  Json argument(const evaluate::LaunchArgument& argument) {
    Json json = Json::object();
    if (argument.name) json["name"] = names_.text(argument.name).str();
    json["type"] = argument.isTuple ? "tuple" : evaluate::signature(argument);
    if (argument.isTuple) {
      Json elements = Json::array();
      for (const evaluate::LaunchArgument& element : argument.elements)
        elements.push_back(this->argument(element));
      json["elements"] = std::move(elements);
      if (!argument.fields.empty()) {
        Json fields = Json::array();
        for (Name field : argument.fields)
          fields.push_back(names_.text(field).str());
        json["fields"] = std::move(fields);
        if (argument.tupleClass) json["class"] = argument.tupleClass->qualname.str();
      }
    } else if (argument.isConstexpr) {
      json["value"] = value(argument.constant);
    } else if (argument.type && argument.type->is(TypeKind::TensorDescriptor)) {
      descriptor(*argument.type, argument.inputRank, json);
    }
    if (argument.divisibleBy) json["divisible_by"] = *argument.divisibleBy;
    if (argument.pointerRange) json["pointer_range"] = *argument.pointerRange;
    return json;
  }

  Json value(Value v, unsigned depth = 0) {
    // A record repeats shared values, so it may be far larger than the values.
    if (depth > 32 || parts_ >= mostParts) return unknown();
    ++parts_;
    auto list = [&](auto&& items) {
      Json array = Json::array();
      for (Value item : items)
        array.push_back(value(item, depth + 1));
      return array;
    };
    if (v.isConstexpr() && depth > 0) return Json{{"$constexpr", value(v.unwrapped(), depth)}};
    switch (v.kind()) {
    case ValueKind::None:
      return nullptr;
    case ValueKind::Bool:
      return v.asBool();
    case ValueKind::Int:
      return v.asInt();
    case ValueKind::Float: {
      double real = v.asFloat();
      if (std::isfinite(real)) return real;
      return Json{{"$float", std::isnan(real) ? "nan" : real > 0 ? "inf" : "-inf"}};
    }
    case ValueKind::Str:
      return llvm::json::fixUTF8(charged(v.as<StrObject>()->text));
    case ValueKind::List:
      return list(v.as<ListObject>()->items);
    case ValueKind::Tuple: {
      auto* tuple = v.as<TupleObject>();
      if (!tuple->namedtuple) return Json{{"$tuple", list(tuple->items)}};
      Json fields = Json::object();
      for (auto [field, item] : llvm::zip(tuple->namedtuple->fields, tuple->items))
        fields[charged(names_.text(field.name)).str()] = value(item, depth + 1);
      return Json{{"$namedtuple", reference("$class", *tuple->namedtuple)}, {"fields", fields}};
    }
    case ValueKind::Dict: {
      auto* dict = v.as<DictObject>();
      if (dict->uncertain) return unknown();
      Json pairs = Json::array();
      for (auto [key, item] : dict->items)
        pairs.push_back(Json::array({value(key, depth + 1), value(item, depth + 1)}));
      return Json{{"$dict", std::move(pairs)}};
    }
    case ValueKind::Range: {
      auto* range = v.as<RangeObject>();
      return Json{{"$range", {range->start, range->stop, range->step}}};
    }
    case ValueKind::Slice: {
      auto* slice = v.as<SliceObject>();
      return Json{
          {"$slice", list(std::initializer_list<Value>{slice->start, slice->stop, slice->step})}};
    }
    case ValueKind::Type:
      return type(*v.asType());
    case ValueKind::Layout:
      return layout(*v.as<LayoutObject>(), depth);
    case ValueKind::Builtin: {
      const Builtin& builtin = *v.asBuiltin();
      llvm::StringRef alias = llvm::StringRef(builtin.where).split(' ').first;
      for (const BuiltinModule& module : builtinModules())
        if (module.alias == alias)
          return Json{{"$builtin", module.name.str() + "." + builtin.name.str()}};
      return unknown();
    }
    case ValueKind::Function:
      return reference(*v.as<FunctionObject>());
    case ValueKind::Class:
      return reference("$class", *v.as<ClassObject>());
    case ValueKind::Enum: {
      auto* member = v.as<EnumObject>();
      return Json{{"$enum", reference("$class", *member->cls)},
                  {"name", charged(names_.text(member->name)).str()}};
    }
    case ValueKind::Instance: {
      auto* instance = v.as<InstanceObject>();
      Json json = reference("$object", *instance->cls);
      Json fields = Json::object();
      if (instance->attributes)
        for (auto [name, attribute] : *instance->attributes)
          fields[charged(names_.text(name)).str()] = value(attribute, depth + 1);
      json["fields"] = std::move(fields);
      return json;
    }
    case ValueKind::BoundMethod: {
      auto* bound = v.as<BoundMethodObject>();
      return Json{{"$bound", value(bound->function, depth + 1)},
                  {"self", value(bound->self, depth + 1)}};
    }
    case ValueKind::Module: {
      auto* module = v.as<ModuleObject>();
      Json json = Json{{"$module", module->name.str()}};
      if (const EvaluatedFile::Part* part = program_.part(*module))
        json["file"] = fromFolder(part->file->path());
      return json;
    }
    default:
      return unknown();
    }
  }

private:
  // A long text counts like several parts.
  llvm::StringRef charged(llvm::StringRef text) {
    parts_ += text.size() / bytesPerPart;
    return text;
  }
  static Json unknown() { return Json{{"$unknown", nullptr}}; }

  std::string fromFolder(llvm::StringRef path) const {
    if (!folder_.empty() && path.starts_with(folder_)) return path.substr(folder_.size()).str();
    return llvm::sys::path::filename(path).str();
  }

  // Where a definition is: "file" unless it is the kernel's own, "module" unless that is its stem.
  Json reference(const char* tag, llvm::StringRef qualname, const ModuleObject* module) {
    Json json = Json{{tag, charged(qualname).str()}};
    if (!module) return json;
    bool isOwn = module->path == file_.path();
    const EvaluatedFile::Part* part = isOwn ? nullptr : program_.part(*module);
    if (part) json["file"] = fromFolder(part->file->path());
    if ((!isOwn && !part) || module->name != llvm::sys::path::stem(module->path))
      json["module"] = module->name.str();
    return json;
  }

  Json reference(const FunctionObject& function) {
    Json json = reference("$fn", function.qualname, function.module);
    if (!function.def || !function.qualname.contains("<locals>")) return json;
    if (const text::SourceText* text = textOf(function.module))
      json["line"] = text->lineOf(function.def->name.range.begin) + 1;
    definedInside(function, json);
    return json;
  }

  // A class that a function defines has what its methods take from that function.
  Json reference(const char* tag, const ClassObject& cls) {
    Json json = reference(tag, cls.qualname, cls.module);
    if (!cls.qualname.contains("<locals>") || !cls.members || !cls.module) return json;
    Json members = Json::object();
    active_.push_back(&cls);
    for (auto [name, member] : *cls.members)
      if (auto* method = member.is(ValueKind::Function) ? member.as<FunctionObject>() : nullptr;
          method && method->module == cls.module)
        closure(*method, members);
    active_.pop_back();
    if (!members.empty()) json["closure"] = std::move(members);
    return json;
  }

  const text::SourceText* textOf(const ModuleObject* module) const {
    if (!module) return nullptr;
    if (module->path == file_.path()) return &file_.text();
    const EvaluatedFile::Part* part = program_.part(*module);
    return part ? &part->file->text() : nullptr;
  }

  void definedInside(const FunctionObject& function, Json& json) {
    if (!function.def) return;
    Json members = Json::object(), given = Json::object();
    active_.push_back(&function);
    closure(function, members);
    for (auto [parameter, value] : llvm::zip(function.def->parameters, function.defaults)) {
      if (value.isAbsent() || !parameter.defaultValue ||
          llvm::isa<syntax::Constant>(parameter.defaultValue))
        continue;
      given[names_.text(parameter.name.name).str()] = this->value(value, 1);
    }
    active_.pop_back();
    if (!members.empty()) json["closure"] = std::move(members);
    if (!given.empty()) json["defaults"] = std::move(given);
  }

  // The variables of the functions around `function` that it uses, in alphabetical order.
  void closure(const FunctionObject& function, Json& out) {
    if (!function.def || !function.module) return;
    std::map<std::string, Value> found;
    for (Name name : syntax::freeNames(*function.def))
      for (const Scope* scope = function.scope; scope && scope != function.module->globals;
           scope = scope->parent)
        if (Value value = scope->get(name); !value.isAbsent()) {
          found.emplace(names_.text(name).str(), value);
          break;
        }
    for (const auto& [name, value] : found)
      if (!refersToItself(value)) out[charged(name).str()] = this->value(value, 1);
  }
  bool refersToItself(Value value) const {
    const Object* object = value.is(ValueKind::Function) ? value.as<FunctionObject>()
                           : value.is(ValueKind::Class)
                               ? static_cast<const Object*>(value.as<ClassObject>())
                               : nullptr;
    return object && llvm::is_contained(active_, object);
  }

  Json type(const Type& type) {
    if (type.isScalar()) return Json{{"$dtype", scalarInfo(type.scalarKind()).name.str()}};
    if (type.isPointer() && type.element()->isScalar())
      return Json{{"$pointer", this->type(*type.element())}, {"const", type.isConstPointer()}};
    const char* tag = type.isTensor()                             ? "distributed_type"
                      : type.is(TypeKind::SharedMemoryDescriptor) ? "shared_memory_descriptor_type"
                      : type.is(TypeKind::TensorMemoryDescriptor) ? "tensor_memory_descriptor_type"
                                                                  : nullptr;
    if (!tag) return unknown();
    Json json = Json{{"$type", tag},
                     {"element_ty", this->type(*type.element())},
                     {"shape", Json(type.shape().vec())}};
    json["layout"] = type.layout() ? layout(*type.layout(), 0) : Json(nullptr);
    if (!type.isTensor()) json["alloc_shape"] = Json(type.allocShape().vec());
    return json;
  }

  Json layout(const LayoutObject& layout, unsigned depth) {
    std::string name = layout.cls->name.str();
    // Two classes exist twice; the later one is named with its namespace.
    for (const LayoutClass& other : layoutClasses()) {
      if (&other == layout.cls) break;
      if (other.name == layout.cls->name) {
        llvm::StringRef module = layout.cls->module;
        module = module.contains("rubin")   ? "rubin"
                 : module.contains("cdna5") ? "cdna5"
                                            : module.rsplit('.').second;
        name = module.str() + "." + name;
        break;
      }
    }
    Json json = Json{{"$layout", name}};
    for (auto [field, item] : llvm::zip(layout.cls->fields, layout.fields))
      json[field.name.str()] = value(item, depth + 1);
    return json;
  }

  void descriptor(const Type& type, unsigned inputRank, Json& json) {
    const Type* block = type.element();
    if (!block) return;
    json["dtype"] = block->scalar()->isScalar()
                        ? Json(scalarInfo(block->scalar()->scalarKind()).mangled.str())
                        : Json(nullptr);
    json["block"] = block->isTensor() ? Json(block->shape().vec()) : Json::array();
    json["layout"] = type.layout() ? layout(*type.layout(), 0) : Json(nullptr);
    if (inputRank) json["input_rank"] = inputRank;
  }

  static constexpr size_t mostParts = 20'000; // of values in one record
  static constexpr size_t bytesPerPart = 64;  // of a text
  size_t parts_ = 0;
  const EvaluatedFile& program_;
  const File& file_;                  // of the kernel
  std::string folder_;                // of the record, with the slash; empty if it is not known
  std::vector<const Object*> active_; // the definitions that are being written
  const Interner& names_;
};

// The dotted names of the arguments, elements of tuples included, whose host values are not known.
void addAssumed(llvm::ArrayRef<evaluate::LaunchArgument> arguments, const std::string& prefix,
                const Interner& names, Json& out) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    std::string name =
        prefix + (argument.name ? names.text(argument.name).str() : std::to_string(i));
    if (argument.isAssumed) out.push_back(name);
    addAssumed(argument.elements, name + ".", names, out);
  }
}

} // namespace

Json recordOf(const Variant& variant, const std::string& file, const Interner& names) {
  if (variant.record.record) {
    llvm::StringRef text = variant.record.record->json->source();
    Json json = json::parse(text).value_or(Json::object());
    json["file"] = file;
    return json;
  }
  const evaluate::Launch& launch = *variant.launch;
  Writer writer(variant, file, names);
  Json json = Json{{"id", variant.id}, {"file", file}, {"kernel", variant.kernel}};
  const text::SourceText& text = variant.file().text();
  json["line"] = text.lineOf(launch.kernel->def->range.begin) + 1;
  std::string stem = llvm::sys::path::stem(variant.file().path()).str();
  if (launch.kernel->module && launch.kernel->module->name != stem)
    json["module"] = launch.kernel->module->name.str();
  if (launch.kernel->isTritonJit) json["language"] = "triton";
  json["target"] = launch.target;
  Json options = Json::object(), args = Json::array();
  for (const evaluate::LaunchOption& option : launch.options)
    options[option.name] = writer.value(option.value);
  for (const evaluate::LaunchArgument& argument : launch.arguments)
    args.push_back(writer.argument(argument));
  json["options"] = std::move(options);
  json["args"] = std::move(args);
  writer.surroundings(*launch.kernel, json);
  Json assumed = Json::array();
  addAssumed(launch.arguments, "", names, assumed);
  for (const evaluate::LaunchOption& option : launch.options)
    if (option.value.isUnknown()) assumed.push_back(option.name);
  if (!assumed.empty()) json["assumed"] = std::move(assumed);
  if (!launch.isCertain || launch.isBlind) json["conditional"] = true;
  if (Json run = runOf(hostLaunchOf(variant, names)); !run.empty()) json["run"] = std::move(run);
  return json;
}

} // namespace gluond::driver
