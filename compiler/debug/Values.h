// Values as a debugger shows them: a line of text, and parts that are made when somebody looks.
#pragma once

#include "debug/Places.h"
#include "simulate/machine/Machine.h"
#include "simulate/memory/SharedPlaces.h"
#include "simulate/memory/TensorPlaces.h"

#include <functional>

namespace gluond::debug {

// A value and what the IR and the user call its type.
struct Datum {
  simulate::Value value;
  mlir::Type type;      // null: of a result that was calculated here
  std::string typeText; // as Gluon's messages have it
  std::string text;     // of what is known at compile time: what it is
};

// Bytes somewhere that can be watched.
struct Spot {
  enum class Kind : uint8_t { Shared, TensorMemory, Global, Barrier } kind = Kind::Shared;
  uint64_t address = 0;
  size_t bytes = 0;
};

struct Item {
  std::string name, text, type;
  std::string expression;        // that evaluates to it; empty: none
  size_t indexed = 0, named = 0; // parts, by number and by name
  // Parts from `first` on, of the one kind or the other. What they were made of they keep.
  std::function<std::vector<Item>(bool isIndexed, size_t first, size_t count)> parts;
  std::optional<Spot> spot;
};

// Looks at one moment of a program; lives no longer than that moment.
class Look {
public:
  Look(const simulate::Machine& machine, const simulate::State& state)
      : machine_(machine), state_(state) {}

  Item show(std::string name, std::string expression, const Datum& datum) const;
  std::string textOf(const Datum& datum) const;

  // One element of what a view shows, or the view of one of its stages.
  std::optional<Datum> index(const Datum& buffer, int64_t index) const;
  // The contents of a buffer; the error says why they are not known.
  tl::expected<Datum, std::string> load(const Datum& buffer) const;
  // Where element `index` of the view lies, in row-major order.
  std::optional<Spot> spotOf(const Datum& buffer, std::optional<size_t> index) const;

  std::vector<Item> barriers() const;
  std::vector<Item> operations() const;
  std::string describe(const simulate::Barrier& barrier, uint32_t address) const;
  std::string threadName(const simulate::Thread& thread) const;

  const simulate::State& state() const { return state_; }
  const simulate::Machine& machine() const { return machine_; }

private:
  const simulate::Machine& machine_;
  const simulate::State& state_;
};

// "fp16[64, 128]"
std::string typeTextOf(simulate::Element element, llvm::ArrayRef<int64_t> shape);
// One element as a user reads it: 0.5, -3, True. `pointee`: bytes of what a pointer points to.
std::string elementText(simulate::Element element, const std::byte* at, bool isUnsigned = false);

} // namespace gluond::debug
