// Ops that run assembly: on packs of elements, or on all registers of a thread.
//
// Elements narrower than a word travel together in words of 32 bits, as the compiler packs them.
#include "chips/Vendor.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "simulate/operations/RegisterOrder.h"
#include "simulate/operations/assembly/Dialects.h"
#include "simulate/translate/Translate.h"

namespace gluond::simulate {
using namespace mlir;

namespace {

using assembly::Code;

// How an operand or result is given to the text: words, each with so many elements.
struct Words {
  unsigned bytes = 4; // of an element
  size_t elements = 1, perWord = 1;
  bool isShared = false; // a buffer: its address
  size_t count() const { return (elements + perWord - 1) / perWord; }
};
Words wordsOf(Element element, size_t elements) {
  Words words;
  words.bytes = bytesOf(element);
  words.elements = elements;
  if (words.bytes < 4 && elements > 1) words.perWord = std::min<size_t>(elements, 4 / words.bytes);
  return words;
}

// The text with its constraints: which slots begin with the value of which operand.
struct Text {
  Code code;
  std::vector<Words> results, operands;
  std::vector<std::pair<unsigned, unsigned>> ties; // an input's slot, the output's that it shares
  size_t resultSlots = 0, operandSlots = 0;
};

tl::expected<Text, std::string> textOf(Operation* op, StringRef text, StringRef constraints,
                                       std::vector<Words> results, std::vector<Words> operands) {
  Text made;
  for (const Words& words : results)
    made.resultSlots += words.count();
  for (const Words& words : operands)
    made.operandSlots += words.count();
  made.results = std::move(results);
  made.operands = std::move(operands);
  SmallVector<StringRef> each;
  constraints.split(each, ',');
  unsigned slot = 0;
  for (StringRef constraint : each) {
    constraint = constraint.trim();
    unsigned output = 0;
    if (constraint.starts_with("~")) continue;
    if (!constraint.getAsInteger(10, output)) made.ties.push_back({slot, output});
    ++slot;
  }
  auto slots = static_cast<unsigned>(made.resultSlots + made.operandSlots);
  bool isAmd = chips::isAmd(ttg::targetOf(op));
  auto code = assembly::parse(text, slots, isAmd ? assembly::amd() : assembly::ptx());
  if (!code) return tl::unexpected("the simulator does not know " + code.error());
  made.code = std::move(*code);
  return made;
}

// One run on elements that lie at these places; the results are put there.
template <class In, class Out>
bool runText(const Text& text, assembly::Thread& thread, In in, Out out) {
  thread.slots.assign(text.code.slots, 0);
  size_t slot = text.resultSlots;
  for (size_t i = 0; i < text.operands.size(); ++i) {
    const Words& words = text.operands[i];
    for (size_t e = 0; e < words.elements; ++e)
      std::memcpy(reinterpret_cast<std::byte*>(&thread.slots[slot + e / words.perWord]) +
                      e % words.perWord * words.bytes,
                  in(i, e), words.bytes);
    slot += words.count();
  }
  for (auto [input, output] : text.ties)
    if (input < thread.slots.size() && output < thread.slots.size())
      thread.slots[output] = thread.slots[input];
  for (const auto& name : text.code.names)
    if (name.first().starts_with("%"))
      if (auto value = assembly::ptx().special(name.first(), thread))
        thread.slots[name.second] = *value;
  text.code.run(thread);
  if (thread.hasFailed) return false;
  slot = 0;
  for (size_t i = 0; i < text.results.size(); ++i) {
    const Words& words = text.results[i];
    for (size_t e = 0; e < words.elements; ++e)
      std::memcpy(out(i, e),
                  reinterpret_cast<const std::byte*>(&thread.slots[slot + e / words.perWord]) +
                      e % words.perWord * words.bytes,
                  words.bytes);
    slot += words.count();
  }
  return true;
}

// Registers of a value: those of a thread, of a tensor; where its elements are.
struct Held {
  std::optional<RegisterOrder> order; // of a tensor
  Element element = Element::I32;
  bool isBuffer = false;
};
tl::expected<Held, std::string> heldOf(mlir::Value value) {
  Held held;
  held.isBuffer = isa<ttg::MemDescType>(value.getType());
  if (held.isBuffer) return held;
  auto element = elementOf(value.getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  held.element = *element;
  if (auto type = dyn_cast<RankedTensorType>(value.getType())) held.order = registerOrder(type);
  return held;
}

// Inputs as bytes, results as what becomes of them.
class Values {
public:
  Values(Execution& x, const std::vector<Held>& operands, const std::vector<Held>& results,
         ArrayRef<Shape> shapes)
      : x_(x), operands_(operands), results_(results) {
    for (const Held& held : operands) {
      auto i = static_cast<unsigned>(in_.size());
      addresses_.push_back(held.isBuffer ? x.view(i).base : 0);
      in_.push_back(held.isBuffer ? nullptr : x.data(i));
    }
    for (auto [i, held] : llvm::enumerate(results)) {
      tensors_.push_back(held.order ? std::make_shared<Tensor>(held.element, shapes[i]) : nullptr);
      numbers_.push_back(Scalar{0, held.element});
    }
  }
  // Returns the value of register `r` of the thread.
  const std::byte* in(size_t i, size_t thread, size_t r) const {
    const Held& held = operands_[i];
    if (held.isBuffer) return reinterpret_cast<const std::byte*>(&addresses_[i]);
    return in_[i] + at(held, thread, r) * bytesOf(held.element);
  }
  std::byte* out(size_t i, size_t thread, size_t r) {
    const Held& held = results_[i];
    if (!held.order) return reinterpret_cast<std::byte*>(&numbers_[i].bits);
    return tensors_[i]->data() + at(held, thread, r) * bytesOf(held.element);
  }
  void set() {
    for (unsigned i = 0; i < results_.size(); ++i)
      if (tensors_[i])
        x_.set(i, std::move(tensors_[i]));
      else
        x_.set(i, numbers_[i]);
  }

private:
  static size_t at(const Held& held, size_t thread, size_t r) {
    if (!held.order) return 0;
    const RegisterOrder& order = *held.order;
    return order
        .elements[thread % order.threads() * order.registers + std::min(r, order.registers - 1)];
  }

  Execution& x_;
  const std::vector<Held>&operands_, &results_;
  std::vector<const std::byte*> in_;
  std::vector<uint64_t> addresses_;
  std::vector<std::shared_ptr<Tensor>> tensors_;
  std::vector<Scalar> numbers_;
};

// `pack` 0: all registers of a thread at once.
Made assemblyOp(Operation* op, Translator& t, StringRef text, StringRef constraints, bool isPure,
                size_t pack) {
  std::vector<Held> operands, results;
  std::vector<Words> operandWords, resultWords;
  std::vector<Shape> shapes;
  auto wordsFor = [&](const Held& held) {
    if (held.isBuffer) return Words{8, 1, 1, true};
    return wordsOf(held.element, pack ? pack : held.order ? held.order->registers : 1);
  };
  for (mlir::Value operand : op->getOperands()) {
    auto held = heldOf(operand);
    if (!held) return tl::unexpected(held.error());
    operands.push_back(std::move(*held));
    operandWords.push_back(wordsFor(operands.back()));
  }
  for (mlir::Value result : op->getResults()) {
    auto held = heldOf(result);
    if (!held) return tl::unexpected(held.error());
    results.push_back(std::move(*held));
    resultWords.push_back(wordsFor(results.back()));
    auto type = dyn_cast<RankedTensorType>(result.getType());
    shapes.push_back(type ? Shape(type.getShape()) : Shape());
  }
  auto made = textOf(op, text, constraints, std::move(resultWords), std::move(operandWords));
  if (!made) return tl::unexpected(made.error());
  t.code().usesAtomics |= !isPure; // it may be seen by other programs
  auto shared = std::make_shared<const Text>(std::move(*made));
  std::optional<size_t> ofOperand, ofResult;
  for (size_t i = 0; i < operands.size() && !ofOperand; ++i)
    if (operands[i].order) ofOperand = i;
  for (size_t i = 0; i < results.size() && !ofResult; ++i)
    if (results[i].order) ofResult = i;
  return Action([=](Execution& x) {
    const RegisterOrder* order = ofOperand  ? &*operands[*ofOperand].order
                                 : ofResult ? &*results[*ofResult].order
                                            : nullptr;
    size_t threads = order ? order->threads() : isPure ? 1 : static_cast<size_t>(x.threads());
    size_t lanes = order ? order->lanes : x.machine.code().threadsPerWarp,
           warps = order ? order->warps : x.thread.warps;
    size_t packs = pack && order ? (order->registers + pack - 1) / pack : 1;
    Values values(x, operands, results, shapes);
    assembly::Thread thread{x, {}};
    for (size_t number = 0; number < threads; ++number) {
      thread.lane = static_cast<unsigned>(number % lanes);
      thread.warp = static_cast<unsigned>(number / lanes % warps);
      for (size_t first = 0; first < packs; ++first)
        if (!runText(
                *shared, thread,
                [&](size_t i, size_t e) { return values.in(i, number, first * pack + e); },
                [&](size_t i, size_t e) { return values.out(i, number, first * pack + e); }))
          return Step::Failed;
    }
    values.set();
    return Step::Next;
  });
}

Made elementwise(Operation* op, Translator& t) {
  auto inlined = cast<tt::ElementwiseInlineAsmOp>(op);
  return assemblyOp(op, t, inlined.getAsmString(), inlined.getConstraints(), inlined.getPure(),
                    std::max<size_t>(1, static_cast<size_t>(inlined.getPackedElement())));
}

Made onThreads(Operation* op, Translator& t) {
  auto inlined = cast<ttg::InlineAsmOp>(op);
  return assemblyOp(op, t, inlined.getAsmString(), inlined.getConstraints(), inlined.getPure(), 0);
}

} // namespace

void addAssembly(OperationTable& table) {
  table["tt.elementwise_inline_asm"] = elementwise;
  table["ttg.inline_asm"] = onThreads;
}

} // namespace gluond::simulate
