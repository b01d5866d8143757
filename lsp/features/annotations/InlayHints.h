// What stands between the lines of a kernel: types and layouts behind assigned names, values behind
// constants and behind the parameters of the selected specialization.
#pragma once

#include "lsp/features/names/NameResolver.h"

namespace gluond::lsp {

struct HintOptions {
  bool types = true;      // x: float32[64] behind assigned names
  bool layouts = true;    // and the layout, in a word
  bool values = true;     // = 64 behind computed constants
  bool parameters = true; // BLOCK = 64, src: *float32 in the kernel's header
  bool costs = true;      // 4 bytes a lane, 32 sectors ... behind what a warning is about
};

struct Hint {
  text::Offset at = 0;
  std::string label;
  std::string tooltip; // Markdown
  bool isParameter = false;
};
// In order of place. Only what a kernel reaches in `range` is looked at.
std::vector<Hint> hintsIn(Resolver& resolver, const IndexedFile& file, text::Range range,
                          const HintOptions& options);

} // namespace gluond::lsp
