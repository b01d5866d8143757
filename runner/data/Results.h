// Statistics of a tensor after a launch. Elements are in row-major order.
#pragma once

#include "runner/data/TensorData.h"

namespace gluond::runner {

// Computes statistics of elements; the caller fills in name and data.
TensorSummary summarize(const TensorShape& shape, std::string_view elements);
TensorSummary summarizeStorage(const TensorShape& shape, std::string_view storage);

CompareResult compare(const Dtype& dtype, const std::vector<int64_t>& shape,
                      std::string_view result, std::string_view reference, double relative,
                      double absolute);

} // namespace gluond::runner
