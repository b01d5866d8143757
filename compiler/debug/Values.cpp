#include "debug/Values.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Types.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/MemorySpace.h"
#include "ir/ttng/TensorMemory.h"
#include "simulate/values/ElementNames.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::debug {

using namespace simulate;

namespace {

constexpr size_t previewed = 8; // elements in the line of a tensor

bool isUnsigned(llvm::StringRef typeText) {
  return typeText.contains("uint") || typeText.contains("u8") || typeText.contains("u16") ||
         typeText.contains("u32") || typeText.contains("u64");
}

bool isPointer(mlir::Type type) {
  if (!type) return false;
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) type = tensor.getElementType();
  return llvm::isa<tt::PointerType>(type);
}

// How the elements of a tensor are written.
struct Writing {
  Element element;
  bool isUnsigned = false;
  const Machine* pointers = nullptr; // elements are addresses in its memory
  std::string operator()(const std::byte* at) const {
    if (!pointers) return elementText(element, at, isUnsigned);
    uint64_t address;
    std::memcpy(&address, at, sizeof address);
    auto place = pointers->memory().placeOf(address);
    if (!place) return pointers->describe(address);
    std::string text(place->name);
    return place->offset ? text + " + " + std::to_string(place->offset) + " bytes" : text;
  }
};

Writing writingOf(const Datum& datum, const Machine& machine, Element element) {
  return {element, isUnsigned(datum.typeText), isPointer(datum.type) ? &machine : nullptr};
}

std::string indexText(llvm::ArrayRef<int64_t> index) {
  std::string text = "[";
  for (size_t d = 0; d < index.size(); ++d)
    text += (d ? ", " : "") + std::to_string(index[d]);
  return text + "]";
}

// ---------------------------------------------------------------- tensors

std::string preview(const Tensor& tensor, const Writing& writing) {
  std::string text = "[";
  unsigned bytes = bytesOf(tensor.element());
  for (size_t i = 0; i < std::min(tensor.count(), previewed); ++i)
    text += (i ? ", " : "") + writing(tensor.data() + i * bytes);
  if (tensor.count() > previewed) text += ", ...";
  text += "]";
  if (!isFloat(tensor.element())) return text;
  size_t nans = 0;
  for (size_t i = 0; i < tensor.count(); ++i)
    nans += std::isnan(numberAt(tensor.element(), tensor.data() + i * bytes));
  if (nans) text += " with " + std::to_string(nans) + " NaN";
  return text;
}

// The part of a tensor whose first coordinates are given, from element `offset` on.
struct Part {
  TensorRef tensor;
  Writing writing;
  std::string expression; // of the whole
  llvm::SmallVector<int64_t, 4> index;
  size_t offset = 0;
};

Item itemOf(const Part& part);

std::vector<Item> partsOf(const Part& part, size_t first, size_t count) {
  llvm::ArrayRef<int64_t> shape = part.tensor->shape();
  size_t depth = part.index.size();
  std::vector<Item> items;
  if (depth == shape.size()) return items;
  auto extent = static_cast<size_t>(shape[depth]);
  size_t stride = 1;
  for (size_t d = depth + 1; d < shape.size(); ++d)
    stride *= static_cast<size_t>(shape[d]);
  size_t end = std::min(extent, first + std::min(count, extent));
  for (size_t i = first; i < end; ++i) {
    Part inner = part;
    inner.index.push_back(static_cast<int64_t>(i));
    inner.offset += i * stride;
    items.push_back(itemOf(inner));
  }
  return items;
}

