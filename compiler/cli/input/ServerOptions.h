// How `gluond lsp` and `gluond serve` set up a server.
#pragma once

#include "lsp/server/Server.h"
#include "lsp/supervisor/Supervisor.h"

#include <initializer_list>
#include <string>

namespace gluond::cli {

// The first of these paths, relative to the folder of the program, that exists, absolute: beside an
// installed program or in the tree it was built in. Empty: none does.
std::string installedPath(std::initializer_list<const char*> relative);

// `threads` 0: as the machine has, at most 4.
lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& settings);
// For a client of this process, whose server is a process of its own. `served`: the folder that
// `gluond serve` shows, and that its server keeps to; empty: none.
lsp::SupervisorOptions supervisorOptions(unsigned threads, const std::vector<std::string>& settings,
                                         const std::string& served = "");

} // namespace gluond::cli
