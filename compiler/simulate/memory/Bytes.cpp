#include "simulate/memory/Bytes.h"

#include <algorithm>

namespace gluond::simulate {

std::shared_ptr<const Bytes::Runs> Bytes::runsOf(Runs runs) {
  auto isBefore = [](Run a, Run b) { return a.from < b.from; };
  if (!std::is_sorted(runs.begin(), runs.end(), isBefore))
    std::sort(runs.begin(), runs.end(), isBefore);
  size_t kept = 0;
  for (size_t i = 1; i < runs.size(); ++i)
    if (runs[i].from <= runs[kept].to)
      runs[kept].to = std::max(runs[kept].to, runs[i].to);
    else
      runs[++kept] = runs[i];
  if (runs.size() > kept + 1) runs.resize(kept + 1);
  return std::make_shared<const Runs>(std::move(runs));
}

Bytes Bytes::of(uint32_t alloc, Runs all) {
  if (all.empty()) return range(alloc, 0, 0);
  std::shared_ptr<const Runs> runs = runsOf(std::move(all));
  Bytes bytes = range(alloc, runs->front().from, runs->back().to);
  if (runs->size() > 1) bytes.runs = std::move(runs);
  return bytes;
}

Bytes::Run common(const Bytes& a, const Bytes& b) {
  uint64_t from = std::max(a.begin, b.begin), to = std::min(a.end, b.end);
  if (a.alloc != b.alloc || from >= to) return {0, 0};
  if (!a.runs && !b.runs) return {from, to};
  if (a.runs == b.runs && a.origin == b.origin) return a[0];
  // From the first run that ends after the beginning of the other piece.
  auto first = [&](const Bytes& bytes) {
    if (!bytes.runs) return size_t(0);
    auto at = std::partition_point(bytes.runs->begin(), bytes.runs->end(),
                                   [&](Bytes::Run run) { return run.to + bytes.origin <= from; });
    return static_cast<size_t>(at - bytes.runs->begin());
  };
  for (size_t i = first(a), j = first(b); i < a.size() && j < b.size();) {
    Bytes::Run x = a[i], y = b[j];
    if (x.from >= to || y.from >= to) break;
    if (std::max(x.from, y.from) < std::min(x.to, y.to))
      return {std::max(x.from, y.from), std::min(x.to, y.to)};
    if (x.to < y.to)
      ++i;
    else
      ++j;
  }
  return {0, 0};
}

bool covers(const Bytes& a, const Bytes& b) {
  if (a.alloc != b.alloc || a.begin > b.begin || a.end < b.end) return false;
  if (!a.runs || (a.runs == b.runs && a.origin == b.origin)) return true;
  size_t i = 0;
  for (size_t j = 0; j < b.size(); ++j) {
    while (i < a.size() && a[i].to < b[j].to)
      ++i;
    if (i == a.size() || a[i].from > b[j].from) return false;
  }
  return true;
}

} // namespace gluond::simulate