Item itemOf(const Part& part) {
  llvm::ArrayRef<int64_t> shape = part.tensor->shape();
  Item item;
  item.name = "[" + std::to_string(part.index.back()) + "]";
  std::string at = indexText(part.index);
  if (part.index.size() < shape.size()) at.back() = ',', at += " :]";
  if (!part.expression.empty()) item.expression = part.expression + at;
  unsigned bytes = bytesOf(part.tensor->element());
  if (part.index.size() == shape.size()) {
    item.text = part.writing(part.tensor->data() + part.offset * bytes);
    return item;
  }
  llvm::ArrayRef<int64_t> rest = shape.drop_front(part.index.size());
  item.type = typeTextOf(part.tensor->element(), rest);
  size_t size = 1;
  for (int64_t extent : rest)
    size *= static_cast<size_t>(extent);
  item.text = "[";
  for (size_t i = 0; i < std::min(size, previewed); ++i)
    item.text += (i ? ", " : "") + part.writing(part.tensor->data() + (part.offset + i) * bytes);
  item.text += size > previewed ? ", ...]" : "]";
  item.indexed = static_cast<size_t>(rest[0]);
  item.parts = [part](bool isIndexed, size_t first, size_t count) {
    return isIndexed ? partsOf(part, first, count) : std::vector<Item>();
  };
  return item;
}

// The holders of the elements: warps, in them lanes, in these registers.
std::vector<Item> distribution(const Part& whole, mlir::RankedTensorType type) {
  const layout::LinearLayout& linear = ir::toLinearLayout(type);
  std::vector<Item> items;
  if (!linear.valid()) return items;
  using layout::Dim;
  auto size = [&](Dim dim) { return linear.hasIn(dim) ? linear.inSize(dim) : 1; };
  llvm::SmallVector<int64_t, 4> strides(type.getRank(), 1);
  for (int64_t d = type.getRank() - 1; d-- > 0;)
    strides[static_cast<size_t>(d)] =
        strides[static_cast<size_t>(d) + 1] * type.getShape()[static_cast<size_t>(d) + 1];
  auto registers = [whole, linear, strides](int64_t warp, int64_t lane, size_t first,
                                            size_t count) {
    std::vector<Item> all;
    unsigned bytes = bytesOf(whole.tensor->element());
    auto end = std::min<size_t>(static_cast<size_t>(linear.inSize(Dim::Register)),
                                first + std::min<size_t>(count, 1 << 20));
    for (size_t r = first; r < end; ++r) {
      llvm::SmallVector<layout::LinearLayout::Place, 3> place{{Dim::Register, r}};
      if (linear.hasIn(Dim::Lane)) place.push_back({Dim::Lane, static_cast<uint64_t>(lane)});
      if (linear.hasIn(Dim::Warp)) place.push_back({Dim::Warp, static_cast<uint64_t>(warp)});
      layout::Coordinates at = linear.apply(place);
      llvm::SmallVector<int64_t, 4> index(at.begin(), at.end());
      size_t offset = 0;
      for (size_t d = 0; d < index.size(); ++d)
        offset += static_cast<size_t>(index[d] * strides[d]);
      Item item;
      item.name = "register " + std::to_string(r);
      item.text = indexText(index) + " = " + whole.writing(whole.tensor->data() + offset * bytes);
      if (!whole.expression.empty()) item.expression = whole.expression + indexText(index);
      all.push_back(std::move(item));
    }
    return all;
  };
  auto count = static_cast<size_t>(size(Dim::Register));
  auto lanes = [registers, count, most = static_cast<size_t>(size(Dim::Lane))](
                   int64_t warp, size_t first, size_t wanted) {
    std::vector<Item> all;
    for (size_t lane = first; lane < std::min(most, first + std::min(wanted, most)); ++lane) {
      Item item;
      item.name = "lane " + std::to_string(lane);
      item.text = std::to_string(count) + " registers";
      item.indexed = count;
      item.parts = [=](bool isIndexed, size_t from, size_t number) {
        return isIndexed ? registers(warp, static_cast<int64_t>(lane), from, number)
                         : std::vector<Item>();
      };
      all.push_back(std::move(item));
    }
    return all;
  };
  for (int64_t warp = 0; warp < size(Dim::Warp); ++warp) {
    Item item;
    item.name = "warp " + std::to_string(warp);
    item.text = std::to_string(size(Dim::Lane)) + " lanes";
    item.indexed = static_cast<size_t>(size(Dim::Lane));
    item.parts = [=](bool isIndexed, size_t first, size_t wanted) {
      return isIndexed ? lanes(warp, first, wanted) : std::vector<Item>();
    };
    items.push_back(std::move(item));
  }
  return items;
}

