#include "Barriers.h"

#include "Decoder.h"

#include <cstring>

namespace ptx {

namespace {

// As it lies in memory; hardware has a form of its own.
struct Barrier {
  uint16_t expected, left;
  int32_t bytes : 24;
  uint32_t phase : 1, magic : 7;
};
static_assert(sizeof(Barrier) == 8);
constexpr unsigned known = 0x5a;

class Held {
public:
  Held(Machine& machine, Cta& cta, uint64_t address, const char* what)
      : at_(machine.shared(cta, address & 0xffffffff, 8, what)) {
    std::memcpy(&barrier, at_, 8);
    if (barrier.magic != known)
      refuse(std::string(what) + ": there is no mbarrier at shared address " +
             std::to_string(address & 0xffffff));
  }
  ~Held() {
    if (barrier.left == 0 && barrier.bytes == 0) {
      barrier.phase ^= 1;
      barrier.left = barrier.expected;
    }
    std::memcpy(at_, &barrier, 8);
  }
  Barrier barrier;

private:
  uint8_t* at_;
};

} // namespace

void arrive(Machine& machine, Cta& cta, uint64_t address, int64_t count, int64_t expectedBytes) {
  Held held(machine, cta, address, "mbarrier.arrive");
  if (held.barrier.left < count)
    refuse("more arrive at an mbarrier than it expects, at shared address " +
           std::to_string(address & 0xffffff));
  held.barrier.left = uint16_t(held.barrier.left - count);
  held.barrier.bytes += int32_t(expectedBytes);
}

void completeBytes(Machine& machine, Cta& cta, uint64_t address, int64_t bytes) {
  Held held(machine, cta, address, "complete_tx");
  held.barrier.bytes -= int32_t(bytes);
}

namespace {

Step initialize(Decoder& d) {
  return [address = d.address(0), count = d.source(1)](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      auto expected = uint16_t(count(warp, lane));
      Barrier barrier{expected, expected, 0, 0, known};
      std::memcpy(
          warp.machine().shared(*warp.cta, address(warp, lane) & 0xffffffff, 8, "mbarrier.init"),
          &barrier, 8);
    });
    return Outcome::Next;
  };
}

Step invalidate(Decoder& d) {
  return [address = d.address(0)](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      {
        Held(warp.machine(), *warp.cta, address(warp, lane), "mbarrier.inval");
      }
      std::memset(
          warp.machine().shared(*warp.cta, address(warp, lane) & 0xffffffff, 8, "mbarrier.inval"),
          0x7e, 8);
    });
    return Outcome::Next;
  };
}

Step wait(Decoder& d, bool tests) {
  bool parity = d.take("parity");
  d.done();
  if (!parity) d.unknown();
  int target = d.target(0);
  Source address = d.address(1), phase = d.source(2);
  return [=](Warp& warp, uint32_t lanes) {
    bool all = true;
    uint32_t done = 0;
    forEach(lanes, [&](unsigned lane) {
      Held held(warp.machine(), *warp.cta, address(warp, lane), "mbarrier.try_wait");
      bool complete = held.barrier.phase != (phase(warp, lane) & 1);
      done |= uint32_t(complete) << lane;
      all &= complete;
    });
    if (!all && !tests) return Outcome::Wait;
    if (!all &&
        !warp.machine().pending.empty()) { // a test may fail for ever unless something arrives
      auto operation = std::move(warp.machine().pending.front());
      warp.machine().pending.pop_front();
      operation();
    }
    forEach(lanes, [&](unsigned lane) { warp.at(target, lane) = done >> lane & 1; });
    return Outcome::Next;
  };
}

Step barrier(Decoder& d) {
  bool initializes = d.take("init"), invalidates = d.take("inval"), arrives = d.take("arrive"),
       expects = d.take("expect_tx");
  bool tries = d.take("try_wait"), tests = d.take("test_wait"),
       drops = d.take("arrive_drop") || d.take("noComplete");
  d.takeOneOf({"acquire", "release", "relaxed"}), d.takeOneOf({"cta", "cluster"});
  d.takeOneOf({"shared", "shared::cta", "shared::cluster"});
  d.take("b64");
  if (drops) d.unknown();
  if (tries || tests) return wait(d, tests);
  d.done();
  if (initializes) return initialize(d);
  if (invalidates) return invalidate(d);
  if (arrives) { // its state is not used
    size_t at = d.operand(0).kind == Operand::Address ? 0 : 1;
    if (at && d.operand(0).kind != Operand::Nothing && d.operand(0).kind != Operand::Register)
      d.unknown();
    Source address = d.address(at), number = d.count() > at + 1 ? d.source(at + 1) : Source();
    bool counted = d.count() > at + 1;
    return [=](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        int64_t one = counted ? int64_t(number(warp, lane) & 0xffffffff) : 1;
        arrive(warp.machine(), *warp.cta, address(warp, lane), expects ? 1 : one,
               expects ? one : 0);
      });
      return Outcome::Next;
    };
  }
  if (expects)
    return [address = d.address(0), number = d.source(1)](Warp& warp, uint32_t lanes) {
      forEach(lanes, [&](unsigned lane) {
        arrive(warp.machine(), *warp.cta, address(warp, lane), 0,
               int64_t(number(warp, lane) & 0xffffffff));
      });
      return Outcome::Next;
    };
  d.unknown();
}

} // namespace

Step barrierCopies(Decoder& d) { // cp.async.mbarrier.arrive: when the copies before it are done
  bool keeps = d.take("noinc");
  d.take("arrive"), d.take("shared") || d.take("shared::cta"), d.take("b64");
  d.done();
  return [=, address = d.address(0)](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      uint64_t at = address(warp, lane);
      if (!keeps) {
        Held held(warp.machine(), *warp.cta, at, "cp.async.mbarrier.arrive");
        ++held.barrier.left;
      }
      std::vector<std::function<void()>> before;
      // Copies are kept by warps: the first lane's arrival does them all.
      for (auto& group : warp.copies)
        for (auto& copy : group)
          before.push_back(std::move(copy));
      for (auto& group : warp.copies)
        group.clear();
      warp.machine().later([=, &machine = warp.machine(), cta = warp.cta] {
        for (const auto& copy : before)
          copy();
        arrive(machine, *cta, at, 1, 0);
      });
    });
    return Outcome::Next;
  };
}

Step asynchronousStore(Decoder& d) { // st.async
  d.takeOneOf({"weak", "relaxed"}), d.take("cluster"), d.take("shared::cluster"),
      d.take("mbarrier::complete_tx::bytes");
  d.takeCount('v');
  Type type = d.type();
  d.done();
  Source to = d.address(0), barrier = d.address(2);
  std::vector<Source> values = d.sources(1, &type);
  unsigned width = type.bits / 8;
  return [=](Warp& warp, uint32_t lanes) {
    forEach(lanes, [&](unsigned lane) {
      std::vector<uint64_t> words;
      for (const Source& value : values)
        words.push_back(value(warp, lane));
      uint64_t address = to(warp, lane) & 0xffffffff, at = barrier(warp, lane);
      warp.machine().later([=, &machine = warp.machine(), cta = warp.cta] {
        uint8_t* target = machine.shared(*cta, address, width * words.size(), "st.async");
        for (size_t i = 0; i < words.size(); ++i)
          std::memcpy(target + i * width, &words[i], width);
        completeBytes(machine, *cta, at, int64_t(width * words.size()));
      });
    });
    return Outcome::Next;
  };
}

void addBarriers(Table& table) {
  table["mbarrier"] = barrier;
}

} // namespace ptx
