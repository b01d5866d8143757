// The variant of a kernel that a launch record asks for.
#pragma once

#include "driver/launches/Kernels.h"

namespace gluond::driver {

// `program` is the file of the record, evaluated for its target and under its module's name.
Variant variantOf(const FoundRecord& found, std::shared_ptr<const EvaluatedFile> program);

} // namespace gluond::driver
