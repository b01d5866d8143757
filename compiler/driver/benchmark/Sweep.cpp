#include "driver/benchmark/Sweep.h"

#include "driver/launches/RecordWriter.h"
#include "evaluate/launches/LaunchOptions.h"
#include "layout/named/FieldNames.h"
#include "support/json/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MathExtras.h>
#include <nlohmann/json.hpp>

namespace gluond::driver {

namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<int64_t>;

namespace fields = layout::fields;
constexpr const char* blockedFields[] = {fields::sizePerThread.data(),
                                         fields::threadsPerWarp.data(), fields::warpsPerCTA.data(),
                                         fields::order.data()};

// ---------------------------------------------------------------- values as text

bool isBlocked(const Json& value) {
  return value.is_object() && value.value("$layout", "") == "BlockedLayout" &&
         value.value(fields::CGALayout.data(), Json::array()).empty() &&
         llvm::all_of(blockedFields, [&](const char* field) {
           return value.contains(field) && value[field].is_array() && !value[field].empty() &&
                  llvm::all_of(value[field],
                               [](const Json& item) { return item.is_number_integer(); });
         });
}

std::string spelled(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_number_integer()) return std::to_string(value.get<int64_t>());
  if (!isBlocked(value)) return "";
  std::string text = "gl.BlockedLayout(";
  for (const char* field : blockedFields) {
    text += field == blockedFields[0] ? "[" : ", [";
    for (auto [i, item] : llvm::enumerate(value[field]))
      text += (i ? ", " : "") + std::to_string(item.get<int64_t>());
    text += "]";
  }
  return text + ")";
}

// The inverse; null if the text is none of these.
Json parsed(llvm::StringRef text) {
  text = text.trim();
  if (text == "True" || text == "False") return text == "True";
  int64_t number;
  if (!text.getAsInteger(10, number)) return number;
  text.consume_front("gl.");
  if (!text.consume_front("BlockedLayout(") || !text.consume_back(")")) return nullptr;
  Json layout = {{"$layout", "BlockedLayout"}};
  for (const char* field : blockedFields) {
    auto [inside, rest] = text.ltrim(", ").split(']');
    if (!inside.consume_front("[")) return nullptr;
    Json items = Json::array();
    llvm::SmallVector<llvm::StringRef> parts;
    inside.split(parts, ',');
    for (llvm::StringRef part : parts) {
      if (part.trim().getAsInteger(10, number) || number < 0 || number > 1 << 16) return nullptr;
      items.push_back(number);
    }
    layout[field] = std::move(items);
    text = rest;
  }
  if (!text.trim().empty()) return nullptr;
  layout[fields::CGALayout.data()] = Json::array();
  return layout;
}

// ---------------------------------------------------------------- suggestions

std::vector<std::string> suggestionsFor(const Json& value, int64_t least = 1,
                                        int64_t most = 1 << 20) {
  std::vector<std::string> texts;
  auto add = [&](const Json& each) {
    std::string text = spelled(each);
    if (!text.empty() && !llvm::is_contained(texts, text)) texts.push_back(text);
  };
  if (value.is_boolean()) {
    add(true);
    add(false);
  } else if (value.is_number_integer()) {
    int64_t number = value.get<int64_t>();
    if (number > 1 && number <= most && llvm::isPowerOf2_64(static_cast<uint64_t>(number)))
      for (int64_t each : {number / 2, number, number * 2})
        if (each >= least && each <= most) add(each);
    add(value);
  } else if (isBlocked(value)) {
    add(value);
    // Wider and narrower along the dimension that is contiguous in a thread.
    auto along = value[fields::order.data()].front().get<size_t>();
    if (along < value[fields::sizePerThread.data()].size())
      for (int64_t width : {1, 2, 4, 8}) {
        Json other = value;
        other[fields::sizePerThread.data()][along] = width;
        add(other);
      }
    if (value[fields::order.data()].size() == 2) { // and lying the other way
      Json other = value;
      for (const char* field : blockedFields)
        std::reverse(other[field].begin(), other[field].end());
      if (spelled(other) != spelled(value)) add(other);
    }
  }
  return texts;
}

// ---------------------------------------------------------------- what follows from a value