Item statistics(const Tensor& tensor) {
  double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
  size_t nans = 0, infinities = 0, zeros = 0;
  unsigned bytes = bytesOf(tensor.element());
  for (size_t i = 0; i < tensor.count(); ++i) {
    double number = numberAt(tensor.element(), tensor.data() + i * bytes);
    if (std::isnan(number)) {
      ++nans;
      continue;
    }
    infinities += std::isinf(number);
    zeros += number == 0;
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
  }
  Item item;
  item.name = "statistics";
  llvm::raw_string_ostream out(item.text);
  if (nans < tensor.count())
    out << llvm::format("min %g, max %g, mean %g", least, most,
                        sum / static_cast<double>(tensor.count() - nans));
  out << (nans < tensor.count() ? ", " : "") << zeros << " zeros, " << nans << " NaN, "
      << infinities << " infinite";
  return item;
}

void showTensor(Item& item, const Datum& datum, const TensorRef& tensor, const Machine& machine) {
  Part whole{tensor, writingOf(datum, machine, tensor->element()), item.expression, {}, 0};
  item.text = preview(*tensor, whole.writing);
  if (item.type.empty()) item.type = typeTextOf(tensor->element(), tensor->shape());
  if (tensor->shape().empty()) return;
  auto type = llvm::dyn_cast_or_null<mlir::RankedTensorType>(datum.type);
  bool isNumeric = !whole.writing.pointers;
  item.indexed = static_cast<size_t>(tensor->shape()[0]);
  item.named = (type ? 1 : 0) + (isNumeric ? 1 : 0);
  item.parts = [whole, type, isNumeric](bool isIndexed, size_t first, size_t count) {
    if (isIndexed) return partsOf(whole, first, count);
    std::vector<Item> items;
    if (isNumeric) items.push_back(statistics(*whole.tensor));
    if (type) {
      Item threads;
      threads.name = "by warp, lane and register";
      threads.named = 1;
      threads.parts = [whole, type](bool indexed, size_t, size_t) {
        return indexed ? std::vector<Item>() : distribution(whole, type);
      };
      items.push_back(std::move(threads));
    }
    return items;
  };
}

std::string rawText(const std::byte* bytes, size_t count) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (size_t i = 0; i < count; ++i)
    out << (i && i % 4 == 0 ? " " : "") << llvm::format("%02x", static_cast<unsigned>(bytes[i]));
  return text;
}

} // namespace

std::string typeTextOf(Element element, llvm::ArrayRef<int64_t> shape) {
  std::string text = simulate::nameOf(element).str();
  if (shape.empty()) return text;
  return text + indexText(shape);
}

std::string elementText(Element element, const std::byte* at, bool isUnsigned) {
  if (element == Element::I1) return static_cast<uint8_t>(*at) & 1 ? "True" : "False";
  if (!isFloat(element)) {
    int64_t number = integerAt(element, at);
    unsigned bits = 8 * bytesOf(element);
    if (!isUnsigned) return std::to_string(number);
    auto plain = static_cast<uint64_t>(number);
    return std::to_string(bits == 64 ? plain : plain & ((uint64_t(1) << bits) - 1));
  }
  double number = numberAt(element, at);
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(element == Element::F64 ? "%.17g" : "%.9g",
                                                 number);
  // The shortest text that is the same number.
  for (int digits = 1; digits < 17; ++digits) {
    std::string shorter;
    llvm::raw_string_ostream(shorter) << llvm::format("%.*g", digits, number);
    double back = std::strtod(shorter.c_str(), nullptr);
    std::byte stored[8] = {};
    storeNumber(element, back, stored);
    if (std::memcmp(stored, at, bytesOf(element)) == 0) {
      text = shorter;
      break;
    }
  }
  return text.find_first_of(".eni") == std::string::npos ? text + ".0" : text;
}

