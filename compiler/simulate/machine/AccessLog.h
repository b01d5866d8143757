// Records the accesses of one program to global memory: the bytes that it read and wrote, and the
// values that it wrote.
// Programs of a grid run in any order, so that two of them must not touch the same bytes unless
// atomic operations order them, or both write the same values.
#pragma once

#include "simulate/machine/Findings.h"
#include "simulate/memory/Bytes.h"

#include <llvm/ADT/DenseMap.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace gluond::simulate {

class AccessLog {
public:
  struct Entry {
    uint64_t from = 0, to = 0;
    mlir::Operation* op = nullptr;
    size_t data = 0;    // of a write: where its bytes are
    uint32_t epoch = 0; // how many atomic operations the program had made
    // Of them, those that published what came before, and those after which the program knew what
    // others had published.
    uint32_t released = 0, acquired = 0;
    bool isAtomic = false;
  };

  void read(mlir::Operation* op, const Bytes::Runs& runs) { add(op, runs, false); }
  void write(mlir::Operation* op, uint64_t address, const std::byte* data, size_t bytes);
  void atomic(mlir::Operation* op, const Bytes::Runs& runs);
  // A fence orders what is around it together with the atomic operations.
  void fence() { ++acquired_, ++released_; }
  // The program has ended: fewer entries say the same.
  void close();

  // Returns the bytes that the log takes.
  size_t bytes() const {
    return data_.capacity() + (reads_.capacity() + writes_.capacity()) * sizeof(Entry);
  }
  std::span<const Entry> reads() const { return reads_; }
  std::span<const Entry> writes() const { return writes_; }
  const std::byte* dataOf(const Entry& entry) const { return data_.data() + entry.data; }
  // Whether entries of two programs may be ordered by their atomic operations.
  static bool mayBeOrdered(const AccessLog& a, const Entry& x, const AccessLog& b, const Entry& y) {
    // The accesses of one place come one after another if they are atomic.
    bool isAnyAtomic = x.isAtomic || y.isAtomic;
    auto isBefore = [&](const AccessLog& first, const Entry& x, const Entry& y) {
      return isAnyAtomic ? (first.epoch_ > x.epoch || x.isAtomic) && y.epoch > 0
                         : first.released_ > x.released && y.acquired > 0;
    };
    return isBefore(a, x, y) || isBefore(b, y, x);
  }

  // The first atomic operation that does not order the program's other accesses; null if there is
  // none.
  mlir::Operation* weakAtomic() const { return weakAtomic_; }

private:
  void add(mlir::Operation* op, const Bytes::Runs& runs, bool isAtomic);
  static void merge(std::vector<Entry>& entries);
  // Whether the program has made no atomic operation and no fence since.
  bool isNow(const Entry& entry) const {
    return entry.epoch == epoch_ && entry.released == released_ && entry.acquired == acquired_;
  }

  std::vector<Entry> reads_, writes_;
  // The entries of an operation's last execution begin here.
  llvm::SmallDenseMap<mlir::Operation*, size_t, 8> begins_;
  size_t merged_ = 0; // of the reads
  std::vector<std::byte> data_;
  uint32_t epoch_ = 0, released_ = 0, acquired_ = 0;
  mlir::Operation* weakAtomic_ = nullptr;
};

// A program with its log.
struct ClosedAccessLog {
  uint64_t number = 0;
  ProgramId program = {};
  AccessLog log;
};
// Finds the accesses of different programs that nothing orders. There is one finding for each pair
// of operations. `place` describes bytes of global memory.
std::vector<Finding> findProgramRaces(std::vector<ClosedAccessLog>& programs,
                                      const std::function<std::string(uint64_t, uint64_t)>& place);

} // namespace gluond::simulate
