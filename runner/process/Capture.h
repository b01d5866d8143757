// Redirects standard output and error of this process away from the client: the driver writes a
// kernel's prints and failed assertions there, and the client's end of standard output carries
// frames.
#pragma once

#include <string>

namespace gluond::runner {

class Capture {
public:
  // From now on everything written to file descriptors 1 and 2 is captured. protocol() is the
  // original standard output.
  Capture();
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int protocol() const { return protocol_; }
  // Returns the output since the last call, at most its first 64 KB.
  std::string take();

private:
  int protocol_ = -1, errors_ = -1, file_ = -1;
};

} // namespace gluond::runner
