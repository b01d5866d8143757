// How `gluond lsp` and `gluond serve` set up a server.
#pragma once

#include "lsp/server/Server.h"

#include <initializer_list>
#include <string>

namespace gluond::cli {

// The first of these paths, relative to the folder of the program, that exists, absolute: beside an
// installed program or in the tree it was built in. Empty: none does.
std::string installedPath(std::initializer_list<const char*> relative);

// `threads` 0: as the machine has, at most 4.
lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& settings);

} // namespace gluond::cli
