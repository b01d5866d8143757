#include "simulate/machine/AccessLog.h"

#include "ir/tt/Ops.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <cstring>
#include <tuple>

namespace gluond::simulate {

void AccessLog::write(mlir::Operation* op, uint64_t address, const std::byte* data, size_t bytes) {
  constexpr size_t most = size_t(64) << 20; // of one program; what comes later is not compared
  if (data_.size() + bytes > most) return;
  // Writes keep their own bytes, so that neighbours are joined only where these are neighbours,
  // too.
  size_t at = data_.size();
  data_.insert(data_.end(), data, data + bytes);
  if (!writes_.empty()) {
    Entry& last = writes_.back();
    if (last.op == op && last.to == address && isNow(last) &&
        last.data + (last.to - last.from) == at) {
      last.to += bytes;
      return;
    }
  }
  writes_.push_back({address, address + bytes, op, at, epoch_, released_, acquired_, false});
}

namespace {

// What an atomic operation does to the order of the accesses around it, for other programs.
struct Ordering {
  bool acquires = true, releases = true;
};
Ordering orderingOf(mlir::Operation* op) {
  auto scope = op->getAttrOfType<tt::MemSyncScopeAttr>("scope");
  if (scope && scope.getValue() == tt::MemSyncScope::CTA) return {false, false};
  auto sem = op->getAttrOfType<tt::MemSemanticAttr>("sem");
  if (!sem) return {};
  return {sem.getValue() == tt::MemSemantic::ACQUIRE ||
              sem.getValue() == tt::MemSemantic::ACQUIRE_RELEASE,
          sem.getValue() == tt::MemSemantic::RELEASE ||
              sem.getValue() == tt::MemSemantic::ACQUIRE_RELEASE};
}

} // namespace

void AccessLog::atomic(mlir::Operation* op, const Bytes::Runs& runs) {
  if (runs.empty()) return;
  auto [acquires, releases] = orderingOf(op);
  if (!weakAtomic_ && !(acquires && releases)) weakAtomic_ = op;
  for (Bytes::Run run : runs) { // each element in turn
    ++epoch_;
    acquired_ += acquires;
    add(op, {run}, true);
    released_ += releases;
  }
}

// In a loop, an operation often goes on where its runs ended the last time.
void AccessLog::add(mlir::Operation* op, const Bytes::Runs& runs, bool isAtomic) {
  constexpr size_t many = 1 << 16;
  if (reads_.size() >= merged_ + many) {
    merge(reads_);
    merged_ = reads_.size();
    begins_.clear();
  }
  size_t& begin = begins_.try_emplace(op, reads_.size()).first->second;
  size_t at = begin;
  for (Bytes::Run run : runs) {
    if (at < reads_.size()) {
      Entry& last = reads_[at];
      if (last.op == op && last.to == run.from && isNow(last) && last.isAtomic == isAtomic) {
        last.to = run.to;
        ++at;
        continue;
      }
      begin = at = reads_.size(); // somewhere else: this run and those after it
    }
    reads_.push_back({run.from, run.to, op, 0, epoch_, released_, acquired_, isAtomic});
    at = reads_.size();
  }
}

void AccessLog::merge(std::vector<Entry>& entries) {
  auto key = [](const Entry& entry) {
    return std::tuple(entry.op, entry.epoch, entry.released, entry.acquired, entry.isAtomic,
                      entry.from, entry.to);
  };
  llvm::sort(entries, [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    Entry &last = entries[kept], &next = entries[i];
    if (last.op == next.op && last.epoch == next.epoch && last.released == next.released &&
        last.acquired == next.acquired && last.isAtomic == next.isAtomic && next.from <= last.to)
      last.to = std::max(last.to, next.to);
    else
      entries[++kept] = next;
  }
  if (!entries.empty()) entries.resize(kept + 1);
}

void AccessLog::close() {
  merge(reads_);
  reads_.shrink_to_fit();
  writes_.shrink_to_fit();
  data_.shrink_to_fit();
}

namespace {

struct Part {
  const ClosedAccessLog* program;
  const AccessLog::Entry* entry;
};

// Parts by address, among which those in a range are found.
class Parts {
public:
  explicit Parts(std::vector<Part> parts) : parts_(std::move(parts)), ends_(parts_.size()) {
    auto key = [](const Part& part) {
      return std::tuple(part.entry->from, part.program->number, part.entry->data);
    };
    llvm::sort(parts_, [&](const Part& a, const Part& b) { return key(a) < key(b); });
    for (size_t i = 0; i < parts_.size(); ++i)
      ends_[i] = std::max(i ? ends_[i - 1] : 0, parts_[i].entry->to);
  }
  const std::vector<Part>& all() const { return parts_; }
  // Visits the numbers of those that begin before the end of the range, from the first one that may
  // reach into it, as long as visits are left.
  template <class Visit>
  void forEachIn(const AccessLog::Entry& range, uint64_t& left, Visit visit) const {
    auto first = llvm::partition_point(ends_, [&](uint64_t end) { return end <= range.from; });
    for (size_t i = static_cast<size_t>(first - ends_.begin());
         i < parts_.size() && parts_[i].entry->from < range.to && left; ++i, --left)
      visit(i);
  }

private:
  std::vector<Part> parts_;
  std::vector<uint64_t> ends_; // the greatest end of all up to here
};

bool isVolatile(mlir::Operation* op) {
  auto load = llvm::dyn_cast<tt::LoadOp>(op);
  return load && load.getIsVolatile();
}

// Whether two writes leave the same values where they meet.
bool areEqual(const Part& a, const Part& b, uint64_t from, uint64_t to) {
  auto at = [&](const Part& part) {
    return part.program->log.dataOf(*part.entry) + (from - part.entry->from);
  };
  return std::memcmp(at(a), at(b), to - from) == 0;
}

// The argument that makes an atomic operation weak.
std::string weaknessOf(mlir::Operation* op) {
  auto scope = op->getAttrOfType<tt::MemSyncScopeAttr>("scope");
  if (scope && scope.getValue() == tt::MemSyncScope::CTA) return "scope=\"cta\"";
  auto sem = op->getAttrOfType<tt::MemSemanticAttr>("sem");
  return "sem=\"" + (sem ? tt::stringifyMemSemantic(sem.getValue()).str() : "relaxed") + "\"";
}

std::string textOf(const ProgramId& id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) +
         ")";
}

} // namespace

std::vector<Finding> findProgramRaces(std::vector<ClosedAccessLog>& programs,
                                      const std::function<std::string(uint64_t, uint64_t)>& place) {
  llvm::sort(programs, [](const ClosedAccessLog& a, const ClosedAccessLog& b) {
    return a.number < b.number;
  });
  std::vector<Part> stored, changed;
  for (const ClosedAccessLog& program : programs) {
    for (const AccessLog::Entry& entry : program.log.writes())
      stored.push_back({&program, &entry});
    for (const AccessLog::Entry& entry : program.log.reads())
      if (entry.isAtomic) changed.push_back({&program, &entry});
  }
  const Parts writes(std::move(stored)), changes(std::move(changed));

  std::vector<Finding> findings;
  llvm::DenseSet<std::pair<mlir::Operation*, mlir::Operation*>> told;
  auto compare = [&](const Part& x, bool isWrite, const Part& write) {
    if (x.program == write.program) return;
    uint64_t from = std::max(x.entry->from, write.entry->from),
             to = std::min(x.entry->to, write.entry->to);
    if (from >= to) return;
    if (isWrite && areEqual(x, write, from, to)) return;
    if (AccessLog::mayBeOrdered(x.program->log, *x.entry, write.program->log, *write.entry)) return;
    // The program with the greater number comes later.
    bool isXLater = x.program->number > write.program->number;
    const Part &later = isXLater ? x : write, &first = isXLater ? write : x;
    auto verb = [&](const Part& part) {
      return part.entry->isAtomic ? "changes" : &part == &write || isWrite ? "writes" : "reads";
    };
    if (!told.insert({later.entry->op, first.entry->op}).second) return;
    // Both made atomic operations that could have ordered them.
    mlir::Operation *published = first.program->log.weakAtomic(),
                    *seen = later.program->log.weakAtomic();
    std::string weak;
    if (published && seen && !x.entry->isAtomic && !write.entry->isAtomic)
      weak = " before an atomic operation with " + weaknessOf(published);
    Finding finding =
        makeFinding(Id::SimulatedProgramRace, later.entry->op->getLoc(), verb(later),
                    place(from, to), textOf(first.program->program), verb(first) + weak);
    finding.program = later.program->program;
    finding.event(NoteId::OtherProgram, first.entry->op->getLoc(), textOf(first.program->program),
                  verb(first));
    findings.push_back(std::move(finding));
  };
  uint64_t left = 100'000'000; // comparisons
  for (size_t x = 0; x < writes.all().size(); ++x)
    writes.forEachIn(*writes.all()[x].entry, left, [&](size_t i) {
      if (i < x) compare(writes.all()[x], true, writes.all()[i]);
    });
  for (const ClosedAccessLog& program : programs)
    for (const AccessLog::Entry& entry : program.log.reads()) {
      Part read{&program, &entry};
      writes.forEachIn(entry, left, [&](size_t i) { compare(read, false, writes.all()[i]); });
      // Atomic operations do not disturb each other, and who polls knows of them.
      if (!entry.isAtomic && !isVolatile(entry.op))
        changes.forEachIn(entry, left, [&](size_t i) { compare(read, false, changes.all()[i]); });
    }
  return findings;
}

} // namespace gluond::simulate
