#include "driver/launches/RecordWriter.h"

#include "driver/launches/HostLaunch.h"
#include "driver/records/RecordReader.h"
#include "language/types/Builtin.h"
#include "language/types/Layout.h"
#include "language/types/Text.h"
#include "language/types/TypeContext.h"
#include "support/json/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace gluond::driver {

using namespace language;
using Json = nlohmann::ordered_json;

namespace {

class Writer {
public:
  Writer(const Variant& variant, const Interner& names)
      : program_(*variant.program), file_(variant.file()), names_(names) {}

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
      return Json{{"$namedtuple",
                   reference("$class", tuple->namedtuple->qualname, tuple->namedtuple->module)},
                  {"fields", fields}};
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
    case ValueKind::Function: {
      auto* function = v.as<FunctionObject>();
      return reference("$fn", function->qualname, function->module);
    }
    case ValueKind::Class: {
      auto* cls = v.as<ClassObject>();
      return reference("$class", cls->qualname, cls->module);
    }
    case ValueKind::Enum: {
      auto* member = v.as<EnumObject>();
      return Json{{"$enum", reference("$class", member->cls->qualname, member->cls->module)},
                  {"name", charged(names_.text(member->name)).str()}};
    }
    case ValueKind::Instance: {
      auto* instance = v.as<InstanceObject>();
      Json json = reference("$object", instance->cls->qualname, instance->cls->module);
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
    case ValueKind::Module:
      return Json{{"$module", v.as<ModuleObject>()->name.str()}};
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

  Json reference(const char* tag, llvm::StringRef qualname, const ModuleObject* module) {
    Json json = Json{{tag, charged(qualname).str()}};
    if (!module || module->path == file_.path()) return json;
    if (const Program::Part* part = program_.part(*module)) {
      json["file"] = llvm::sys::path::filename(part->file->path()).str();
      return json;
    }
    json["module"] = module->name.str();
    return json;
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
  const Program& program_;
  const File& file_; // of the kernel
  const Interner& names_;
};

} // namespace

Json recordOf(const Variant& variant, const std::string& file, const Interner& names) {
  if (variant.record.record) {
    llvm::StringRef text = variant.record.record->json->source();
    Json json = json::parse(text).value_or(Json::object());
    json["file"] = file;
    return json;
  }
  const evaluate::Launch& launch = *variant.launch;
  Writer writer(variant, names);
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
  if (Json run = runOf(hostLaunchOf(variant, names)); !run.empty()) json["run"] = std::move(run);
  return json;
}

} // namespace gluond::driver
