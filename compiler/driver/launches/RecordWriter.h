// Writes launches as launch records (docs/launch-records.md), the inverse of RecordReader.
#pragma once

#include "driver/launches/Kernels.h"

#include <nlohmann/json_fwd.hpp>

namespace gluond::driver {

// Returns the record that a variant came from, or one made from its launch. `file` becomes the
// member "file"; the files of other definitions are named from the same folder. A member "assumed"
// lists the arguments and options whose values are not known, so that types are guesses. Unknown
// values become {"$unknown": null}, which no reader accepts.
nlohmann::ordered_json recordOf(const Variant& variant, const std::string& file,
                                const Interner& names);

} // namespace gluond::driver
