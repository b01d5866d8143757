// A line as people and other programs name it: of a file, or of a cell if the file is a notebook.
#pragma once

#include "driver/workspace/File.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::driver {

struct FileLine {
  std::optional<uint32_t> cell; // of a notebook, counted from 1 among all cells
  uint32_t line = 1;            // of the cell or the file, counted from 1
  bool operator==(const FileLine&) const = default;
};

FileLine lineAt(const File& file, text::Offset at);
// Returns the line of File::text(), counted from 0. The error is a sentence for the one who named
// the line.
tl::expected<uint32_t, std::string> findLine(const File& file, FileLine line);
// Returns "line 12", or "cell 3, line 12".
std::string lineInWords(const File& file, text::Offset at);

// Returns "kernel.py:12", or "notebook.ipynb:cell 3:12".
std::string fileLineInWords(const File& file, text::Offset at);

} // namespace gluond::driver
