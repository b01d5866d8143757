// The shared memory of a program: bytes, and which of them have been written. The memory of each
// CTA of a cluster follows that of the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gluond::simulate {

class SharedMemory {
public:
  // The byte that memory holds before it is written: NaN in every float format.
  static constexpr std::byte garbage{0xff};

  explicit SharedMemory(size_t bytesPerCta = 0, size_t ctas = 1)
      : bytesPerCta_(bytesPerCta), bytes_(bytesPerCta * ctas, garbage),
        written_(bytesPerCta * ctas, false) {}
  size_t size() const { return bytes_.size(); }
  size_t bytesPerCta() const { return bytesPerCta_; }
  // Returns the address of a byte of one CTA's memory.
  uint32_t address(uint32_t cta, uint32_t byte) const {
    return static_cast<uint32_t>(cta * bytesPerCta_ + byte);
  }
  std::byte* data() { return bytes_.data(); }
  const std::byte* data() const { return bytes_.data(); }
  void noteWritten(size_t from, size_t count) { std::memset(written_.data() + from, 1, count); }
  bool isWritten(size_t from, size_t count) const {
    return !std::memchr(written_.data() + from, 0, count);
  }
  // An allocation begins with unknown contents.
  void forget(size_t from, size_t count) {
    std::memset(bytes_.data() + from, static_cast<int>(garbage), count);
    std::memset(written_.data() + from, 0, count);
  }

private:
  size_t bytesPerCta_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<uint8_t> written_; // 1, or 0
};

} // namespace gluond::simulate
