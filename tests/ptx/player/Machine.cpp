#include "Machine.h"

#include "Decoder.h"
#include "simulate/values/Formats.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptx {

namespace {

// An element of a region as it is at first: small numbers, so that sums of products are exact, or
// such that nearly all sums are rounded.
uint64_t initial(const Region& region, uint64_t index) {
  uint64_t hash = mixed(region.seed * 77 + 5, index);
  float number =
      region.rounded ? float(int(hash % 4001) - 2000) / 1999 : float(int(hash % 17) - 8) / 8;
  namespace formats = gluond::simulate;
  const std::string& fill = region.fill;
  if (fill == "f16") return formats::floatToHalf(number);
  if (fill == "bf16") return formats::floatToBfloat(number);
  if (fill == "f32") return std::bit_cast<uint32_t>(number);
  if (fill == "f64") return std::bit_cast<uint64_t>(double(number));
  if (fill == "e4m3") return formats::toSmallFloat(formats::Element::E4M3, number);
  if (fill == "e5m2") return formats::toSmallFloat(formats::Element::E5M2, number);
  if (fill == "e8m0") return 126 + hash % 3;
  if (fill == "byte") return hash & 0xff;
  return hash % 32; // an integer, perhaps an index
}

unsigned widthOf(const std::string& fill) {
  if (fill == "f64" || fill == "i64") return 8;
  if (fill == "f32" || fill == "i32") return 4;
  if (fill == "f16" || fill == "bf16" || fill == "i16") return 2;
  return 1;
}

} // namespace

const Region* GlobalMemory::regionOf(uint64_t at) const {
  for (const Region& region : *regions_)
    if (at >= region.at && at - region.at < region.bytes) return &region;
  return nullptr;
}

GlobalMemory::Page& GlobalMemory::page(uint64_t number) {
  Page& page = pages_[number];
  if (page.bytes) return page;
  page.bytes = std::make_unique<uint8_t[]>(pageBytes);
  uint64_t first = number * pageBytes;
  const Region* region = regionOf(first);
  if (!region || region->fill == "zero") return page;
  if (region->fill == "data") {
    uint64_t from = first - region->at;
    if (from < region->data.size())
      std::memcpy(page.bytes.get(), region->data.data() + from,
                  std::min<uint64_t>(pageBytes, region->data.size() - from));
    return page;
  }
  unsigned width = widthOf(region->fill);
  for (uint64_t i = 0; i < pageBytes; i += width) {
    uint64_t value = initial(*region, (first - region->at + i) / width);
    std::memcpy(page.bytes.get() + i, &value, width);
  }
  return page;
}

void GlobalMemory::read(uint64_t at, void* to, size_t size) {
  auto* out = static_cast<uint8_t*>(to);
  while (size) {
    if (!regionOf(at)) refuse("global memory is read where there is none");
    size_t part = std::min<size_t>(size, pageBytes - at % pageBytes);
    std::memcpy(out, page(at / pageBytes).bytes.get() + at % pageBytes, part);
    out += part, at += part, size -= part;
  }
}

void GlobalMemory::write(uint64_t at, const void* from, size_t size) {
  auto* in = static_cast<const uint8_t*>(from);
  while (size) {
    if (!regionOf(at)) refuse("global memory is written where there is none");
    size_t part = std::min<size_t>(size, pageBytes - at % pageBytes);
    Page& one = page(at / pageBytes);
    one.written = true;
    std::memcpy(one.bytes.get() + at % pageBytes, in, part);
    in += part, at += part, size -= part;
  }
}

uint32_t& Cta::cell(uint32_t row, uint32_t column, const char* what) {
  if (row >= tensorRows || column >= tensorColumns || !taken[column])
    refuse(std::string(what) + ": tensor memory at row " + std::to_string(row) + ", column " +
           std::to_string(column) + " is not allocated");
  return tensor[size_t(row) * tensorColumns + column];
}

std::string where(const Warp& warp, int pc) {
  const Module& module = warp.machine().module;
  if (pc >= int(module.code.size())) return "the end";
  const Instruction& at = module.code[size_t(pc)];
  return "CTA " + std::to_string(warp.cta->id[0]) + "," + std::to_string(warp.cta->id[1]) +
         ", warp " + std::to_string(warp.number) + ", line " + std::to_string(at.line) + ": " +
         at.text.substr(0, 160);
}

