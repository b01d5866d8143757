// Fixes for programs that must work with several releases of Triton.
#pragma once

#include "driver/analysis/Check.h"
#include "driver/workspace/Workspace.h"

#include <optional>

namespace gluond::driver {

// A function that one release calls `tma.async_load` and another `tma.async_copy_global_to_shared`
// gets a name of the program, after its imports, that means the one that the release has:
//     async_load = tma.async_load if hasattr(tma, "async_load") else tma.async_copy_...
// `finding` is what one release says of such a name, with the fix that is right for this release.
std::optional<diagnostics::Fix> shimFor(const Snapshot& snapshot, const File& file,
                                        const Finding& finding);

} // namespace gluond::driver
