// The map for a terminal.
#include "layout/picture/PictureCells.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

namespace {

void pad(llvm::raw_ostream& os, llvm::StringRef text, size_t width) {
  if (text.size() < width) os.indent(static_cast<unsigned>(width - text.size()));
  os << text;
}

size_t digits(int64_t number) {
  return std::to_string(number).size();
}

// Returns how many cells of this width fit next to a head and its colon.
int64_t cellsBeside(size_t head, size_t width, const TextOptions& options) {
  size_t room = options.columns > head + 1 ? options.columns - head - 1 : 0;
  return std::max<int64_t>(1, static_cast<int64_t>(room / (width + 1)));
}

void noteLeftOut(llvm::raw_ostream& os, int64_t rows, int64_t columns, llvm::StringRef columnWord) {
  if (rows <= 0 && columns <= 0) return;
  os << "... ";
  if (rows > 0) os << rows << " more rows" << (columns > 0 ? " and " : "");
  if (columns > 0) os << columns << " more " << columnWord;
  os << '\n';
}

// One dimension: continues on the next line.
void renderVector(llvm::raw_ostream& os, const CellMap& cells, const TextOptions& options) {
  int64_t run = cells.run(), all = cells.columns() / run;
  // No more than could ever be shown, one character a cell.
  int64_t most =
      std::min<int64_t>(all, static_cast<int64_t>(options.rows) * options.columns / 2 + 1);
  std::vector<std::string> labels;
  size_t width = 1, head = digits(cells.columns() - 1);
  for (int64_t i = 0; i < most; ++i) {
    labels.push_back(cells.label(cells.owner(0, 0, i * run), run));
    width = std::max(width, labels.back().size());
  }
  int64_t perLine = cellsBeside(head, width, options);
  int64_t shown = std::min(most, perLine * std::max(1u, options.rows));
  for (int64_t i = 0; i < shown; ++i) {
    if (i % perLine == 0) pad(os, std::to_string(i * run), head), os << ':';
    os << ' ';
    pad(os, labels[static_cast<size_t>(i)], width);
    if (i % perLine == perLine - 1 || i == shown - 1) os << '\n';
  }
  noteLeftOut(os, 0, cells.columns() - shown * run, "elements");
}

// The last two dimensions of a slice, a row a line.
void renderMatrix(llvm::raw_ostream& os, const CellMap& cells, int64_t slice,
                  const TextOptions& options) {
  int64_t run = cells.run(), perRow = cells.columns() / run;
  int64_t rows = std::min<int64_t>(cells.rows(), std::max(1u, options.rows));
  int64_t most = std::min<int64_t>(perRow, std::max(1u, options.columns / 2));
  std::vector<std::string> labels;
  size_t width = digits(cells.columns() - 1), head = digits(cells.rows() - 1);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < most; ++i) {
      labels.push_back(cells.label(cells.owner(slice, row, i * run), run));
      width = std::max(width, labels.back().size());
    }
  int64_t shown = std::min(most, cellsBeside(head, width, options));
  os.indent(static_cast<unsigned>(head + 1));
  for (int64_t i = 0; i < shown; ++i)
    os << ' ', pad(os, std::to_string(i * run), width);
  os << '\n';
  for (int64_t row = 0; row < rows; ++row) {
    pad(os, std::to_string(row), head);
    os << ':';
    for (int64_t i = 0; i < shown; ++i)
      os << ' ', pad(os, labels[static_cast<size_t>(row * most + i)], width);
    os << '\n';
  }
  noteLeftOut(os, cells.rows() - rows, cells.columns() - shown * run, "columns");
}

} // namespace

std::string renderText(const LayoutPicture& picture, const TextOptions& options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  CellMap cells(picture);
  os << picture.title << " on ";
  llvm::interleave(picture.linear.outSizes(), os, "x");
  if (!picture.dtype.empty()) os << ' ' << picture.dtype;
  os << '\n' << summary(picture) << '\n';
  if (picture.linear.hasIn(Dim::Lane))
    os << "T<thread>:<register>" << (picture.linear.inBits(Dim::Warp) ? ", thread = warp * " : "");
  if (picture.linear.hasIn(Dim::Lane) && picture.linear.inBits(Dim::Warp))
    os << picture.linear.inSize(Dim::Lane) << " + lane";
  if (picture.linear.hasIn(Dim::Offset)) os << "offset in elements";
  if (picture.linear.hasIn(Dim::Row)) os << "row,column of tensor memory, columns in elements";
  if (cells.copies() > 1) os << "; of " << cells.copies() << " copies, the first";
  os << "\n\n";
  int64_t slices = std::min<int64_t>(cells.slices(), std::max(1u, options.slices));
  for (int64_t slice = 0; slice < slices; ++slice) {
    if (cells.rank() > 2) {
      os << (slice ? "\n[" : "[");
      Coordinates at = cells.coordinates(slice, 0, 0);
      for (unsigned i = 0; i + 2 < cells.rank(); ++i)
        os << at[i] << ", ";
      os << ":, :]\n";
    }
    if (cells.rows() == 1 && cells.rank() < 3)
      renderVector(os, cells, options);
    else
      renderMatrix(os, cells, slice, options);
  }
  if (cells.slices() > slices) os << "... " << cells.slices() - slices << " more slices\n";
  return text;
}

} // namespace gluond::layout
