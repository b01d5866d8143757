// Which lines of the program that the cells of a notebook make belong to which cell.
//
// A cell's line L is the program's line first(cell) + L. Cells that are not Python have no lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gluond::driver {

class CellLines {
public:
  // Adds the next cell.
  void add(uint32_t lines) { firsts_.push_back(firsts_.back() + lines); }

  uint32_t first(size_t cell) const { return firsts_[cell]; }
  // The index of the cell with this line of the program; nullopt after the last one.
  std::optional<size_t> at(uint32_t line) const {
    if (line >= firsts_.back()) return std::nullopt;
    // The last one that begins at or before the line; cells without lines come before it.
    auto next = std::upper_bound(firsts_.begin(), firsts_.end(), line);
    return static_cast<size_t>(next - firsts_.begin()) - 1;
  }

private:
  std::vector<uint32_t> firsts_ = {0}; // by cell, and the number of lines of all
};

} // namespace gluond::driver
