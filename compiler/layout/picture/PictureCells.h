// The contents of one cell of a layout's picture, shared by the drawings; only PictureText.cpp and
// PictureSvg.cpp include this.
#pragma once

#include "layout/access/MemoryCheck.h"
#include "layout/picture/Picture.h"

namespace gluond::layout {

// Runs of neighbours along the last dimension that are consecutive in one thread or in memory.
struct Cell {
  Owner owner;
  int64_t length = 1; // elements
};

class CellMap {
public:
  explicit CellMap(const LayoutPicture& picture);

  unsigned rank() const { return static_cast<unsigned>(shape_.size()); }
  // The last two dimensions; a vector is one row.
  int64_t rows() const { return rank() > 1 ? shape_[rank() - 2] : 1; }
  int64_t columns() const { return shape_.back(); }
  int64_t slices() const;
  // The number of neighbours in each cell; in a linear layout all runs are equally long.
  int64_t run() const { return run_; }
  // Returns the coordinates of element (row, column) of a slice; slices are counted row-major over
  // the leading dimensions.
  Coordinates coordinates(int64_t slice, int64_t row, int64_t column) const;
  Owner owner(int64_t slice, int64_t row, int64_t column) const {
    return owners_.at(coordinates(slice, row, column));
  }
  // "T3:0-1", "12-15", "r5,c0"; "--" for a hole.
  std::string label(const Owner& owner, int64_t length) const;
  // Returns the value that the colour shows.
  int64_t colour(const Owner& owner) const;
  std::string colourName(int64_t colour) const;
  int64_t copies() const { return copies_; }

private:
  const LayoutPicture& picture_;
  OwnerMap owners_;
  ShapeVector shape_;
  int64_t run_ = 1, copies_ = 1;
  int64_t place(const Owner& owner) const; // for shared memory: offset with padding
};

} // namespace gluond::layout
