// Reads the goldens that scripts/oracle/record_layouts.py recorded from Triton: one JSON object a
// line, layouts spelled as in launch records.
#pragma once

#include "layout/named/Layout.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gluond::layout::test {

using Json = nlohmann::json;

// The lines of tests/data/layouts/<name>.jsonl.
std::vector<Json> goldens(const std::string& name);

OrError<Layout> layoutFrom(const Json& json);
Bases basesFrom(const Json& json);
std::vector<int64_t> shapeFrom(const Json& json);
// {"bases": [[name, [[..]..]]..], "outs": [[name, size]..]}
LinearLayout matrixFrom(const Json& json);
// {"register": [[..]..], ..} of all inputs.
Json basesOf(const LinearLayout& layout);

} // namespace gluond::layout::test
