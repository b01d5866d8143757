#include "dap/TensorItems.h"

#include "simulate/values/ElementNames.h"

namespace gluond::dap {

using debug::Item;
using driver::SimulatedMemory;
using simulate::Element;

namespace {

constexpr uint64_t previewed = 8;                   // elements in the line of a row
constexpr uint64_t mostShown = uint64_t{1} << 16;   // elements of a tensor whose line is computed
constexpr uint64_t mostCounted = uint64_t{1} << 24; // elements of a tensor that has statistics

Element elementOf(const runner::Dtype& dtype) {
  // Each type of a tensor that a launch gets is one of the simulator's.
  return simulate::elementNamed(dtype.name).value_or(Element::I64);
}

bool isUnsigned(const SimulatedMemory& memory) {
  return memory.shape.dtype->kind == runner::Dtype::Kind::Unsigned;
}

// The part of a tensor whose first coordinates are given.
struct Part {
  const SimulatedMemory* memory = nullptr;
  llvm::SmallVector<int64_t, 4> index;
  uint64_t offset = 0; // of its first element in the storage

  llvm::ArrayRef<int64_t> shape() const {
    return llvm::ArrayRef(memory->shape.shape).drop_front(index.size());
  }
  llvm::ArrayRef<int64_t> strides() const {
    return llvm::ArrayRef(memory->shape.strides).drop_front(index.size());
  }
  uint64_t count() const {
    uint64_t count = 1;
    for (int64_t extent : shape())
      count *= static_cast<uint64_t>(extent);
    return count;
  }
  Part at(uint64_t i) const {
    Part inner = *this;
    inner.index.push_back(static_cast<int64_t>(i));
    inner.offset += i * static_cast<uint64_t>(strides()[0]);
    return inner;
  }
  // Returns the element with this number in row-major order.
  std::string elementText(uint64_t number) const {
    uint64_t place = offset;
    for (size_t d = shape().size(); d-- > 0;) {
      auto extent = static_cast<uint64_t>(shape()[d]);
      place += number % extent * static_cast<uint64_t>(strides()[d]);
      number /= extent;
    }
    const char* data = memory->storage.data() + memory->offset + place * memory->shape.dtype->bytes;
    return debug::elementText(elementOf(*memory->shape.dtype),
                              reinterpret_cast<const std::byte*>(data), isUnsigned(*memory));
  }
};

// Fills in the place of the part, and its parts.
void open(Item& item, const Part& part) {
  const runner::TensorShape& whole = part.memory->shape;
  if (whole.isDense)
    item.spot = debug::Spot{debug::Spot::Kind::Global,
                            part.memory->address + part.offset * whole.dtype->bytes,
                            part.count() * whole.dtype->bytes};
  if (part.shape().empty()) return;
  item.indexed = static_cast<size_t>(part.shape()[0]);
  item.parts = [part](bool isIndexed, size_t first, size_t count) {
    std::vector<Item> items;
    size_t extent = static_cast<size_t>(part.shape()[0]);
    size_t end = std::min(extent, first + std::min(count, extent));
    for (size_t i = first; isIndexed && i < end; ++i) {
      Part inner = part.at(i);
      Item& each = items.emplace_back();
      each.name = "[" + std::to_string(i) + "]";
      open(each, inner);
      if (inner.shape().empty()) {
        each.text = inner.elementText(0);
        continue;
      }
      each.type = debug::typeTextOf(elementOf(*inner.memory->shape.dtype), inner.shape());
      uint64_t size = inner.count();
      for (uint64_t n = 0; n < std::min(size, previewed); ++n)
        each.text += (n ? ", " : "[") + inner.elementText(n);
      each.text += size == 0 ? "[]" : size > previewed ? ", ...]" : "]";
    }
    return items;
  };
}

// The item of a tensor that is copied, for what is computed from all elements.
Item showWhole(const SimulatedMemory& memory, const debug::Look& look) {
  std::string_view storage = memory.storage;
  storage.remove_prefix(memory.offset);
  std::string elements = runner::gather(memory.shape, storage);
  Element element = elementOf(*memory.shape.dtype);
  simulate::Shape shape(memory.shape.shape.begin(), memory.shape.shape.end());
  auto tensor = std::make_shared<simulate::Tensor>(element, shape);
  std::memcpy(tensor->data(), elements.data(), std::min(elements.size(), tensor->bytes()));
  std::string type = (isUnsigned(memory) ? "u" : "") + debug::typeTextOf(element, shape);
  return look.show(memory.name, "", {simulate::TensorRef(tensor), {}, type, {}});
}

} // namespace

Item itemOf(const SimulatedMemory& memory, const debug::Look& look) {
  Item item;
  item.name = memory.name;
  item.type = debug::typeTextOf(elementOf(*memory.shape.dtype), memory.shape.shape);
  item.text = memory.shape.elements <= mostShown ? showWhole(memory, look).text : item.type;
  open(item, {&memory, {}, 0});
  if (!item.spot)
    item.spot = debug::Spot{debug::Spot::Kind::Global, memory.address, memory.storage.size()};
  if (!item.parts || memory.shape.elements > mostCounted) return item;
  item.named = 1;
  item.parts = [indexed = item.parts, &memory, look](bool isIndexed, size_t first, size_t count) {
    if (isIndexed) return indexed(true, first, count);
    Item whole = showWhole(memory, look);
    return whole.parts ? whole.parts(false, 0, SIZE_MAX) : std::vector<Item>();
  };
  return item;
}

} // namespace gluond::dap
