#include "simulate/machine/AccessLog.h"
#include "simulate/operations/AtomicRules.h"
#include "simulate/operations/assembly/Dialects.h"
#include "simulate/operations/assembly/PtxArithmetic.h"

#include <algorithm>
#include <cstring>

namespace gluond::simulate::assembly {

namespace {

// ---------------------------------------------------------------- moves and memory

// mov: also a vector as one word, or a word as a vector, the first one lowest.
void put(Thread& thread, const Operand& to, uint64_t value, unsigned bits) {
  if (to.kind != Operand::Kind::Vector) {
    thread.slots[to.slot] = value & maskOf(bits);
    return;
  }
  auto each = static_cast<unsigned>(bits / std::max<size_t>(1, to.parts.size()));
  for (unsigned i = 0; i < to.parts.size(); ++i)
    put(thread, to.parts[i], laneOf(value, each, i), each);
}
uint64_t take(const Thread& thread, const Operand& from, const Type& type) {
  if (from.kind != Operand::Kind::Vector) return read(thread, from, type);
  uint64_t value = 0;
  Type each = type;
  each.bits = static_cast<unsigned>(type.all() / std::max<size_t>(1, from.parts.size()));
  each.lanes = 1;
  for (unsigned i = 0; i < from.parts.size(); ++i)
    value |= take(thread, from.parts[i], each) << (each.bits * i);
  return value;
}

// Returns null for an access beyond the memory, which has been noted.
std::byte* memoryAt(Thread& thread, const Operand& address, bool isShared, size_t bytes,
                    bool isWritten) {
  Execution& x = thread.x;
  uint64_t at = (address.isConstantAddress ? 0 : thread.slots[address.slot]) + address.immediate;
  if (!isShared) {
    if (std::byte* memory = x.machine.at(x.state, at, bytes)) return memory;
    x.fail(Id::SimulatedOutOfBounds, isWritten ? "this access writes" : "this access reads",
           x.machine.describe(at), 0);
  } else if (size_t size = x.state.shared.bytesPerCta(); bytes <= size && at <= size - bytes) {
    if (isWritten)
      x.state.shared.noteWritten(at, bytes);
    else if (!x.state.shared.isWritten(at, bytes))
      x.warn(Id::SimulatedReadBeforeWrite);
    return x.state.shared.data() + at;
  } else {
    x.unsupported("it accesses bytes beyond shared memory");
  }
  thread.hasFailed = true;
  return nullptr;
}

bool resolveLoad(Instruction& instruction, const Type& type, unsigned lanes, bool isShared) {
  if (instruction.operands.size() != 2 || instruction.operands[1].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.all() / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[1], isShared, bytes * lanes, false);
    for (unsigned i = 0; memory && i < lanes; ++i) {
      uint64_t value = 0;
      std::memcpy(&value, memory + i * bytes, bytes);
      const Operand& to = lanes == 1 ? operands[0] : operands[0].parts[i];
      put(thread, to, type.kind == 's' ? static_cast<uint64_t>(extended(value, type.bits)) : value,
          64);
    }
  };
  return lanes == 1 || instruction.operands[0].parts.size() == lanes;
}

bool resolveStore(Instruction& instruction, const Type& type, unsigned lanes, bool isShared) {
  if (instruction.operands.size() != 2 || instruction.operands[0].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.all() / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[0], isShared, bytes * lanes, true);
    for (unsigned i = 0; memory && i < lanes; ++i) {
      uint64_t value = take(thread, lanes == 1 ? operands[1] : operands[1].parts[i], type);
      std::memcpy(memory + i * bytes, &value, bytes);
    }
  };
  return lanes == 1 || instruction.operands[1].parts.size() == lanes;
}

std::optional<tt::RMWOp> atomicOf(llvm::StringRef name, const Type& type) {
  struct Row {
    llvm::StringLiteral name;
    tt::RMWOp ofReals, ofSigned, ofOthers;
  };
  using enum tt::RMWOp;
  static constexpr Row rows[] = {{"add", FADD, ADD, ADD},   {"min", UMIN, MIN, UMIN},
                                 {"max", UMAX, MAX, UMAX},  {"and", AND, AND, AND},
                                 {"or", OR, OR, OR},        {"xor", XOR, XOR, XOR},
                                 {"exch", XCHG, XCHG, XCHG}};
  for (const Row& row : rows)
    if (name == row.name)
      return type.isFloat() ? row.ofReals : type.kind == 's' ? row.ofSigned : row.ofOthers;
  return std::nullopt;
}

// atom.OP d, [a], b; red.OP [a], b; atom.cas d, [a], expected, b
bool resolveAtomic(Instruction& instruction, llvm::StringRef name, const Type& type, bool isShared,
                   bool hasResult) {
  auto kind = atomicOf(name, type);
  unsigned first = hasResult ? 1 : 0;
  bool isSwap = name == "cas";
  if ((!kind && !isSwap) || instruction.operands.size() != first + (isSwap ? 3 : 2) ||
      instruction.operands[first].kind != Operand::Kind::Address)
    return false;
  size_t bytes = type.bits / 8;
  instruction.run = [=, operands = instruction.operands](Thread& thread) {
    std::byte* memory = memoryAt(thread, operands[first], isShared, bytes * type.lanes, true);
    if (!memory) return;
    uint64_t old = 0, value = take(thread, operands[first + 1], type);
    std::memcpy(&old, memory, bytes * type.lanes);
    if (isSwap) {
      uint64_t next = take(thread, operands[first + 2], type);
      if (old == value) std::memcpy(memory, &next, bytes);
    } else {
      for (unsigned lane = 0; lane < type.lanes; ++lane) {
        uint64_t each = laneOf(value, type.bits, lane);
        combineAtomically(*kind, type.element, memory + lane * bytes,
                          reinterpret_cast<const std::byte*>(&each));
      }
    }
    if (hasResult) put(thread, operands[0], old, 64);
  };
  return true;
}

