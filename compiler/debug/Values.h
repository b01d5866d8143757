// Values as a debugger shows them: a line of text, and parts that are made when they are opened.
#pragma once

#include "debug/Places.h"
#include "simulate/machine/Machine.h"
#include "simulate/memory/SharedPlaces.h"
#include "simulate/memory/TensorPlaces.h"

#include <functional>

namespace gluond::debug {

// A value with its type in the IR and in Gluon.
struct Datum {
  simulate::Value value;
  mlir::Type type;      // null for results of expressions
  std::string typeText; // the type as Gluon's messages write it
  std::string text;     // the value of a constexpr; empty for other values
  // Of a tuple or an aggregate; null for other values.
  std::shared_ptr<const struct Parts> parts = nullptr;
};

// A range of memory, or a barrier, that can be watched.
struct Spot {
  enum class Kind : uint8_t { Shared, TensorMemory, Global, Barrier } kind = Kind::Shared;
  uint64_t address = 0;
  size_t bytes = 0;
};

struct Item {
  std::string name, text, type;
  std::string expression;        // evaluates to the value; empty if there is none
  size_t indexed = 0, named = 0; // the numbers of parts with an index and with a name
  // Returns the parts of one kind from `first` on. Null if there are no parts.
  std::function<std::vector<Item>(bool isIndexed, size_t first, size_t count)> parts;
  std::optional<Spot> spot;
};

// Shows the values of a program at one moment. Must not be used after the program has moved on.
class Look {
public:
  Look(const simulate::Machine& machine, const simulate::State& state)
      : machine_(machine), state_(state) {}

  Item show(std::string name, std::string expression, const Datum& datum) const;
  std::string textOf(const Datum& datum) const;

  // Returns the view of one stage of a buffer, or nullopt if there is no such stage.
  std::optional<Datum> index(const Datum& buffer, int64_t index) const;
  // Returns the contents of a buffer. The error says why they are not known.
  tl::expected<Datum, std::string> load(const Datum& buffer) const;
  // Returns the elements of a tensor as text, in row-major order.
  std::vector<std::string> elements(const Datum& tensor) const;
  // Returns the place of an element of a buffer, given by its number in row-major order, or of the
  // whole buffer. Nullopt if it cannot be watched.
  std::optional<Spot> spotOf(const Datum& buffer, std::optional<size_t> index) const;

  std::vector<Item> barriers() const;
  std::vector<Item> operations() const;
  std::string describe(const simulate::Barrier& barrier, uint32_t address) const;

  const simulate::State& state() const { return state_; }
  const simulate::Machine& machine() const { return machine_; }

private:
  void showParts(Item& item, const Datum& whole) const;

  const simulate::Machine& machine_;
  const simulate::State& state_;
};

// Returns the `shape` of a tensor or buffer; of a descriptor also its `strides` (in elements) and
// `block_shape`. Nullopt if the value has nothing of that name.
std::optional<simulate::Shape> sizesOf(const Datum& datum, llvm::StringRef name);
// Returns the type of a value's elements; nullopt if it has none.
std::optional<simulate::Element> elementTypeOf(const Datum& datum);
// Returns a type such as "fp16[64, 128]".
std::string typeTextOf(simulate::Element element, llvm::ArrayRef<int64_t> shape);
// Returns an element as a user writes it: 0.5, -3, True.
std::string elementText(simulate::Element element, const std::byte* at, bool isUnsigned = false);

} // namespace gluond::debug
