// Standard output and error of this process, turned away from the client: a kernel's prints and
// failed assertions are written there by the driver, and the client's end of standard output
// carries frames.
#pragma once

#include <string>

namespace gluond::runner {

class Capture {
public:
  // From here on what anybody writes to file descriptors 1 and 2 is kept. protocol() is where
  // standard output went before.
  Capture();
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int protocol() const { return protocol_; }
  // What was written since the last call, its first 64 KB.
  std::string take();

private:
  int protocol_ = -1, errors_ = -1, file_ = -1;
};

} // namespace gluond::runner