// Distributes every layout in a value over the given number of warps.
void spread(Json& value, int64_t warps) {
  if (value.is_structured())
    for (Json& item : value)
      spread(item, warps);
  if (!value.is_object() || !value.contains(fields::warpsPerCTA.data())) return;
  Json& per = value[fields::warpsPerCTA.data()];
  auto product = [&] {
    int64_t all = 1;
    for (const Json& each : per)
      all *= each.is_number_integer() ? each.get<int64_t>() : 0;
    return all;
  };
  if (!per.is_array() || per.empty() || product() <= 0) return;
  auto largest = [&]() -> Json& {
    return *std::max_element(per.begin(), per.end(), [](const Json& a, const Json& b) {
      return a.get<int64_t>() < b.get<int64_t>();
    });
  };
  while (product() > warps && largest().get<int64_t>() % 2 == 0)
    largest() = largest().get<int64_t>() / 2;
  while (product() < warps)
    largest() = largest().get<int64_t>() * 2;
}

// A grid's extent that is ceil(number / constexpr), or a product of two of them.
struct Quotient {
  std::string number, constant;
  int64_t value = 0;
};
using Known = std::vector<std::pair<std::string, int64_t>>;

std::optional<std::vector<Quotient>> quotientsOf(int64_t extent, const Known& numbers,
                                                 const Known& constants) {
  std::vector<Quotient> single;
  for (const auto& [constant, by] : constants)
    for (const auto& [number, value] : numbers)
      if (by > 1 && value > 1)
        single.push_back({number, constant, llvm::divideCeilSigned(value, by)});
  for (const Quotient& each : single)
    if (each.value == extent && extent > 1) return std::vector{each};
  for (const Quotient& a : single)
    for (const Quotient& b : single)
      if (a.constant < b.constant && a.number != b.number && a.value > 1 && b.value > 1 &&
          a.value * b.value == extent)
        return std::vector{a, b};
  return std::nullopt;
}

Json* argumentOf(Json& record, llvm::StringRef name) {
  for (Json& argument : record["args"])
    if (argument.value("name", "") == name) return &argument;
  return nullptr;
}

// "; it has BLOCK, STAGES", or "" without any.
std::string constexprsOf(const Json& record) {
  std::string names;
  for (const Json& argument : record["args"])
    if (argument.value("type", "") == "constexpr")
      names += (names.empty() ? "; it has " : ", ") + argument.value("name", "");
  return names;
}

bool isOption(llvm::StringRef name) {
  const evaluate::LaunchOptionRow* option = evaluate::findLaunchOption(name);
  return option && option->isSwept;
}

Known numbersOf(const HostLaunch& launch) {
  Known numbers;
  for (const HostArgument& argument : launch.arguments)
    if (argument.integer) numbers.emplace_back(argument.name, *argument.integer);
  for (const HostArgument& argument : launch.arguments)
    if (argument.tensor)
      for (auto [i, extent] : llvm::enumerate(argument.tensor->shape))
        numbers.emplace_back(argument.name + ".shape[" + std::to_string(i) + "]", extent);
  return numbers;
}

} // namespace

std::vector<SweepAxis> sweepAxes(const Variant& variant, const Interner& names) {
  std::vector<SweepAxis> axes;
  Json record = recordOf(variant, variant.file().path(), names);
  if (const Json* warps = record.contains("options") && record["options"].contains("num_warps")
                              ? &record["options"]["num_warps"]
                              : nullptr;
      warps && warps->is_number_integer())
    axes.push_back({"num_warps", spelled(*warps), suggestionsFor(*warps, 1, 16)});
  for (const Json& argument : record["args"]) {
    if (argument.value("type", "") != "constexpr" || !argument.contains("value")) continue;
    std::string name = argument.value("name", ""), value = spelled(argument["value"]);
    // A launch gives `num_warps` to the parameter of that name as well.
    bool isListed = llvm::any_of(axes, [&](const SweepAxis& each) { return each.name == name; });
    if (!value.empty() && !isListed)
      axes.push_back({std::move(name), value, suggestionsFor(argument["value"])});
  }
  return axes;
}

