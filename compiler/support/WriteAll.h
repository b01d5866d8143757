// Writes to a blocking file descriptor.
#pragma once

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace gluond {

// Returns false if not everything could be written; errno says why.
inline bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return true;
}

} // namespace gluond
