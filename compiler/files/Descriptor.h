// A file descriptor that closes itself.
#pragma once

#include <unistd.h>
#include <utility>

namespace gluond::files {

class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release() { return std::exchange(number_, -1); }
  // Returns false if written data may have been lost.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

private:
  void reset() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  int number_;
};

} // namespace gluond::files
