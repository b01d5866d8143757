// The messages of Extensions.h as TypeScript, for visualizer/src/protocol.ts: interfaces for all
// structs of our messages, and one table of methods. `build/bin/protocol_types >
// visualizer/src/protocol.ts` writes it; a test compares the file with this.
#pragma once

#include <string>

namespace gluond::lsp {

std::string typeScript();

} // namespace gluond::lsp
