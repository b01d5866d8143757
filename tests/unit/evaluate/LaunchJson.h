// A Launch as the launch record that ../shared/oracle/README.md describes, to compare with recorded
// ones.
#pragma once

#include "evaluate/launches/Launch.h"

#include <nlohmann/json.hpp>

namespace gluond::evaluate {

nlohmann::json launchJson(const Interner& names, const Launch& launch, const std::string& folder);

} // namespace gluond::evaluate
