#include "backend/amd/Messages.h"

#include <cerrno>
#include <cstdint>
#include <sys/socket.h>

namespace gluond::backend::amd {

namespace {

bool sendAll(int socket, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    // A closed connection is no reason for a signal.
    ssize_t done = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.drop_front(static_cast<size_t>(done));
  }
  return true;
}

bool receiveAll(int socket, char* bytes, size_t size) {
  while (size > 0) {
    ssize_t got = ::recv(socket, bytes, size, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

} // namespace

bool sendMessage(int socket, llvm::StringRef message) {
  uint64_t size = message.size();
  return sendAll(socket, {reinterpret_cast<const char*>(&size), sizeof(size)}) &&
         sendAll(socket, message);
}

std::optional<std::string> receiveMessage(int socket) {
  uint64_t size = 0;
  if (!receiveAll(socket, reinterpret_cast<char*>(&size), sizeof(size))) return std::nullopt;
  std::string message(size, '\0');
  if (!receiveAll(socket, message.data(), size)) return std::nullopt;
  return message;
}

} // namespace gluond::backend::amd
