// Finds the places of the elements of a view of shared memory under its real encoding.
//
// Encodings are linear over bits, so the place of an element of a view is the place that it has in
// a view from the buffer's beginning, xor-ed with the place at which this view begins. In a cluster
// a place has the number of its CTA, too; an element may lie in several CTAs.
#pragma once

#include "ir/ttg/Types.h"
#include "layout/access/Padding.h"
#include "simulate/memory/Bytes.h"
#include "simulate/memory/SharedMemory.h"
#include "simulate/values/Value.h"

#include <tl/expected.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace gluond::simulate {

class SharedPlaces {
public:
  Element element() const { return element_; }
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  size_t count() const { return offsets_.size(); }
  size_t bytes() const { return offsets_.size() * bytesOf(element_); }
  // The first byte of element `index` in row-major order of the view.
  size_t at(const SharedMemory& memory, const View& view, size_t index) const {
    Begin begin = beginOf(view);
    return ctaOf(begin, index) * memory.bytesPerCta() +
           byteOf(view, (offsets_[index] ^ begin.flipped) + begin.skipped);
  }
  // The CTA of an element of a view that begins with the first one of its buffer.
  uint32_t ctaAt(size_t index) const { return ctas_.empty() ? 0 : ctas_[index]; }
  // Bits of a CTA's number that tell copies of the same elements apart.
  uint32_t copies() const { return copies_; }
  // Calls visit(byte) for each copy of what lies `from`.
  template <class Visit>
  void forEachCopy(const SharedMemory& memory, size_t from, Visit visit) const {
    for (uint32_t subset = copies_;; subset = (subset - 1) & copies_) {
      visit(from + subset * memory.bytesPerCta());
      if (!subset) break;
    }
  }
  // The CTAs that have elements of the view, copies included, as a mask.
  uint32_t ctas(const View& view) const;
  // Bytes of the whole allocation in one CTA, and from it to the next one in an array of them.
  int64_t allocatedBytes() const;
  int64_t stageBytes() const;
  // Bytes from the beginning of the buffer to that of the view, where it begins with whole rows.
  size_t beginBytes(const View& view) const {
    Begin begin = beginOf(view);
    return byteOf(view, begin.flipped + begin.skipped);
  }

  // The bytes that it takes. `alloc`: the number of its allocation.
  Bytes touched(const SharedMemory& memory, const View& view, uint32_t alloc) const;
  // Whether all of the view is in shared memory.
  bool fits(const View& view, const SharedMemory& memory) const;
  void load(const SharedMemory& memory, const View& view, std::byte* elements) const;
  void store(SharedMemory& memory, const View& view, const std::byte* elements) const;
  // Whether every byte was written.
  bool isWritten(const SharedMemory& memory, const View& view) const;

private:
  friend tl::expected<std::shared_ptr<const SharedPlaces>, std::string>
  makePlaces(ttg::MemDescType type);
  struct Begin {
    uint32_t flipped = 0, skipped = 0; // bits within a stage, elements of whole stages
    uint32_t cta = 0;
  };
  uint32_t ctaOf(const Begin& begin, size_t index) const {
    return ctas_.empty() ? 0 : ctas_[index] ^ begin.cta;
  }
  Begin beginOf(const View& view) const;
  size_t byteOf(const View& view, uint32_t offset) const {
    size_t padded = offset;
    for (size_t i = 0; i < padding_.intervals.size(); ++i)
      padded += size_t{offset / static_cast<uint32_t>(padding_.intervals[i])} *
                static_cast<size_t>(padding_.paddings[i]);
    return view.base + padded * bytesOf(element_);
  }
  template <class Visit>
  void forEachRun(const SharedMemory& memory, const View& view, Visit visit) const;

  Element element_ = Element::I8;
  Shape shape_;
  std::vector<uint32_t> offsets_; // in elements
  std::vector<uint8_t> ctas_;     // empty if all are in the first
  // For each dimension of the view, the offset of each bit of its coordinate. For a dimension that
  // the encoding does not describe, `skips_` has the elements that a step skips.
  std::vector<std::vector<uint32_t>> bits_, ctaBits_;
  std::vector<uint32_t> skips_;
  layout::Padding padding_;
  uint32_t extent_ = 1; // elements of the whole allocation, as far as views may reach
  uint32_t copies_ = 0;
  uint32_t run_ = 1; // elements that lie one after the other, from an offset that they divide
  // Runs of bytes that were asked for, by where a view begins: relative to whole stages where there
  // is no padding.
  mutable std::mutex mutex_;
  mutable std::map<std::array<uint64_t, 3>, std::shared_ptr<const Bytes::Runs>> runs_;
};
using PlacesRef = std::shared_ptr<const SharedPlaces>;

// The error says why the places are not known.
tl::expected<PlacesRef, std::string> makePlaces(ttg::MemDescType type);

} // namespace gluond::simulate