tl::expected<std::vector<SweptVariant>, std::string> sweep(const Variant& variant,
                                                           const std::vector<SweepValues>& axes,
                                                           const Interner& names, size_t most) {
  const std::string& path = variant.file().path();
  Json base = recordOf(variant, path, names);
  HostLaunch launch = hostLaunchOf(variant, names);
  size_t count = 1;
  for (const SweepValues& axis : axes) {
    if (axis.values.empty()) return tl::unexpected("'" + axis.name + "' has no values");
    const Json* argument = argumentOf(base, axis.name);
    if (!isOption(axis.name) && (!argument || argument->value("type", "") != "constexpr"))
      return tl::unexpected("'" + axis.name + "' is not a constexpr of " + variant.kernel +
                            constexprsOf(base));
    for (const std::string& value : axis.values)
      if (parsed(value).is_null())
        return tl::unexpected(
            "'" + value + "' for " + axis.name +
            " is not a number, True, False or gl.BlockedLayout(...) with numbers");
    count *= axis.values.size();
    if (count > most)
      return tl::unexpected("there are more than " + std::to_string(most) + " combinations");
  }
  // How the grid follows from the constexprs that are varied.
  Known constants;
  for (const SweepValues& axis : axes)
    if (Json* argument = isOption(axis.name) ? nullptr : argumentOf(base, axis.name);
        argument && (*argument)["value"].is_number_integer())
      constants.emplace_back(axis.name, (*argument)["value"].get<int64_t>());
  Known numbers = numbersOf(launch);
  std::vector<std::optional<std::vector<Quotient>>> extents;
  if (launch.grid)
    for (int64_t extent : *launch.grid)
      extents.push_back(quotientsOf(extent, numbers, constants));
  std::vector<std::string> notes;
  for (auto [i, quotients] : llvm::enumerate(extents))
    if (quotients) {
      std::string text = "grid[" + std::to_string(i) + "]: computed as ";
      for (auto [k, each] : llvm::enumerate(*quotients))
        text += (k ? " * " : "") + ("cdiv(" + each.number + ", " + each.constant) + ")";
      notes.push_back(std::move(text));
    }
  if (launch.grid && notes.empty() && !constants.empty())
    notes.push_back("grid: not changed, because it is unknown how it depends on " +
                    constants.front().first);

  std::string lines;
  std::vector<std::string> labels;
  for (size_t i = 0; i < count; ++i) {
    Json record = base;
    std::string label;
    size_t rest = i;
    std::vector<std::pair<std::string, int64_t>> chosen;
    for (const SweepValues& axis : llvm::reverse(axes)) {
      const std::string& text = axis.values[rest % axis.values.size()];
      rest /= axis.values.size();
      Json value = parsed(text);
      label =
          axis.name + "=" + llvm::StringRef(text).trim().str() + (label.empty() ? "" : " ") + label;
      if (value.is_number_integer()) chosen.emplace_back(axis.name, value.get<int64_t>());
      Json* argument = argumentOf(record, axis.name);
      if (argument && argument->value("type", "") != "constexpr") argument = nullptr;
      if (argument) (*argument)["value"] = value;
      if (isOption(axis.name)) record["options"][axis.name] = std::move(value);
    }
    if (record["options"].contains("num_warps") &&
        record["options"]["num_warps"].is_number_integer())
      for (Json& argument : record["args"])
        if (argument.value("type", "") == "constexpr")
          spread(argument["value"], record["options"]["num_warps"].get<int64_t>());
    for (auto [d, quotients] : llvm::enumerate(extents)) {
      if (!quotients) continue;
      int64_t extent = 1;
      for (const Quotient& each : *quotients) {
        int64_t number = llvm::find_if(numbers, [&](const auto& known) {
                           return known.first == each.number;
                         })->second;
        auto now =
            llvm::find_if(chosen, [&](const auto& known) { return known.first == each.constant; });
        extent *= llvm::divideCeilSigned(number, std::max<int64_t>(1, now->second));
      }
      record["run"]["grid"][d] = extent;
    }
    std::string id = variant.id + " " + label; // a file's name, as every record's
    for (char& c : id)
      if (c == '/' || c == '\\') c = '_';
    record["id"] = std::move(id);
    labels.push_back(label);
    lines += json::compact(record) + "\n";
  }
  auto set = std::make_shared<RecordSet>();
  set->content = readLaunchRecords(lines, path);
  if (!set->content.problems.empty()) return tl::unexpected(set->content.problems.front().message);
  for (const LaunchRecord& record : set->content.records)
    set->hashes.push_back(record.hash);
  std::vector<SweptVariant> swept;
  for (auto [i, record] : llvm::enumerate(set->content.records)) {
    Variant each = variant;
    each.id = record.id;
    each.label = labels[i];
    each.origin = Origin::Record;
    each.hash = record.hash;
    each.record = {set, &record, record.hash};
    each.launch = nullptr;
    swept.push_back({std::move(each), notes});
  }
  return swept;
}

} // namespace gluond::driver
