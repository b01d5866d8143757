// How many threads a warp has in the layouts that a file writes down: programs for AMD's chips with
// waves of 64 often import nothing of AMD's.
#pragma once

#include <optional>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

// The product of threads_per_warp in the BlockedLayouts whose numbers are literals; nothing where
// there is none, or where they differ.
std::optional<unsigned> writtenWarpSize(const syntax::SyntaxTree& tree);

} // namespace gluond::driver
