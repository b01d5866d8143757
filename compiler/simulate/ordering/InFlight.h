// The asynchronous operations of one partition by what waits for them: numbers, in the order in
// which they were issued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace gluond::ordering {

struct InFlight {
  std::vector<uint32_t> uncommitted;        // copies into shared memory, of no group yet
  std::deque<std::vector<uint32_t>> groups; // of copies
  std::deque<uint32_t> stores, dots, tdms;  // each a group of its own

  void commit() {
    groups.push_back(std::move(uncommitted));
    uncommitted.clear();
  }
  // Takes out the oldest, so that `left` stay.
  template <class List, class Visit> static void takeAllBut(List& list, size_t left, Visit visit) {
    while (list.size() > left) {
      auto oldest = std::move(list.front());
      list.pop_front();
      visit(oldest);
    }
  }
  template <class Visit> void forEachCopy(Visit visit) const {
    for (const auto& group : groups)
      for (uint32_t copy : group)
        visit(copy);
    for (uint32_t copy : uncommitted)
      visit(copy);
  }
};

} // namespace gluond::ordering
