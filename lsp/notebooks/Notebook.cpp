#include "lsp/notebooks/Notebook.h"

#include "driver/notebooks/Magics.h"

#include <algorithm>

namespace gluond::lsp {

Notebook::Notebook(std::vector<Cell> cells) : cells_(std::move(cells)) {
  number();
}

void Notebook::number() {
  lines_ = {};
  for (const Cell& cell : cells_)
    lines_.add(cell.isPython ? cell.text.lineCount() : 0);
}

const Cell* Notebook::find(llvm::StringRef uri) const {
  auto it = std::find_if(cells_.begin(), cells_.end(),
                         [&](const Cell& cell) { return cell.isPython && cell.uri == uri; });
  return it == cells_.end() ? nullptr : &*it;
}

bool Notebook::change(llvm::StringRef uri, int32_t version, text::SourceText text) {
  for (Cell& cell : cells_) {
    if (cell.uri != uri) continue;
    cell.version = version;
    cell.text = std::move(text);
    number();
    return true;
  }
  return false;
}

std::string Notebook::python(const Cell& cell) {
  return cell.isPython ? driver::linesOfProgram(cell.text.text()) : "";
}

std::string Notebook::python() const {
  std::string all;
  for (const Cell& cell : cells_)
    all += python(cell);
  return all;
}

const Cell* Notebook::at(uint32_t line) const {
  auto cell = lines_.at(line);
  return cell ? &cells_[*cell] : nullptr;
}

} // namespace gluond::lsp
