// Branches, the ends of threads, and what changes nothing here.
#include "Decoder.h"

namespace ptx {

namespace {

Step branch(Decoder& d) {
  d.take("uni");
  d.done();
  if (d.in.targets.size() != 1) d.unknown();
  return [to = d.in.targets[0]](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) { warp.pc[lane] = to; });
    return Outcome::Jumped;
  };
}

Step branchByTable(Decoder& d) {
  d.take("uni"), d.take("idx");
  d.done();
  return [index = d.source(0), &targets = d.in.targets](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      uint64_t at = index(warp, lane) & 0xffffffff;
      if (at >= targets.size())
        refuse("brx.idx: index " + std::to_string(at) + ": " + where(warp, warp.pc[lane]));
      warp.pc[lane] = targets[at];
    });
    return Outcome::Jumped;
  };
}

Step leave(Decoder& d) {
  d.take("uni");
  d.done();
  return [](Warp& warp, uint32_t lanes) {
    warp.alive &= ~lanes;
    return Outcome::Jumped;
  };
}

Step trap(Decoder&) {
  return [](Warp& warp, uint32_t lanes) -> Outcome {
    refuse("trap: " + where(warp, warp.pc[size_t(std::countr_zero(lanes))]));
  };
}

Step call(Decoder& d) {
  for (const Operand& operand : d.in.operands) {
    if (operand.name == "vprintf") return [](Warp&, uint32_t) { return Outcome::Next; };
    if (operand.name == "__assertfail") return trap(d);
  }
  d.unknown();
}

// Orders memory, hints, or asks for registers: this machine is in order anyway.
Step nothing(Decoder&) {
  return [](Warp&, uint32_t) { return Outcome::Next; };
}

Step policy(Decoder& d) { // createpolicy
  int target = d.target(0);
  return [target](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = 0; });
    return Outcome::Next;
  };
}

} // namespace

void addControl(Table& table) {
  table["bra"] = branch;
  table["brx"] = branchByTable;
  table["ret"] = table["exit"] = leave;
  table["trap"] = trap;
  table["call"] = call;
  table["createpolicy"] = policy;
  for (const char* name : {"fence", "membar", "setmaxnreg", "griddepcontrol", "nanosleep",
                           "prefetch", "prefetchu", "pmevent"})
    table[name] = nothing;
}

} // namespace ptx