std::string Look::describe(const Barrier& barrier, uint32_t address) const {
  std::string text = "phase " + std::to_string(barrier.phase) + ": " +
                     std::to_string(barrier.pending) + " of " + std::to_string(barrier.count) +
                     " arrivals";
  if (barrier.bytes != 0) text += " and " + std::to_string(barrier.bytes) + " bytes";
  text += " pending";
  for (const Thread& thread : state_.threads)
    if (!thread.isFinished && thread.blockedAt && thread.waiting &&
        thread.waiting->barrier == address)
      text += "; " + thread.who() + " waits for parity " + std::to_string(thread.waiting->parity);
  return text;
}

std::optional<Datum> Look::index(const Datum& buffer, int64_t index) const {
  auto type = llvm::dyn_cast_or_null<ttg::MemDescType>(buffer.type);
  const auto* view = std::get_if<View>(&buffer.value);
  if (!type || !view || type.getRank() < 2 || index < 0 || index >= type.getShape()[0])
    return std::nullopt;
  auto shape = type.getShape().drop_front();
  auto one = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(),
                                   type.getMemorySpace(), type.getMutableMemory(), shape);
  int64_t bytes = 0;
  if (ttng::isTensorMemory(type)) {
    bytes = 4 * ttng::getTmemAllocSizes(one).numCols;
  } else {
    auto places = makePlaces(one);
    if (!places) return std::nullopt;
    bytes = (*places)->stageBytes();
  }
  View at = *view;
  at.base += static_cast<uint32_t>((index + at.begin[0]) * bytes);
  std::copy(at.begin.begin() + 1, at.begin.end(), at.begin.begin());
  at.begin.back() = 0;
  return Datum{at, one, {}, {}};
}

tl::expected<Datum, std::string> Look::load(const Datum& buffer) const {
  auto type = llvm::dyn_cast_or_null<ttg::MemDescType>(buffer.type);
  const auto* view = std::get_if<View>(&buffer.value);
  if (!type || !view) return tl::unexpected<std::string>("it is no buffer");
  if (view->isOutside())
    return tl::unexpected("it has index " + std::to_string(view->index) + " of " +
                          std::to_string(view->count));
  auto read = [&](const auto& places,
                  const SharedMemory& memory) -> tl::expected<Datum, std::string> {
    if (!places) return tl::unexpected(places.error());
    if (!(*places)->fits(*view, memory))
      return tl::unexpected<std::string>("it reaches beyond its buffer");
    auto tensor = std::make_shared<Tensor>((*places)->element(), (*places)->shape());
    (*places)->load(memory, *view, tensor->data());
    return Datum{TensorRef(tensor), {}, typeTextOf(tensor->element(), tensor->shape()), {}};
  };
  return ttng::isTensorMemory(type) ? read(makeTensorPlaces(type), state_.tensorMemory)
                                    : read(makePlaces(type), state_.shared);
}

std::vector<std::string> Look::elements(const Datum& datum) const {
  const Tensor& tensor = *std::get<TensorRef>(datum.value);
  Writing writing = writingOf(datum, machine_, tensor.element());
  std::vector<std::string> texts;
  for (size_t i = 0; i < tensor.count(); ++i)
    texts.push_back(writing(tensor.data() + i * bytesOf(tensor.element())));
  return texts;
}

std::optional<Spot> Look::spotOf(const Datum& buffer, std::optional<size_t> index) const {
  auto type = llvm::dyn_cast_or_null<ttg::MemDescType>(buffer.type);
  const auto* view = std::get_if<View>(&buffer.value);
  if (!type || !view || view->isOutside() || ttng::isTensorMemory(type)) return std::nullopt;
  if (!index && state_.barriers.contains(view->base))
    return Spot{Spot::Kind::Barrier, view->base, 8};
  auto places = makePlaces(type);
  if (!places || !(*places)->fits(*view, state_.shared)) return std::nullopt;
  unsigned bytes = bytesOf((*places)->element());
  if (index) {
    if (*index >= (*places)->count()) return std::nullopt;
    return Spot{Spot::Kind::Shared, (*places)->at(state_.shared, *view, *index), bytes};
  }
  size_t least = SIZE_MAX, most = 0;
  for (size_t i = 0; i < (*places)->count(); ++i) {
    size_t at = (*places)->at(state_.shared, *view, i);
    least = std::min(least, at);
    most = std::max(most, at + bytes);
  }
  return Spot{Spot::Kind::Shared, least, most - least};
}

