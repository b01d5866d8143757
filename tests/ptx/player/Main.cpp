// Plays PTX modules on the CPU:
//
//     ptx_player LAUNCH.json MODULE.ptx...
//
// LAUNCH.json: {"grid": [x, y, z], "parameters": ["hex", ...], "late": false, "regions": [{"name",
// "at", "bytes", "fill", "seed", "rounded" | "data": "hex"}], "show": ["name", ...]}. All modules
// begin with the same memory; what they leave is compared with what the first one left, likewise
// what they gave the tensor cores. Prints JSON. Exit code 1 where they differ, 3 where one breaks a
// rule or has something that the player does not know.
#include "Machine.h"
#include "Numbers.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace {

using namespace ptx;
namespace json = llvm::json;

std::string contents(const char* path) {
  std::ifstream file(path);
  if (!file) refuse(std::string("cannot be read: ") + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<uint8_t> bytesOf(llvm::StringRef hex) {
  std::string text = llvm::fromHex(hex);
  return {text.begin(), text.end()};
}

Launch launchOf(const char* path) {
  auto value = json::parse(contents(path));
  if (!value || !value->getAsObject()) refuse("no launch: " + llvm::toString(value.takeError()));
  const json::Object& object = *value->getAsObject();
  Launch launch;
  if (const auto* grid = object.getArray("grid"))
    for (size_t i = 0; i < grid->size() && i < 3; ++i)
      launch.grid[i] = unsigned((*grid)[i].getAsInteger().value_or(1));
  if (const auto* parameters = object.getArray("parameters"))
    for (const json::Value& each : *parameters)
      launch.parameters.push_back(bytesOf(each.getAsString().value_or("")));
  launch.late = object.getBoolean("late").value_or(false);
  if (auto limit = object.getInteger("limit")) launch.limit = uint64_t(*limit);
  if (const auto* regions = object.getArray("regions"))
    for (const json::Value& each : *regions) {
      const json::Object& one = *each.getAsObject();
      Region region;
      region.name = one.getString("name").value_or("");
      region.fill = one.getString("fill").value_or("zero");
      region.at = uint64_t(one.getInteger("at").value_or(0));
      region.bytes = uint64_t(one.getInteger("bytes").value_or(0));
      region.seed = uint64_t(one.getInteger("seed").value_or(0));
      region.rounded = one.getBoolean("rounded").value_or(false);
      if (auto data = one.getString("data")) region.data = bytesOf(*data), region.fill = "data";
      launch.regions.push_back(region);
    }
  // Where a module's own constants lie.
  launch.regions.push_back(
      {"constants", "zero", globalWindow + 0x0fff'0000'0000, 1 << 24, 0, false, false, {}});
  if (auto show = object.getArray("show"))
    for (const json::Value& each : *show)
      for (Region& region : launch.regions)
        if (region.name == each.getAsString()) region.shown = true;
  return launch;
}

struct Element {
  Format format;
  unsigned bytes;
  bool isFloat;
};
Element elementOf(const std::string& fill) {
  if (fill == "f16") return {Format::F16, 2, true};
  if (fill == "bf16") return {Format::BF16, 2, true};
  if (fill == "f32") return {Format::F32, 4, true};
  if (fill == "f64") return {Format::F64, 8, true};
  if (fill == "e4m3") return {Format::E4M3, 1, true};
  if (fill == "e5m2") return {Format::E5M2, 1, true};
  return {Format::U8, 1, false};
}

json::Array differences(Machine& first, Machine& second) {
  std::set<uint64_t> numbers;
  for (Machine* machine : {&first, &second})
    for (const auto& [number, page] : machine->memory.pages())
      if (page.written) numbers.insert(number);
  struct Found {
    uint64_t count = 0, at = 0;
    double largest = 0, a = 0, b = 0;
  };
  std::map<std::string, Found> found;
  for (uint64_t number : numbers) {
    const uint8_t *a = first.memory.page(number).bytes.get(),
                  *b = second.memory.page(number).bytes.get();
    uint64_t begin = number * GlobalMemory::pageBytes;
    const Region* region = first.memory.regionOf(begin);
    if (!region || region->name == "constants") continue;
    Element element = elementOf(region->fill);
    for (uint64_t i = 0; i < GlobalMemory::pageBytes; i += element.bytes) {
      if (!memcmp(a + i, b + i, element.bytes)) continue;
      uint64_t x = 0, y = 0;
      memcpy(&x, a + i, element.bytes), memcpy(&y, b + i, element.bytes);
      double p = numberOf(element.format, x), q = numberOf(element.format, y);
      Found& one = found[region->name];
      if (!one.count++) one.at = begin + i - region->at, one.a = p, one.b = q;
      double away = std::fabs(p - q) / std::max({1.0, std::fabs(p), std::fabs(q)});
      if (std::isnan(p) && std::isnan(q)) away = 0;
      one.largest = away > one.largest || std::isnan(away) ? away : one.largest;
    }
  }
  json::Array result;
  for (const auto& [name, one] : found) {
    auto shown = [](double number) {
      return std::isfinite(number) ? json::Value(number) : json::Value(std::to_string(number));
    };
    result.push_back(json::Object{{"region", name},
                                  {"count", int64_t(one.count)},
                                  {"byte", int64_t(one.at)},
                                  {"first", shown(one.a)},
                                  {"other", shown(one.b)},
                                  {"largest", shown(one.largest)}});
  }
  return result;
}

// How the products of two modules differ, "" where they do not.
std::string comparedProducts(const std::vector<Product>& first,
                             const std::vector<Product>& second) {
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const Product &a = first[i], &b = second[i];
    if (a.opcode != b.opcode || a.words != b.words)
      return std::to_string(i) + ": " + a.opcode + " " + a.words + " and " + b.opcode + " " +
             b.words;
    if (a.operands != b.operands)
      return std::to_string(i) + ": the contents of the operands of " + a.opcode;
  }
  if (first.size() != second.size())
    return std::to_string(first.size()) + " and " + std::to_string(second.size());
  return "";
}

} // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: ptx_player LAUNCH.json MODULE.ptx...\n");
    return 2;
  }
  Launch launch = launchOf(arguments[1]);
  std::vector<Module> modules;
  std::vector<std::unique_ptr<Machine>> machines;
  modules.reserve(size_t(count));
  json::Array played;
  bool same = true;
  for (int i = 2; i < count; ++i) {
    fprintf(stderr, "%s\n", arguments[i]);
    modules.push_back(parse(contents(arguments[i])));
    machines.push_back(std::make_unique<Machine>(modules.back(), launch));
    Machine& machine = *machines.back();
    auto begin = std::chrono::steady_clock::now();
    machine.play();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    uint64_t written = 0;
    for (const auto& [number, page] : machine.memory.pages())
      written += page.written;
    json::Object one{{"module", arguments[i]},
                     {"instructions", int64_t(machine.executed)},
                     {"products", int64_t(machine.products.size())},
                     {"seconds", took.count()},
                     {"writtenPages", int64_t(written)}};
    if (machines.size() > 1) {
      json::Array memory = differences(*machines[0], machine);
      std::string products = comparedProducts(machines[0]->products, machine.products);
      same = same && memory.empty() && products.empty();
      one["memory"] = std::move(memory);
      one["tensorCores"] = products;
    }
    json::Object shown;
    for (const Region& region : launch.regions)
      if (region.shown) {
        std::vector<uint8_t> bytes(region.bytes);
        machine.memory.read(region.at, bytes.data(), bytes.size());
        shown[region.name] = llvm::toHex(bytes, true);
      }
    if (!shown.empty()) one["shown"] = std::move(shown);
    json::Object opcodes;
    for (const auto& [name, times] : machine.counts)
      opcodes[name] = int64_t(times);
    one["opcodes"] = std::move(opcodes);
    json::Array accesses;
    for (const auto& [index, access] : machine.accesses.costs()) {
      const Instruction& instruction = machine.module.code[size_t(index)];
      accesses.push_back(
          json::Object{{"line", instruction.sourceLine},
                       {"opcode", instruction.opcode},
                       {"memory", access.isShared ? "shared" : "global"},
                       {"lanes", int64_t(access.lanes)},
                       {"bytes", int64_t(access.bytes)},
                       {access.isShared ? "wavefronts" : "sectors", int64_t(access.cost)}});
    }
    one["accesses"] = std::move(accesses);
    played.push_back(std::move(one));
  }
  llvm::outs() << json::Value(json::Object{{"same", same}, {"played", std::move(played)}}) << "\n";
  return same ? 0 : 1;
}