Machine::Machine(const Module& module, const Launch& launch)
    : module(module), launch(launch), memory(launch.regions) {
  parameters.resize(module.parameterBytes);
  if (launch.parameters.size() != module.parameters.size())
    refuse("the kernel has " + std::to_string(module.parameters.size()) +
           " parameters, the launch " + std::to_string(launch.parameters.size()));
  for (size_t i = 0; i < module.parameters.size(); ++i) {
    const Parameter& one = module.parameters[i];
    if (launch.parameters[i].size() > one.bytes) refuse("parameter " + one.name + " is too long");
    std::copy(launch.parameters[i].begin(), launch.parameters[i].end(),
              parameters.begin() + long(one.at));
    symbols[one.name] = one.at;
  }
  uint64_t shared = sharedStart, global = globalWindow + 0x0fff'0000'0000;
  for (const Variable& one : module.variables) {
    uint64_t& at = one.space == ".shared" ? shared : one.space == ".local" ? localBytes : global;
    at = (at + one.align - 1) / one.align * one.align;
    symbols[one.name] = at;
    at += one.bytes;
  }
  decode(*this);
}

void Machine::later(std::function<void()> operation) {
  if (launch.late)
    pending.push_back(std::move(operation));
  else
    operation();
}

uint8_t* Machine::shared(Cta& cta, uint64_t address, size_t size, const char* what) {
  uint64_t rank = address >> ctaShift & 0xff, offset = address & ((1u << ctaShift) - 1);
  if (rank >= cta.cluster.size() || offset < sharedStart || offset + size > sharedBytes)
    refuse(std::string(what) + ": shared memory has no address " + std::to_string(address));
  if (offset % std::min<size_t>(size, 16))
    refuse(std::string(what) + ": shared address " + std::to_string(offset) +
           " is not aligned to " + std::to_string(size));
  return cta.cluster[rank]->shared.data() + offset;
}

void Machine::read(Warp& warp, unsigned lane, uint64_t at, void* to, size_t size) {
  if (at >= globalWindow) {
    memory.read(at, to, size);
  } else if (at >= localWindow) {
    uint64_t offset = at - localWindow + lane * localBytes;
    if (at - localWindow + size > localBytes)
      refuse("local memory is read outside: " + where(warp, warp.pc[lane]));
    std::memcpy(to, warp.local.data() + offset, size);
  } else if (at >= parameterWindow) {
    if (at - parameterWindow + size > parameters.size()) refuse("parameters are read outside");
    std::memcpy(to, parameters.data() + (at - parameterWindow), size);
  } else if (at >= sharedWindow)
    std::memcpy(to, shared(*warp.cta, at - sharedWindow, size, "ld"), size);
  else
    refuse("address " + std::to_string(at) + " is read: " + where(warp, warp.pc[lane]));
}

void Machine::write(Warp& warp, unsigned lane, uint64_t at, const void* from, size_t size) {
  if (at >= globalWindow) {
    memory.write(at, from, size);
  } else if (at >= localWindow) {
    uint64_t offset = at - localWindow + lane * localBytes;
    if (at - localWindow + size > localBytes) refuse("local memory is written outside");
    std::memcpy(warp.local.data() + offset, from, size);
  } else if (at >= sharedWindow && at < parameterWindow)
    std::memcpy(shared(*warp.cta, at - sharedWindow, size, "st"), from, size);
  else
    refuse("address " + std::to_string(at) + " is written: " + where(warp, warp.pc[lane]));
}

