// What the page of `gluond serve` asks besides LSP: the files of the served folder.
//
//   serve/files  {}                        -> {"root": uri, "files": [name..]}
//   serve/read   {"name"}                  -> {"text"}
//   serve/save   {"name", "text"}          -> {}     only sent when the user saves
#pragma once

#include "lsp/server/Router.h"
#include "lsp/server/ServedFolder.h"

namespace gluond::lsp {

void addServedFiles(Router& router, const ServedFolder& folder);

} // namespace gluond::lsp
