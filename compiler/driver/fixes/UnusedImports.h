// Imports that fixes leave without a use: the function that became a method, the layout that was an
// argument of it.
#pragma once

#include "driver/workspace/Workspace.h"
#include "support/Cancellation.h"

namespace gluond::driver {

// Returns the edit of `after` that removes a name which the file imports from Triton, used before
// it was fixed, and does not mention anymore; nullopt if there is none. A name that another file
// may import from this one stays.
std::optional<text::Edit> unusedImport(const Snapshot& snapshot, const File& before,
                                       const File& after, const CancellationToken& token);

} // namespace gluond::driver
