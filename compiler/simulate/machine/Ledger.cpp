#include "simulate/machine/Ledger.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <cstring>
#include <tuple>

namespace gluond::simulate {

void Ledger::write(mlir::Operation* op, uint64_t address, const std::byte* data, size_t bytes) {
  constexpr size_t most = size_t(64) << 20; // of one program; what comes later is not compared
  if (data_.size() + bytes > most) return;
  // Writes keep their own bytes, so that neighbours are joined only where these are neighbours,
  // too.
  size_t at = data_.size();
  data_.insert(data_.end(), data, data + bytes);
  if (!writes_.empty()) {
    Entry& last = writes_.back();
    if (last.op == op && last.to == address && last.epoch == epoch_ &&
        last.data + (last.to - last.from) == at) {
      last.to += bytes;
      return;
    }
  }
  writes_.push_back({address, address + bytes, op, at, epoch_, false});
}

// In a loop, an operation often goes on where its runs ended the last time.
void Ledger::add(mlir::Operation* op, const Bytes::Runs& runs, bool isAtomic) {
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
      if (last.op == op && last.to == run.from && last.epoch == epoch_ &&
          last.isAtomic == isAtomic) {
        last.to = run.to;
        ++at;
        continue;
      }
      begin = at = reads_.size(); // somewhere else: this run and those after it
    }
    reads_.push_back({run.from, run.to, op, 0, epoch_, isAtomic});
    at = reads_.size();
  }
}

void Ledger::merge(std::vector<Entry>& entries) {
  auto key = [](const Entry& entry) {
    return std::tuple(entry.op, entry.epoch, entry.isAtomic, entry.from, entry.to);
  };
  llvm::sort(entries, [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  size_t kept = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    Entry &last = entries[kept], &next = entries[i];
    if (last.op == next.op && last.epoch == next.epoch && last.isAtomic == next.isAtomic &&
        next.from <= last.to)
      last.to = std::max(last.to, next.to);
    else
      entries[++kept] = next;
  }
  if (!entries.empty()) entries.resize(kept + 1);
}

void Ledger::close() {
  merge(reads_);
  reads_.shrink_to_fit();
  writes_.shrink_to_fit();
  data_.shrink_to_fit();
}

namespace {

struct Part {
  const ClosedLedger* program;
  const Ledger::Entry* entry;
};

// Whether two writes leave the same values where they meet.
bool areEqual(const Part& a, const Part& b, uint64_t from, uint64_t to) {
  auto at = [&](const Part& part) {
    return part.program->ledger.dataOf(*part.entry) + (from - part.entry->from);
  };
  return std::memcmp(at(a), at(b), to - from) == 0;
}

std::string textOf(const ProgramId& id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) +
         ")";
}

} // namespace

std::vector<Finding> findProgramRaces(std::vector<ClosedLedger>& programs,
                                      const std::function<std::string(uint64_t, uint64_t)>& place) {
  llvm::sort(programs,
             [](const ClosedLedger& a, const ClosedLedger& b) { return a.number < b.number; });
  std::vector<Part> writes;
  for (const ClosedLedger& program : programs)
    for (const Ledger::Entry& entry : program.ledger.writes())
      writes.push_back({&program, &entry});
  auto key = [](const Part& part) {
    return std::tuple(part.entry->from, part.program->number, part.entry->data);
  };
  llvm::sort(writes, [&](const Part& a, const Part& b) { return key(a) < key(b); });
  // The greatest end of all up to here.
  std::vector<uint64_t> ends(writes.size());
  for (size_t i = 0; i < writes.size(); ++i)
    ends[i] = std::max(i ? ends[i - 1] : 0, writes[i].entry->to);

  std::vector<Finding> findings;
  llvm::DenseSet<std::pair<mlir::Operation*, mlir::Operation*>> told;
  uint64_t left = 100'000'000; // comparisons
  auto compare = [&](const Part& x, bool isWrite, const Part& write) {
    if (x.program == write.program) return;
    uint64_t from = std::max(x.entry->from, write.entry->from),
             to = std::min(x.entry->to, write.entry->to);
    if (from >= to) return;
    if (isWrite && areEqual(x, write, from, to)) return;
    if (Ledger::mayBeOrdered(x.program->ledger, *x.entry, write.program->ledger, *write.entry))
      return;
    // The program with the greater number comes later.
    bool isXLater = x.program->number > write.program->number;
    const Part &later = isXLater ? x : write, &first = isXLater ? write : x;
    auto verb = [&](const Part& part) {
      return &part == &write || isWrite ? "writes" : part.entry->isAtomic ? "changes" : "reads";
    };
    if (!told.insert({later.entry->op, first.entry->op}).second) return;
    Finding finding = makeFinding(Id::SimulatedProgramRace, later.entry->op->getLoc(), verb(later),
                                  place(from, to), textOf(first.program->program), verb(first));
    finding.program = later.program->program;
    finding.event(NoteId::OtherProgram, first.entry->op->getLoc(), textOf(first.program->program),
                  verb(first));
    findings.push_back(std::move(finding));
  };
  // Writes that begin before the end of a range, from the first that may reach into it.
  auto forEachWrite = [&](const Ledger::Entry& range, auto visit) {
    size_t i = static_cast<size_t>(
        llvm::partition_point(ends, [&](uint64_t end) { return end <= range.from; }) -
        ends.begin());
    for (; i < writes.size() && writes[i].entry->from < range.to && left; ++i, --left)
      visit(i);
  };
  for (size_t x = 0; x < writes.size(); ++x)
    forEachWrite(*writes[x].entry, [&](size_t i) {
      if (i < x) compare(writes[x], true, writes[i]);
    });
  for (const ClosedLedger& program : programs)
    for (const Ledger::Entry& entry : program.ledger.reads())
      forEachWrite(entry, [&](size_t i) { compare({&program, &entry}, false, writes[i]); });
  return findings;
}

} // namespace gluond::simulate
