// Launches as launch records (docs/launch-records.md): the other way round from RecordReader.
#pragma once

#include "driver/launches/Kernels.h"

#include <nlohmann/json_fwd.hpp>

namespace gluond::driver {

// The record of a variant: the one it came from, or one made of its launch. `file` is what "file"
// shall say. What the evaluation does not know is {"$unknown": null}, which no reader accepts.
nlohmann::ordered_json recordOf(const Variant& variant, const std::string& file,
                                const Interner& names);

} // namespace gluond::driver