// ---------------------------------------------------------------- all

// Orders, hints and waits do nothing here, because one thread runs after the other.
bool isWithoutEffect(llvm::StringRef name) {
  static constexpr llvm::StringLiteral names[] = {
      "membar",     "fence",   "nanosleep", "griddepcontrol", "prefetch", "prefetchu", "discard",
      "setmaxnreg", "pmevent", "bar",       "barrier"};
  return llvm::is_contained(names, name);
}

bool resolve(Instruction& instruction) {
  llvm::StringRef whole = instruction.name;
  Parts parts;
  whole.split(parts, '.');
  llvm::StringRef name = parts.front();
  if (isWithoutEffect(name)) {
    bool isFence = (name == "fence" || name == "membar") && !llvm::is_contained(parts, "cta") &&
                   !llvm::is_contained(parts, "proxy");
    instruction.run = [isFence](Thread& thread) {
      AccessLog* log = isFence ? thread.x.machine.log() : nullptr;
      if (log) log->fence();
    };
    return true;
  }
  if (instruction.operands.empty()) return false;
  bool isAway = llvm::is_contained(parts, "rna");
  Modifiers modifiers = takeModifiers(parts);
  llvm::SmallVector<Type, 3> types;
  while (parts.size() > 1)
    if (auto type = typeOf(parts.back())) {
      types.insert(types.begin(), *type);
      parts.pop_back();
    } else {
      break;
    }
  bool isShared = llvm::is_contained(parts, "shared") || llvm::is_contained(parts, "shared::cta");
  auto hasPart = [&](llvm::StringRef part) { return llvm::is_contained(parts, part); };
  if (name == "createpolicy") {
    instruction.run = [to = instruction.operands[0]](Thread& thread) { put(thread, to, 0, 64); };
    return true;
  }
  if (types.empty()) return false;
  Type type = types.back();
  if (name == "mov" || name == "cvta") {
    if (instruction.operands.size() != 2) return false;
    instruction.run = [type, operands = instruction.operands](Thread& thread) {
      put(thread, operands[0], take(thread, operands[1], type), type.all());
    };
    return true;
  }
  if (name == "cvt")
    return types.size() == 2 && resolveConvert(instruction, types[0], types[1], modifiers, isAway);
  if (name == "setp" || name == "set") {
    Type result = name == "set" && types.size() == 2 ? types[0] : Type{'b', 1};
    return parts.size() == 2 && resolveCompare(instruction, parts[1], result, type);
  }
  if (name == "selp") {
    if (instruction.operands.size() != 4) return false;
    instruction.run = [type, operands = instruction.operands](Thread& thread) {
      bool isFirst = read(thread, operands[3], Type{'b', 1}) & 1;
      put(thread, operands[0], read(thread, operands[isFirst ? 1 : 2], type), type.all());
    };
    return true;
  }
  if (name == "slct") { // by the sign of the third
    if (instruction.operands.size() != 4 || types.size() != 2) return false;
    instruction.run = [types, operands = instruction.operands](Thread& thread) {
      uint64_t by = read(thread, operands[3], types[1]);
      bool isFirst = types[1].isFloat() ? realAt(types[1], by) >= 0 : extended(by, 32) >= 0;
      put(thread, operands[0], read(thread, operands[isFirst ? 1 : 2], types[0]), types[0].all());
    };
    return true;
  }
  unsigned lanes = hasPart("v2") ? 2 : hasPart("v4") ? 4 : hasPart("v8") ? 8 : 1;
  if (name == "ld" || name == "ldu") return resolveLoad(instruction, type, lanes, isShared);
  if (name == "st") return resolveStore(instruction, type, lanes, isShared);
  if (name == "atom" || name == "red") {
    llvm::StringRef operation = parts.back() == "noftz" ? parts[parts.size() - 2] : parts.back();
    return resolveAtomic(instruction, operation, type, isShared, name == "atom");
  }
  if (type.isFloat() || type.kind == '4') {
    bool keepsNan = hasPart("NaN");
    bool isPlain = parts.size() == (keepsNan ? 2 : 1);
    return isPlain && type.kind != '4' && resolveReal(instruction, name, type, modifiers, keepsNan);
  }
  std::string key = name.str();
  for (llvm::StringRef part : llvm::drop_begin(parts))
    key += "." + part.str();
  return resolveInteger(instruction, key, type, modifiers.saturates);
}

std::optional<uint64_t> special(llvm::StringRef name, const Thread& thread) {
  const ProgramId& program = thread.x.state.program;
  const ProgramId& grid = thread.x.machine.setting().grid;
  unsigned warpSize = thread.x.machine.code().threadsPerWarp;
  if (name == "%laneid") return thread.lane;
  if (name == "%warpid") return thread.warp;
  if (name == "%tid.x") return thread.warp * warpSize + thread.lane;
  if (name == "%tid.y" || name == "%tid.z" || name == "%smid") return 0;
  if (name == "%ntid.x") return uint64_t(thread.x.threads());
  for (auto [d, axis] : {std::pair(0u, ".x"), std::pair(1u, ".y"), std::pair(2u, ".z")}) {
    if (name == std::string("%ctaid") + axis) return static_cast<uint64_t>(program[d]);
    if (name == std::string("%nctaid") + axis) return static_cast<uint64_t>(grid[d]);
  }
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer") return thread.x.state.steps;
  return std::nullopt;
}

} // namespace

const Dialect& ptx() {
  static constexpr Dialect dialect{resolve, false, special};
  return dialect;
}

} // namespace gluond::simulate::assembly
