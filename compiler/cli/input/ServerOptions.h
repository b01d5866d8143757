// How the servers are set up: `gluond lsp`, `gluond serve`, `gluond mcp`, `gluond dap`.
#pragma once

#include "cli/input/Commands.h"
#include "lsp/server/Server.h"
#include "lsp/supervisor/Supervisor.h"

#include <initializer_list>
#include <string>

namespace gluond::cli {

// Returns the absolute path of the first of these paths, relative to the program's folder, that
// exists: beside an installed program or in its build tree. Returns "" if none does.
std::string installedPath(std::initializer_list<const char*> relative);

// Reserves standard output for the protocol: other output goes to standard error. Returns the
// descriptor to write to.
int takeOutput();

// Call it first in a worker process: it ends with the process that watches it, and notes there what
// it works on. Returns nullopt if there is nowhere to note it.
std::optional<CurrentWork> beginWork(const WorkerOptions& options);

// `threads` 0 means as many as the machine has, at most 4.
lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& settings);
// Options for a client that runs its server as a separate process. `served` is the folder that
// `gluond serve` shows and that its server is confined to; it is empty if there is none.
lsp::SupervisorOptions supervisorOptions(unsigned threads, const std::vector<std::string>& settings,
                                         const std::string& served = "");

// The same for `gluond mcp`; `folder` is the absolute path of its folder.
lsp::SupervisorOptions supervisorOptions(const ToolOptions& tools, const std::string& folder);

} // namespace gluond::cli
