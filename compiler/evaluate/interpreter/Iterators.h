// Iterators whose members are made on demand, as in Python: a member's side effects happen when it
// is taken.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

class MemberSource {
public:
  virtual ~MemberSource() = default;
  // Returns the next member, or Absent as Interpreter::advance() does. After Absent it is not
  // called again.
  virtual Value next(Interpreter& in, bool& uncertain) = 0;
  // The value of a `return` in a generator that has ended.
  virtual Value returned() const { return Value::none(); }
  // The generator that it is, or null.
  virtual class GeneratorRun* generator() { return nullptr; }

  uint64_t serial = 0; // in the order of creation
  bool isBusy = false; // making a member right now
};

// Members that a function makes: Value(Interpreter&, bool& uncertain), as MemberSource::next().
template <typename Make> Value iteratorOver(Interpreter& in, Make make) {
  class Source final : public MemberSource {
  public:
    explicit Source(Make make) : make_(std::move(make)) {}
    Value next(Interpreter& i, bool& uncertain) override { return make_(i, uncertain); }

  private:
    Make make_;
  };
  return in.iteratorFrom(std::make_unique<Source>(std::move(make)));
}

// Does generator.send() and throw() with a value. The result is that of Interpreter::advance(). The
// iterator must have a generator as its source.
enum class Resumption : uint8_t { Send, Throw };
Value resumeGenerator(Interpreter& in, Value iterator, Resumption how, Value value,
                      bool& uncertain);
// Raises the StopIteration of an iterator that has ended.
Value stopIteration(Interpreter& in, Value iterator);
bool closeGenerator(Interpreter& in, Value iterator); // false if it raised
// Runs a generator that has not started, for its launches: unknown code got the iterator, and may
// take its members.
void runForLaunches(Interpreter& in, Value iterator);

// The result of a function with @contextmanager.
struct ContextManagerObject : HostObject {
  Value generator;
};
extern const HostClass contextManagerClass;
// The attribute that marks such functions.
inline constexpr llvm::StringLiteral contextManagerMark = "_gluond_contextmanager";

// Makes the result of a generator function that was called.
Value makeGenerator(Interpreter& in, const Frame& frame);

} // namespace gluond::evaluate
