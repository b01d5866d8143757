// How many findings of a file get fixes that are looked for in the whole file: names that are like
// a misspelt one, places where an import belongs.
#pragma once

#include <algorithm>
#include <cstddef>

namespace gluond::driver {

class Advice {
public:
  // Nobody reads hundreds of them; in a large file, where each takes long, there are fewer.
  explicit Advice(size_t bytesOfFile)
      : left_(std::clamp(mostRead / (bytesOfFile + 1), least, most)) {}
  // Whether there may be one more.
  bool take() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }

private:
  static constexpr size_t most = 200, least = 4, mostRead = size_t{8} << 20;
  size_t left_;
};

} // namespace gluond::driver
