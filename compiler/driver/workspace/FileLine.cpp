#include "driver/workspace/FileLine.h"

#include "driver/notebooks/NotebookFile.h"

#include <llvm/Support/Path.h>

namespace gluond::driver {

FileLine lineAt(const File& file, text::Offset at) {
  uint32_t line = file.text().lineOf(at);
  if (!file.notebook()) return {std::nullopt, line + 1};
  NotebookFile::Place place = file.notebook()->placeOf(line);
  return {static_cast<uint32_t>(place.cell), place.line + 1};
}

tl::expected<uint32_t, std::string> findLine(const File& file, FileLine line) {
  const NotebookFile* notebook = file.notebook().get();
  auto lines = [](uint32_t count) { return " has the lines 1 to " + std::to_string(count); };
  if (!notebook) {
    if (line.cell) return tl::unexpected<std::string>("cell: the file is no notebook");
    uint32_t count = file.text().lineCount();
    if (line.line < 1 || line.line > count) return tl::unexpected("line: the file" + lines(count));
    return line.line - 1;
  }
  std::string numbers;
  for (const NotebookFile::Cell& cell : notebook->cells()) {
    if (cell.number == line.cell) {
      uint32_t count = cell.text.lineCount();
      if (line.line < 1 || line.line > count)
        return tl::unexpected("line: the cell" + lines(count));
      return notebook->firstLineOf(cell) + line.line - 1;
    }
    if (numbers.size() < 200)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(cell.number);
  }
  if (numbers.empty()) return tl::unexpected<std::string>("cell: the notebook has no Python cell");
  return tl::unexpected((line.cell
                             ? "cell: the notebook has no Python cell " + std::to_string(*line.cell)
                             : std::string("cell is missing: lines of a notebook count in "
                                           "their cell")) +
                        "; its Python cells are " + numbers);
}

std::string lineInWords(const File& file, text::Offset at) {
  FileLine place = lineAt(file, at);
  std::string line = "line " + std::to_string(place.line);
  return place.cell ? "cell " + std::to_string(*place.cell) + ", " + line : line;
}

std::string fileLineInWords(const File& file, text::Offset at) {
  FileLine place = lineAt(file, at);
  std::string cell = place.cell ? "cell " + std::to_string(*place.cell) + ":" : "";
  return llvm::sys::path::filename(file.path()).str() + ":" + cell + std::to_string(place.line);
}

} // namespace gluond::driver
