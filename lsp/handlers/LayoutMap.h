// The JSON form of a layout map; the command line prints the same.
#pragma once

#include "layout/Picture.h"
#include "lsp/protocol/Json.h"

namespace gluond::lsp {

// {"shape", "dtype", "dims", "bases": {dim: [[..]..]}, "replication": {dim: copies}}
Json encodeLayout(const layout::LayoutPicture& picture);

} // namespace gluond::lsp
