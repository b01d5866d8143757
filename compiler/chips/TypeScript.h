// The part of the table that menus show, as TypeScript: `build/bin/chip_types >
// visualizer/src/model/targets.ts`. A test fails when that file is stale.
#pragma once

#include <string>

namespace gluond::chips {

std::string typeScript();

} // namespace gluond::chips
