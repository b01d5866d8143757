// Visualizes a layout: the data for `gluond layout`, hovers and the visualizer, and its two
// drawings.
//
// A LayoutPicture is plain data. cli and lsp write `report()` as JSON; renderText() is the map for
// a terminal, renderSvg() a standalone image. Both show for each element of the tensor which place
// holds it, and say so if a large tensor is clipped. Pure functions; thread-safe.
#pragma once

#include "layout/named/Properties.h"

namespace gluond::layout {

struct LayoutPicture {
  Layout layout;
  LinearLayout linear;
  std::string title;        // the user's expression, or the kind; may be any text
  std::string dtype;        // "f16"; may be empty
  unsigned elementBits = 0; // 0 if there is no dtype: banks are not shown
};
OrError<LayoutPicture> makePicture(const Layout& layout, Shape shape, std::string title,
                                   std::string dtype = {}, unsigned elementBits = 0);

// The fields of the JSON form, in its order: {"shape","dtype","dims","bases":{dim:
// [[..]..]},"replication":{dim: copies}}.
struct LayoutReport {
  ShapeVector shape;
  std::string dtype;
  Dims dims;                         // the inputs: "register", "lane", ...
  llvm::SmallVector<Bases, 4> bases; // parallel to dims
  llvm::SmallVector<int64_t, 4>
      replication; // parallel to dims: how many of its values hold the same elements
};
LayoutReport report(const LayoutPicture& picture);

// The place that holds an element.
struct Owner {
  uint64_t place = 0; // packed input of the layout (LinearLayout::packInput), free bits 0
  int64_t copies = 1; // number of places that hold it; 0 for a hole
};
class OwnerMap {
public:
  explicit OwnerMap(const LinearLayout& linear);
  Owner at(llvm::ArrayRef<int32_t> coordinates) const;
  // Returns the value of one input dimension in a packed place.
  int64_t value(uint64_t place, Dim in) const;

private:
  LinearLayout linear_;
  f2::Basis basis_;
  int64_t copies_;
};

// Returns one line on the layout: "4 warps x 32 lanes x 16 registers, each element once".
std::string summary(const LayoutPicture& picture);

struct TextOptions {
  unsigned columns = 100; // width of the terminal
  unsigned rows = 32;     // rows of the tensor; more are left out
  unsigned slices = 4;    // matrices of a tensor with more than two dimensions
};
// A table with one row of the tensor per line. A cell is T<thread>:<register> (preceded by B<block>
// if there are several), an offset in shared memory, or row,col in tensor memory. Neighbours in
// consecutive registers of one thread share a cell (T0:0-3), copies are counted (x4).
std::string renderText(const LayoutPicture& picture, const TextOptions& options = {});

struct SvgOptions {
  unsigned rows = 64, columns = 64; // maximum number of cells drawn
};
// The colour shows the warp (registers), the bank (shared memory) or the warp's rows (tensor
// memory); the palette is colour-blind safe and every cell is labelled too.
std::string renderSvg(const LayoutPicture& picture, const SvgOptions& options = {});

} // namespace gluond::layout
