#include "simulate/memory/SharedPlaces.h"

#include "ir/layouts/Layouts.h"

#include <algorithm>
#include <cstring>

namespace gluond::simulate {

using layout::Dim;

tl::expected<PlacesRef, std::string> makePlaces(ttg::MemDescType type) {
  using Error = tl::unexpected<std::string>;
  auto element = elementOf(type.getElementType());
  if (!element) return Error("the simulator does not know buffers of this element type");
  const layout::Layout& encoding = ir::toLayout(type.getEncoding());
  if (!encoding.isShared()) return Error("the simulator does not know this layout of a buffer");
  layout::LinearLayout linear = ir::toLinearLayout(type);
  auto inverse = linear.pseudoInvert();
  if (!inverse || type.getRank() > static_cast<int64_t>(mostDimensions))
    return Error("the layout of the buffer does not hold all of its elements");
  auto places = std::make_shared<SharedPlaces>();
  places->element_ = *element;
  places->shape_.assign(type.getShape().begin(), type.getShape().end());
  const auto* parts = encoding.as<layout::PartitionedShared>();
  places->padding_ = layout::paddingOf(parts ? parts->partitionLayout : encoding);
  if (linear.hasIn(Dim::Block))
    places->copies_ = static_cast<uint32_t>(linear.freeMask(Dim::Block));
  size_t rank = places->shape_.size(), described = linear.outs().size();
  size_t before = rank - std::min(rank, described);
  // Several buffers of AMD's partitioned layouts lie one after the other. Padding would move what
  // follows a part, so a part takes whole intervals.
  auto part = static_cast<uint32_t>(linear.inSize(Dim::Offset));
  for (int64_t interval : places->padding_.intervals)
    part = std::max(part, static_cast<uint32_t>(interval));
  auto count =
      linear.hasIn(Dim::Partition) ? static_cast<uint32_t>(linear.inSize(Dim::Partition)) : 1;
  // Returns where bit `bit` of a coordinate leads.
  auto placeOf = [&](Dim dim, unsigned bit) {
    auto at = [&](Dim out) {
      return inverse->hasOut(out) ? static_cast<uint32_t>(inverse->basis(dim, bit, out)) : 0;
    };
    return std::pair(at(Dim::Offset) + at(Dim::Partition) * part, at(Dim::Block));
  };
  // Stages in front of what the encoding describes: one whole buffer after the other.
  places->skips_.assign(rank, 0);
  auto skip = count > 1 ? part * count : static_cast<uint32_t>(linear.inSize(Dim::Offset));
  places->extent_ = skip;
  for (size_t d = before; d-- > 0;) {
    places->skips_[d] = skip;
    skip *= static_cast<uint32_t>(type.getAllocShape()[d]);
  }
  for (size_t d = 0; d < before; ++d)
    places->extent_ *= static_cast<uint32_t>(places->shape_[d]);
  places->bits_.resize(rank);
  places->ctaBits_.resize(rank);
  for (size_t d = before; d < rank; ++d) {
    Dim dim = layout::tensorDim(static_cast<unsigned>(d - before));
    for (unsigned bit = 0; bit < inverse->inBits(dim); ++bit) {
      auto [offset, cta] = placeOf(dim, bit);
      places->bits_[d].push_back(offset);
      places->ctaBits_[d].push_back(cta);
    }
  }
  bool isSpread = linear.hasIn(Dim::Block) && linear.inSize(Dim::Block) > 1;
  places->offsets_ = {0};
  if (isSpread) places->ctas_ = {0};
  // Row-major: the elements of a dimension, for each of those before it.
  for (size_t d = 0; d < rank; ++d) {
    std::vector<uint32_t> more;
    std::vector<uint8_t> moreCtas;
    more.reserve(places->offsets_.size() * static_cast<size_t>(places->shape_[d]));
    for (size_t k = 0; k < places->offsets_.size(); ++k)
      for (int64_t i = 0; i < places->shape_[d]; ++i) {
        uint32_t at = places->offsets_[k], cta = isSpread ? places->ctas_[k] : 0;
        if (d < before) {
          at += static_cast<uint32_t>(i) * places->skips_[d];
        } else {
          for (size_t bit = 0; bit < places->bits_[d].size(); ++bit)
            if (i >> bit & 1) {
              at ^= places->bits_[d][bit];
              cta ^= places->ctaBits_[d][bit];
            }
        }
        more.push_back(at);
        if (isSpread) moreCtas.push_back(static_cast<uint8_t>(cta));
      }
    places->offsets_ = std::move(more);
    places->ctas_ = std::move(moreCtas);
  }
  // The longest power of two of elements that are copied as one.
  auto isRun = [&](uint32_t length) {
    if (places->offsets_.size() % length) return false;
    for (int64_t interval : places->padding_.intervals)
      if (interval % length) return false;
    for (size_t i = 0; i < places->offsets_.size(); i += length) {
      if (places->offsets_[i] % length) return false;
      for (uint32_t k = 1; k < length; ++k)
        if (places->offsets_[i + k] != places->offsets_[i] + k ||
            (isSpread && places->ctas_[i + k] != places->ctas_[i]))
          return false;
    }
    return true;
  };
  while (places->run_ * bytesOf(*element) < 4096 && isRun(places->run_ * 2))
    places->run_ *= 2;
  return places;
}

SharedPlaces::Begin SharedPlaces::beginOf(const View& view) const {
  Begin begin;
  for (size_t d = 0; d < shape_.size(); ++d) {
    auto at = static_cast<uint32_t>(view.begin[d]);
    begin.skipped += at * skips_[d];
    for (size_t bit = 0; bit < bits_[d].size(); ++bit)
      if (at >> bit & 1) {
        begin.flipped ^= bits_[d][bit];
        begin.cta ^= ctaBits_[d][bit];
      }
  }
  return begin;
}

int64_t SharedPlaces::allocatedBytes() const {
  return static_cast<int64_t>(byteOf(View(), extent_ - 1) + bytesOf(element_));
}

int64_t SharedPlaces::stageBytes() const {
  return static_cast<int64_t>(byteOf(View(), extent_));
}

uint32_t SharedPlaces::ctas(const View& view) const {
  uint32_t mask = 0;
  Begin begin = beginOf(view);
  if (ctas_.empty()) mask = 1;
  for (size_t i = 0; i < ctas_.size(); ++i)
    mask |= 1u << ctaOf(begin, i);
  for (uint32_t bit = 1; bit <= copies_; bit <<= 1)
    if (copies_ & bit) mask |= mask << bit;
  return mask;
}

template <class Visit>
void SharedPlaces::forEachRun(const SharedMemory& memory, const View& view, Visit visit) const {
  Begin begin = beginOf(view);
  uint32_t run = run_;
  while (begin.flipped % run)
    run /= 2;
  size_t bytes = size_t{run} * bytesOf(element_);
  for (size_t i = 0; i < offsets_.size(); i += run)
    visit(ctaOf(begin, i) * memory.bytesPerCta() +
              byteOf(view, (offsets_[i] ^ begin.flipped) + begin.skipped),
          i * bytesOf(element_), bytes);
}

Bytes SharedPlaces::touched(const SharedMemory& memory, const View& view, uint32_t alloc) const {
  Begin begin = beginOf(view);
  bool isPadded = !padding_.intervals.empty();
  uint64_t origin = isPadded ? 0 : byteOf(view, begin.skipped);
  std::array<uint64_t, 3> key = {begin.flipped, begin.cta,
                                 isPadded ? byteOf(view, begin.skipped) + 1 : 0};
  std::shared_ptr<const Bytes::Runs> runs;
  {
    std::lock_guard lock(mutex_);
    if (auto found = runs_.find(key); found != runs_.end()) runs = found->second;
  }
  if (!runs) {
    Bytes::Runs all;
    forEachRun(memory, view, [&](size_t at, size_t, size_t bytes) {
      forEachCopy(memory, at,
                  [&](size_t copy) { all.push_back({copy - origin, copy - origin + bytes}); });
    });
    runs = Bytes::runsOf(std::move(all));
    std::lock_guard lock(mutex_);
    runs_[key] = runs;
  }
  Bytes bytes = Bytes::range(alloc, runs->front().from + origin, runs->back().to + origin);
  if (runs->size() > 1) {
    bytes.runs = std::move(runs);
    bytes.origin = origin;
  }
  return bytes;
}

bool SharedPlaces::fits(const View& view, const SharedMemory& memory) const {
  return byteOf(view, extent_ - 1 + beginOf(view).skipped) + bytesOf(element_) <=
         memory.bytesPerCta();
}

void SharedPlaces::load(const SharedMemory& memory, const View& view, std::byte* elements) const {
  const std::byte* from = memory.data();
  forEachRun(memory, view, [&](size_t at, size_t element, size_t bytes) {
    if (bytes == 16)
      std::memcpy(elements + element, from + at, 16);
    else
      std::memcpy(elements + element, from + at, bytes);
  });
}

void SharedPlaces::store(SharedMemory& memory, const View& view, const std::byte* elements) const {
  std::byte* to = memory.data();
  forEachRun(memory, view, [&](size_t first, size_t element, size_t bytes) {
    forEachCopy(memory, first, [&](size_t at) {
      if (bytes == 16)
        std::memcpy(to + at, elements + element, 16);
      else
        std::memcpy(to + at, elements + element, bytes);
      memory.noteWritten(at, bytes);
    });
  });
}

bool SharedPlaces::isWritten(const SharedMemory& memory, const View& view) const {
  bool isWritten = true;
  forEachRun(memory, view, [&](size_t at, size_t, size_t bytes) {
    isWritten = isWritten && memory.isWritten(at, bytes);
  });
  return isWritten;
}

} // namespace gluond::simulate
