// The names of a file that stand for kernels, found in its text alone (NameScan.h). Internal to
// users/.
#pragma once

#include "driver/users/NameFlow.h"
#include "driver/workspace/Workspace.h"

#include <memory>
#include <optional>

namespace gluond::driver {

// What a file's text says of its names; null if it had to stop (Spending::isSpent).
std::shared_ptr<const NameScan> scanOf(const Snapshot& snapshot, const File& file);

// How its names follow from each other, without any to begin with; nullopt if it had to stop.
std::optional<NameFlow> flowOf(const Snapshot& snapshot, const File& file, NamePool& pool);

// Its jit functions and constexpr functions, or those that it imports if it has none, and the names
// derived from them; nullopt if it had to stop.
std::optional<NameFlow> kernelNames(const Snapshot& snapshot, const File& file, NamePool& pool);

} // namespace gluond::driver
