// "$/gluond/quarantine", from a supervising process to its worker: a text that ended an earlier
// worker. It is parsed, but not evaluated (driver/workspace/Workspace.h).
#pragma once

#include "driver/workspace/Workspace.h"
#include "lsp/protocol/Rpc.h"

namespace gluond::lsp {

std::string makeQuarantine(const std::string& path, const driver::Quarantined& what);
// Returns false if the notification is another one.
bool takeQuarantine(const Notification& notification, driver::Workspace& workspace);

} // namespace gluond::lsp
