// Messages between gluond and gluond-amdgpu over a connected pair of sockets.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace gluond::backend::amd {

// Returns false if the other side has gone.
bool sendMessage(int socket, llvm::StringRef message);
// Waits for a message. Returns nothing if the other side has gone.
std::optional<std::string> receiveMessage(int socket);

} // namespace gluond::backend::amd