std::string Look::textOf(const Datum& datum) const {
  return show({}, {}, datum).text;
}

Item Look::show(std::string name, std::string expression, const Datum& datum) const {
  Item item;
  item.name = std::move(name);
  item.expression = std::move(expression);
  item.type = datum.typeText;
  if (datum.parts) {
    showParts(item, datum);
    return item;
  }
  if (!datum.text.empty()) {
    item.text = datum.text;
    return item;
  }
  if (const auto* scalar = std::get_if<Scalar>(&datum.value)) {
    item.text = writingOf(datum, machine_,
                          scalar->element)(reinterpret_cast<const std::byte*>(&scalar->bits));
    if (item.type.empty()) item.type = typeTextOf(scalar->element, {});
  } else if (const auto* tensor = std::get_if<TensorRef>(&datum.value)) {
    showTensor(item, datum, *tensor, machine_);
  } else if (const auto* view = std::get_if<View>(&datum.value)) {
    auto type = llvm::dyn_cast_or_null<ttg::MemDescType>(datum.type);
    bool isShared = type && !ttng::isTensorMemory(type);
    item.spot = spotOf(datum, std::nullopt);
    if (auto barrier = state_.barriers.find(view->base);
        isShared && barrier != state_.barriers.end() && type.getShape().back() == 1 &&
        (type.getRank() == 1 || type.getShape()[0] == 1)) {
      item.text = describe(barrier->second, view->base);
      return item;
    }
    item.text = (isShared ? "shared memory at byte " : "tensor memory at byte ") +
                std::to_string(view->base);
    if (!type) return item;
    auto encoding = llvm::dyn_cast_or_null<ttg::LayoutEncodingTrait>(type.getEncoding());
    bool isStaged = encoding && type.getRank() > static_cast<int64_t>(encoding.getRank());
    if (isStaged) {
      item.indexed = static_cast<size_t>(type.getShape()[0]);
      item.parts = [look = *this, datum, base = item.expression](bool isIndexed, size_t first,
                                                                 size_t count) {
        std::vector<Item> all;
        size_t extent = static_cast<size_t>(llvm::cast<ttg::MemDescType>(datum.type).getShape()[0]);
        for (size_t i = first; isIndexed && i < std::min(extent, first + std::min(count, extent));
             ++i)
          if (auto stage = look.index(datum, static_cast<int64_t>(i)))
            all.push_back(look.show("index(" + std::to_string(i) + ")",
                                    base + ".index(" + std::to_string(i) + ")", *stage));
        return all;
      };
      return item;
    }
    auto contents = load(datum);
    if (!contents) {
      item.text += " (" + contents.error() + ")";
      return item;
    }
    auto tensor = std::get<TensorRef>(contents->value);
    Part whole{tensor, writingOf(datum, machine_, tensor->element()), item.expression, {}, 0};
    item.text += ": " + preview(*tensor, whole.writing);
    item.indexed = static_cast<size_t>(tensor->shape()[0]);
    item.named = 1;
    std::string raw = item.spot && item.spot->kind == Spot::Kind::Shared
                          ? rawText(state_.shared.data() + item.spot->address,
                                    std::min<size_t>(item.spot->bytes, 64))
                          : "";
    bool isWritten = !item.spot || item.spot->kind != Spot::Kind::Shared ||
                     state_.shared.isWritten(item.spot->address, item.spot->bytes);
    item.parts = [whole, raw, isWritten](bool isIndexed, size_t first, size_t count) {
      if (isIndexed) return partsOf(whole, first, count);
      std::vector<Item> named{statistics(*whole.tensor)};
      if (!raw.empty()) {
        Item bytes;
        bytes.name = "bytes";
        bytes.text = raw + (isWritten ? "" : " (not all of them were written)");
        named.push_back(std::move(bytes));
      }
      return named;
    };
  } else if (const auto* descriptor = std::get_if<DescriptorRef>(&datum.value)) {
    if (*descriptor)
      item.text = "descriptor of " + typeTextOf((*descriptor)->element, (*descriptor)->shape) +
                  " at " + machine_.describe((*descriptor)->base);
  } else {
    item.text = "no value yet";
  }
  return item;
}

