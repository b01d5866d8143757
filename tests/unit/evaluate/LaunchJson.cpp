#include "LaunchJson.h"

#include "language/types/LayoutClass.h"

#include <filesystem>

namespace gluond::evaluate {

using language::FunctionObject;
using language::Value;
using language::ValueKind;
using nlohmann::json;

namespace {

struct Writer {
  const Interner& names;
  std::string file; // of the record

  json value(Value value) {
    if (value.isConstexpr()) return {{"$constexpr", this->value(value.unwrapped())}};
    switch (value.kind()) {
    case ValueKind::None:
      return nullptr;
    case ValueKind::Bool:
      return value.asBool();
    case ValueKind::Int:
      return value.asInt();
    case ValueKind::Float:
      return value.asFloat();
    case ValueKind::Str:
      return value.as<language::StrObject>()->text.str();
    case ValueKind::List:
      return items(value.as<language::ListObject>()->items);
    case ValueKind::Tuple:
      return {{"$tuple", items(value.as<language::TupleObject>()->items)}};
    case ValueKind::Type:
      if (value.asType()->isScalar()) return {{"$dtype", value.asType()->info().name.str()}};
      return {{"$type", "?"}};
    case ValueKind::Layout: {
      auto* layout = value.as<language::LayoutObject>();
      json result{{"$layout", layout->cls->name.str()}};
      for (size_t i = 0; i < layout->cls->fields.size(); ++i)
        result[layout->cls->fields[i].name.str()] = this->value(layout->fields[i]);
      return result;
    }
    case ValueKind::Function: {
      auto* function = value.as<FunctionObject>();
      json result{{"$fn", function->qualname.str()}};
      place(result, function->module);
      return result;
    }
    case ValueKind::Class: {
      auto* cls = value.as<language::ClassObject>();
      json result{{"$class", cls->qualname.str()}};
      place(result, cls->module);
      if (cls->def && cls->qualname.contains("<locals>")) {
        json closure = json::object();
        closureOf(cls, closure);
        if (!closure.empty()) result["closure"] = closure;
      }
      return result;
    }
    default:
      return {{"$unknown", static_cast<int>(value.kind())}};
    }
  }

  json items(language::Items values) {
    json result = json::array();
    for (Value item : values)
      result.push_back(value(item));
    return result;
  }

  void place(json& result, const language::ModuleObject* module) {
    if (!module || module->path.empty()) return;
    std::string name = std::filesystem::path(module->path.str()).filename().string();
    if (name != file) result["file"] = name;
  }

  // The constexprs that a class's methods see in the functions around it.
  void closureOf(const language::ClassObject* cls, json& closure) {
    for (auto [member, method] : *cls->members) {
      auto* function = method.as<FunctionObject>();
      if (!function) continue;
      for (auto* scope = function->scope; scope && scope->parent; scope = scope->parent)
        for (auto [name, value] : *scope)
          if (value.isConstexpr()) closure[names.text(name).str()] = this->value(value);
    }
  }

  json argument(const LaunchArgument& argument) {
    json result{{"type", signature(argument)}};
    if (argument.name) result["name"] = names.text(argument.name).str();
    if (argument.isConstexpr) result["value"] = value(argument.constant);
    if (argument.divisibleBy) result["divisible_by"] = *argument.divisibleBy;
    if (argument.pointerRange) result["pointer_range"] = *argument.pointerRange;
    if (argument.isAssumed) result["assumed"] = true;
    if (argument.isTuple) {
      result["elements"] = json::array();
      for (auto& element : argument.elements)
        result["elements"].push_back(this->argument(element));
    }
    if (argument.type && argument.type->is(language::TypeKind::TensorDescriptor)) {
      result["dtype"] = argument.type->element()->element()->info().mangled.str();
      result["block"] = json::array();
      for (int64_t size : argument.type->element()->shape())
        result["block"].push_back(size);
      result["layout"] = value(Value::object(ValueKind::Layout, argument.type->layout()));
    }
    return result;
  }
};

} // namespace

json launchJson(const Interner& names, const Launch& launch, const std::string&) {
  Writer writer{names,
                std::filesystem::path(launch.kernel->module->path.str()).filename().string()};
  json options = json::object(), arguments = json::array();
  for (auto& option : launch.options)
    options[option.name] = writer.value(option.value);
  for (auto& argument : launch.arguments)
    arguments.push_back(writer.argument(argument));
  return {
      {"id", launch.id},         {"file", writer.file}, {"kernel", launch.kernel->qualname.str()},
      {"target", launch.target}, {"options", options},  {"args", arguments}};
}

} // namespace gluond::evaluate
