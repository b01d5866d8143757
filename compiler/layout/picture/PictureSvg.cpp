// The map as a standalone image.
#include "layout/picture/PictureCells.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

namespace gluond::layout {

namespace {

// Okabe and Ito's palette: apart for all common kinds of colour blindness. Past eight, the colours
// repeat with a hatch.
struct Colour {
  llvm::StringLiteral fill, text;
};
constexpr Colour palette[] = {
    {"#e69f00", "#000000"}, {"#56b4e9", "#000000"}, {"#009e73", "#000000"}, {"#f0e442", "#000000"},
    {"#0072b2", "#ffffff"}, {"#d55e00", "#000000"}, {"#cc79a7", "#000000"}, {"#bbbbbb", "#000000"},
};
constexpr int64_t paletteSize = std::size(palette);

std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result +=
          static_cast<unsigned char>(c) < 0x20 ? ' ' : c; // XML has no other control characters
    }
  }
  return result;
}

constexpr int64_t margin = 16, rowHeight = 18, headHeight = 64, axisWidth = 36, legendWidth = 110;

void text(llvm::raw_ostream& os, int64_t x, int64_t y, llvm::StringRef content,
          llvm::StringRef attributes = "") {
  os << "<text x=\"" << x << "\" y=\"" << y << "\"" << (attributes.empty() ? "" : " ") << attributes
     << ">" << escaped(content) << "</text>\n";
}

} // namespace

std::string renderSvg(const LayoutPicture& picture, const SvgOptions& options) {
  CellMap cells(picture);
  int64_t run = cells.run();
  int64_t rows = std::min<int64_t>(cells.rows(), std::max(1u, options.rows));
  int64_t columns = std::min<int64_t>(cells.columns() / run, std::max(1u, options.columns));
  // Wide enough for the longest label.
  size_t longest = 1;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      longest = std::max(longest, cells.label(cells.owner(0, row, column * run), run).size());
  int64_t cellWidth = 7 * static_cast<int64_t>(longest) + 8;

  std::string body;
  llvm::raw_string_ostream os(body);
  std::set<int64_t> used;
  int64_t left = margin + axisWidth, top = headHeight + rowHeight;
  for (int64_t column = 0; column < columns; ++column)
    text(os, left + column * cellWidth + cellWidth / 2, top - 5, std::to_string(column * run),
         "class=\"axis\"");
  for (int64_t row = 0; row < rows; ++row) {
    int64_t y = top + row * rowHeight;
    text(os, left - 6, y + 13, std::to_string(row), "class=\"row\"");
    for (int64_t column = 0; column < columns; ++column) {
      Owner owner = cells.owner(0, row, column * run);
      int64_t colour = cells.colour(owner), x = left + column * cellWidth;
      if (owner.copies) used.insert(colour);
      const Colour& shade = palette[colour % paletteSize];
      os << "<g><title>(" << row << ", " << column * run
         << "): " << escaped(cells.label(owner, run)) << "</title>"
         << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cellWidth << "\" height=\""
         << rowHeight << "\" fill=\""
         << (owner.copies ? shade.fill : llvm::StringLiteral("#ffffff")) << "\"/>";
      if (owner.copies && colour >= paletteSize)
        os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cellWidth << "\" height=\""
           << rowHeight << "\" fill=\"url(#hatch)\" stroke=\"none\"/>";
      os << "<text x=\"" << x + cellWidth / 2 << "\" y=\"" << y + 13 << "\" class=\"cell\" fill=\""
         << (owner.copies ? shade.text : llvm::StringLiteral("#000000")) << "\">"
         << escaped(cells.label(owner, run)) << "</text></g>\n";
    }
  }
  int64_t bottom = top + rows * rowHeight, right = left + columns * cellWidth;

  // The legend is on the right; a note below says what is left out.
  int64_t legend = 0;
  for (int64_t colour : used) {
    if (legend == 32) break;
    int64_t y = top + legend * rowHeight;
    os << "<rect x=\"" << right + margin << "\" y=\"" << y + 3
       << "\" width=\"12\" height=\"12\" fill=\"" << palette[colour % paletteSize].fill << "\"/>";
    if (colour >= paletteSize)
      os << "<rect x=\"" << right + margin << "\" y=\"" << y + 3
         << "\" width=\"12\" height=\"12\" fill=\"url(#hatch)\" stroke=\"none\"/>";
    os << '\n';
    text(os, right + margin + 18, y + 13, cells.colourName(colour));
    ++legend;
  }
  std::string note;
  if (rows < cells.rows() || columns * run < cells.columns() || cells.slices() > 1) {
    llvm::raw_string_ostream n(note);
    n << "Shown: " << rows << " x " << columns * run << " elements";
    if (cells.slices() > 1) n << " of the first of " << cells.slices() << " slices";
    n << ", of " << cells.rows() << " x " << cells.columns() << ".";
    text(os, margin, bottom + 18, note);
  }

  std::string shape;
  llvm::raw_string_ostream shapeText(shape);
  llvm::interleave(picture.linear.outSizes(), shapeText, "x");
  std::string title =
      picture.title + " on " + shape + (picture.dtype.empty() ? "" : " " + picture.dtype);
  int64_t width = std::max<int64_t>(right + margin + legendWidth,
                                    margin * 2 + 7 * static_cast<int64_t>(title.size()));
  int64_t height =
      std::max(bottom, top + legend * rowHeight) + (note.empty() ? margin : margin + rowHeight);

  std::string svg;
  llvm::raw_string_ostream out(svg);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
      << "\" viewBox=\"0 0 " << width << ' ' << height << "\" role=\"img\">\n<title>"
      << escaped(title) << "</title>\n"
      << "<style>text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#000}"
         ".cell{font-size:11px;text-anchor:middle}.cell[fill=\"#ffffff\"]{fill:#fff}.axis{text-"
         "anchor:middle}.row{text-anchor:end}"
         ".head{font-weight:bold;font-size:14px}rect{stroke:#fff;stroke-width:1}</style>\n"
      << "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\">"
         "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#000\" stroke-opacity=\"0.35\" "
         "stroke-width=\"2\"/></pattern></defs>\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\" stroke=\"none\"/>\n";
  text(out, margin, 26, title, "class=\"head\"");
  text(out, margin, 46, summary(picture));
  out << body << "</svg>\n";
  return svg;
}

} // namespace gluond::layout