std::vector<Item> Look::barriers() const {
  std::vector<Item> all;
  for (const auto& [address, barrier] : state_.barriers) {
    if (!barrier.init) continue;
    Item item;
    item.name = "barrier at byte " + std::to_string(address);
    if (auto place = placeOf(barrier.init->getLoc()))
      item.name += " (line " + std::to_string(place->line) + ")";
    item.text = describe(barrier, address);
    item.spot = Spot{Spot::Kind::Barrier, address, 8};
    all.push_back(std::move(item));
  }
  return all;
}

std::vector<Item> Look::operations() const {
  std::vector<Item> all;
  auto add = [&](const AsyncOperation& operation, std::string state) {
    Item item;
    item.name = "#" + std::to_string(operation.id);
    if (operation.instruction && operation.instruction->op) {
      item.name += " " + operation.instruction->op->getName().getStringRef().str();
      if (auto place = placeOf(operation.instruction->op->getLoc()))
        state += ", issued at line " + std::to_string(place->line);
    }
    if (operation.barrier) {
      state += ", tells the barrier at byte " + std::to_string(*operation.barrier);
      if (operation.bytes) state += " of " + std::to_string(operation.bytes) + " bytes";
    }
    item.text = std::move(state);
    all.push_back(std::move(item));
  };
  // Operations that the program waits for in another way than by a barrier.
  auto stateOf = [&](uint32_t id) -> std::string {
    for (const Thread& thread : state_.threads) {
      if (llvm::is_contained(thread.uncommitted, id)) return "not committed, " + thread.name();
      for (size_t group = 0; group < thread.groups.size(); ++group)
        if (llvm::is_contained(thread.groups[group], id))
          return "in group " + std::to_string(group) + " of " +
                 std::to_string(thread.groups.size()) + ", " + thread.name();
      if (llvm::is_contained(thread.stores, id)) return "store not waited for, " + thread.name();
    }
    return "under way";
  };
  for (const AsyncOperation& operation : state_.underWay)
    add(operation, stateOf(operation.id));
  return all;
}

std::optional<Shape> sizesOf(const Datum& datum, llvm::StringRef name) {
  if (const auto* tensor = std::get_if<TensorRef>(&datum.value))
    return name == "shape" ? std::optional<Shape>((*tensor)->shape()) : std::nullopt;
  if (auto buffer = llvm::dyn_cast_if_present<ttg::MemDescType>(datum.type))
    return name == "shape" ? std::optional<Shape>(buffer.getShape()) : std::nullopt;
  const auto* descriptor = std::get_if<DescriptorRef>(&datum.value);
  if (!descriptor || !*descriptor) return std::nullopt;
  if (name == "shape") return (*descriptor)->shape;
  if (name == "strides") {
    Shape strides = (*descriptor)->strides;
    for (int64_t& stride : strides)
      stride /= bytesOf((*descriptor)->element);
    return strides;
  }
  auto type = llvm::dyn_cast_if_present<tt::TensorDescInterface>(datum.type);
  return name == "block_shape" && type ? std::optional<Shape>(type.getShape()) : std::nullopt;
}
std::optional<Element> elementTypeOf(const Datum& datum) {
  if (const auto* tensor = std::get_if<TensorRef>(&datum.value)) return (*tensor)->element();
  if (auto buffer = llvm::dyn_cast_if_present<ttg::MemDescType>(datum.type))
    return simulate::elementOf(tt::signless(buffer.getElementType()));
  const auto* descriptor = std::get_if<DescriptorRef>(&datum.value);
  return descriptor && *descriptor ? std::optional((*descriptor)->element) : std::nullopt;
}

} // namespace gluond::debug