bool Machine::run(Warp& warp, unsigned quantum) {
  bool moved = false;
  uint32_t held = 0;
  while (warp.alive && quantum--) {
    uint32_t group = warp.alive;
    int pc;
    if (warp.together && !held) {
      pc = warp.pc[size_t(std::countr_zero(warp.alive))];
    } else {
      pc = int(module.code.size()) + 1;
      for (uint32_t left = warp.alive & ~held; left; left &= left - 1)
        pc = std::min(pc, warp.pc[size_t(std::countr_zero(left))]);
      group = 0;
      for (uint32_t left = warp.alive; left; left &= left - 1)
        if (unsigned lane = unsigned(std::countr_zero(left)); warp.pc[lane] == pc)
          group |= 1u << lane;
      if (!(warp.alive & ~held)) return moved;
    }
    if (pc >= int(module.code.size())) refuse("a warp runs past the kernel's end");
    const Instruction& instruction = module.code[size_t(pc)];
    if (whole[size_t(pc)] && group != warp.alive) {
      held |= group;
      continue;
    }
    uint32_t lanes = group;
    if (instruction.guard >= 0) {
      const Lanes& guard = warp.registers[size_t(instruction.guard)];
      for (uint32_t left = group; left; left &= left - 1) {
        unsigned lane = unsigned(std::countr_zero(left));
        if (bool(guard.at[lane] & 1) == instruction.guardNegated) lanes &= ~(1u << lane);
      }
    }
    Outcome outcome = lanes ? steps[size_t(pc)](warp, lanes) : Outcome::Next;
    if (outcome == Outcome::Wait) {
      held |= group;
      continue;
    }
    moved = true;
    if (++executed > launch.limit) refuse("beyond the limit of instructions: " + where(warp, pc));
    if (outcome == Outcome::Next) lanes = 0; // all of the group go on
    for (uint32_t left = group & ~lanes & warp.alive; left; left &= left - 1)
      warp.pc[size_t(std::countr_zero(left))] = pc + 1;
    if (!warp.together || outcome == Outcome::Jumped) {
      uint32_t first = warp.alive ? uint32_t(std::countr_zero(warp.alive)) : 0;
      warp.together = true;
      for (uint32_t left = warp.alive; left; left &= left - 1)
        if (warp.pc[size_t(std::countr_zero(left))] != warp.pc[first]) warp.together = false;
    }
    held = 0;
  }
  return moved;
}

void Machine::playCluster(std::array<unsigned, 3> first) {
  ctas.clear();
  clusterBarrier = {};
  std::vector<Cta*> members;
  for (unsigned z = 0; z < module.cluster[2]; ++z)
    for (unsigned y = 0; y < module.cluster[1]; ++y)
      for (unsigned x = 0; x < module.cluster[0]; ++x) {
        auto cta = std::make_unique<Cta>();
        cta->machine = this;
        cta->rank = unsigned(members.size());
        cta->id[0] = first[0] + x, cta->id[1] = first[1] + y, cta->id[2] = first[2] + z;
        cta->shared.assign(sharedBytes, 0x7e);
        cta->tensor.assign(size_t(tensorRows) * tensorColumns, 0x7e7e7e7e);
        cta->warps.resize(module.threads / 32);
        for (unsigned w = 0; w < cta->warps.size(); ++w) {
          Warp& warp = cta->warps[w];
          warp.cta = cta.get(), warp.number = w;
          warp.registers.assign(module.slots, Lanes{});
          warp.local.resize(localBytes * 32);
        }
        members.push_back(cta.get());
        ctas.push_back(std::move(cta));
      }
  for (auto& cta : ctas)
    cta->cluster = members;
  for (;;) {
    bool moved = false, alive = false;
    for (auto& cta : ctas)
      for (Warp& warp : cta->warps) {
        moved |= run(warp, 20000);
        alive |= warp.alive != 0;
      }
    if (!alive) break;
    if (moved) continue;
    if (pending.empty()) {
      std::string message = "all wait for ever:";
      for (auto& cta : ctas)
        for (Warp& warp : cta->warps)
          if (warp.alive)
            message += "\n  " + where(warp, warp.pc[size_t(std::countr_zero(warp.alive))]);
      refuse(message);
    }
    auto operation = std::move(pending.front());
    pending.pop_front();
    operation();
  }
  while (!pending.empty()) {
    auto operation = std::move(pending.front());
    pending.pop_front();
    operation();
  }
  for (auto& cta : ctas) {
    for (Warp& warp : cta->warps)
      for (auto& group : warp.stores)
        for (auto& store : group)
          store();
    for (bool taken : cta->taken)
      if (taken) refuse("tensor memory is not given back");
    for (unsigned warp = 0; warp < cta->warps.size(); ++warp)
      for (const Product& product : cta->products)
        if (product.warp == warp) products.push_back(product);
  }
}

void Machine::play() {
  for (const Variable& one : module.variables)
    if (one.space == ".global" || one.space == ".const")
      memory.write(symbols[one.name], one.data.data(), one.data.size());
  for (unsigned z = 0; z < launch.grid[2]; z += module.cluster[2])
    for (unsigned y = 0; y < launch.grid[1]; y += module.cluster[1])
      for (unsigned x = 0; x < launch.grid[0]; x += module.cluster[0])
        waiting.push_back({x, y, z});
  while (!waiting.empty()) {
    auto first = waiting.front();
    waiting.pop_front();
    playCluster(first);
  }
}

} // namespace ptx
