// How `gluond lsp` and `gluond serve` set up a server.
#pragma once

#include "lsp/server/Server.h"
#include "lsp/supervisor/Supervisor.h"

#include <initializer_list>
#include <string>

namespace gluond::cli {

// Returns the absolute path of the first of these paths, relative to the program's folder, that
// exists: beside an installed program or in its build tree. Returns "" if none does.
std::string installedPath(std::initializer_list<const char*> relative);

// `threads` 0 means as many as the machine has, at most 4.
lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& settings);
// Options for a client that runs its server as a separate process. `served` is the folder that
// `gluond serve` shows and that its server is confined to; it is empty if there is none.
lsp::SupervisorOptions supervisorOptions(unsigned threads, const std::vector<std::string>& settings,
                                         const std::string& served = "");

} // namespace gluond::cli
