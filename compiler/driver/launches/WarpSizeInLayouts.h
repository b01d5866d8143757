// The number of threads per warp in the layouts that a file writes down: programs for AMD's chips
// with waves of 64 often import nothing of AMD's.
#pragma once

#include <optional>

namespace gluond::syntax {
class SyntaxTree;
}

namespace gluond::driver {

// Returns the product of threads_per_warp in BlockedLayouts with numbers (literals, or names that
// the file gives one number), or nullopt if there are none or they differ.
std::optional<unsigned> writtenWarpSize(const syntax::SyntaxTree& tree);

} // namespace gluond::driver
