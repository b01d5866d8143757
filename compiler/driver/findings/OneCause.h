// One mistake is one finding: findings that follow from another one, or that repeat it at further
// places, become its related places.
#pragma once

#include "driver/findings/Finding.h"

namespace gluond::driver {

// `findings` are sorted by place.
void keepOneOfEachCause(std::vector<Finding>& findings, const Snapshot& snapshot);

} // namespace gluond::driver
