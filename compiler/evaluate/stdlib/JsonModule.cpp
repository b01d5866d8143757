// json.loads of plain values, and json.load of files in the workspace.
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/NativeArguments.h"
#include "evaluate/stdlib/DataFiles.h"
#include "evaluate/stdlib/StandardModules.h"
#include "support/json/Text.h"

#include <nlohmann/json.hpp>

namespace gluond::evaluate {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t longestText = 1u << 20;
constexpr unsigned deepest = 100;

// Returns Absent if it raised.
Value valueOf(Interpreter& in, const Json& json) {
  if (!in.spend(1)) return Value::absent();
  switch (json.type()) {
  case Json::value_t::null:
    return Value::none();
  case Json::value_t::boolean:
    return Value::boolean(json.get<bool>());
  case Json::value_t::number_integer:
    return Value::integer(json.get<int64_t>());
  case Json::value_t::number_unsigned: {
    uint64_t number = json.get<uint64_t>();
    return number <= static_cast<uint64_t>(INT64_MAX) ? Value::integer(static_cast<int64_t>(number))
                                                      : Value::unknown();
  }
  case Json::value_t::number_float: {
    // The reader makes integers of more than 64 bits floating-point numbers too.
    constexpr double largest = 9.2e18;
    double number = json.get<double>();
    return number > largest || number < -largest ? Value::unknown() : Value::real(number);
  }
  case Json::value_t::string:
    return in.string(json.get_ref<const std::string&>());
  case Json::value_t::array: {
    llvm::SmallVector<Value> items;
    for (const Json& item : json)
      if (items.push_back(valueOf(in, item)); items.back().isAbsent()) return items.back();
    return in.heap().list(items);
  }
  case Json::value_t::object: {
    Value dict = in.heap().dict();
    for (const auto& [key, item] : json.items()) {
      Value value = valueOf(in, item);
      if (value.isAbsent()) return value;
      if (!in.dictSet(dict.as<DictObject>(), in.string(key), value)) return Value::absent();
    }
    return dict;
  }
  default:
    return Value::unknown();
  }
}

// Keywords such as object_hook change what is made.
bool isPlain(const CallArguments& arguments) {
  return arguments.positional.size() == 1 && arguments.keywords.empty();
}

Value load(Interpreter& in, const CallArguments& arguments) {
  Value value = isPlain(arguments) ? valueOfData(in, arguments.positional[0]) : Value::unknown();
  return in.failed() ? Value::absent() : value;
}

Value loads(Interpreter& in, const CallArguments& arguments) {
  Value given = at(arguments, 0);
  auto* text = given.as<StrObject>();
  if (!text) return load(in, arguments);
  if (!given.is(ValueKind::Str) || !isPlain(arguments) || text->text.size() > longestText)
    return Value::unknown();
  if (!in.spendBytes(text->text.size())) return Value::absent();
  // Python reads NaN and a few more.
  auto json = json::parse({text->text.data(), text->text.size()}, deepest);
  return json ? valueOf(in, *json) : Value::unknown();
}

constexpr NativeRow rows[] = {{"load", load}, {"loads", loads}};

} // namespace

llvm::ArrayRef<NativeRow> jsonFunctions() {
  return rows;
}

} // namespace gluond::evaluate
