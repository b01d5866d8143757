// Inlay hints in a kernel: types and layouts after assigned names, values after constants and after
// the parameters of the selected specialization.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct HintOptions {
  bool types = true;      // x: float32[64] after assigned names
  bool layouts = true;    // and the layout, in short form
  bool values = true;     // = 64 after computed constants
  bool parameters = true; // BLOCK = 64, src: *float32 in the kernel's header
  bool costs = true;      // 4 bytes a lane, 32 sectors ... after code with a warning
};

struct Hint {
  text::Offset at = 0;
  std::string label;
  std::string tooltip; // Markdown
  bool isParameter = false;
};
// Sorted by place. Only kernels that reach `range` are analysed.
std::vector<Hint> hintsIn(NameResolver& resolver, const IndexedFile& file, text::Range range,
                          const HintOptions& options);

} // namespace gluond::lsp
