// The JSON form of a layout map; the command line prints the same.
#pragma once

#include "driver/inspect/LayoutMap.h"
#include "lsp/protocol/Extensions.h"

namespace gluond::lsp {

// {"shape", "dtype", "dims", "bases": {dim: [[..]..]}, "replication": {dim: copies}}
Json encodeLayout(const layout::LayoutPicture& picture);

// Returns the parts of a map that the layout views show, without places.
LayoutMapResult encodeMap(const driver::LayoutMap& map, const std::string& target);

} // namespace gluond::lsp
