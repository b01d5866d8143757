// Operations that treat all elements alike: a loop over flat arrays, one for each element type.
#pragma once

#include "simulate/machine/Machine.h"
#include "simulate/translate/Translate.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/StringRef.h>

#include <type_traits>

namespace gluond::simulate {

// Reads arrays of `count` elements, writes one.
using Kernel = void (*)(const std::byte* const* in, std::byte* out, size_t count);

// Applies `kernel` to all operands from `first` on: to numbers, to tensors, or to both, where
// numbers stand for tensors of equal elements. The result has elements of `to`.
Step applyKernel(Execution& x, Kernel kernel, Element to, unsigned first = 0);

// Rules: `template <typename T> static R apply(T, ...)`.
template <class Rule, class From, class To>
void unaryKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* a = reinterpret_cast<const typename From::Stored*>(in[0]);
  auto* r = reinterpret_cast<typename To::Stored*>(out);
  for (size_t i = 0; i < count; ++i)
    r[i] = To::store(Rule::apply(From::load(a[i])));
}
template <class Rule, class From, class To>
void binaryKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto *a = reinterpret_cast<const typename From::Stored*>(in[0]),
       *b = reinterpret_cast<const typename From::Stored*>(in[1]);
  auto* r = reinterpret_cast<typename To::Stored*>(out);
  for (size_t i = 0; i < count; ++i)
    r[i] = To::store(Rule::apply(From::load(a[i]), From::load(b[i])));
}
template <class Rule, class From, class To>
void ternaryKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto *a = reinterpret_cast<const typename From::Stored*>(in[0]),
       *b = reinterpret_cast<const typename From::Stored*>(in[1]),
       *c = reinterpret_cast<const typename From::Stored*>(in[2]);
  auto* r = reinterpret_cast<typename To::Stored*>(out);
  for (size_t i = 0; i < count; ++i)
    r[i] = To::store(Rule::apply(From::load(a[i]), From::load(b[i]), From::load(c[i])));
}

// Returns the kernel of a rule for an element type, or null if the rule has none.
template <class Rule, unsigned arity, bool wantsFloat> Kernel kernelFor(Element element) {
  return visitElement(element, [](auto is) -> Kernel {
    using F = typename decltype(is)::Format;
    if constexpr (std::is_floating_point_v<typename F::Number> != wantsFloat)
      return nullptr;
    else if constexpr (arity == 1)
      return unaryKernel<Rule, F, F>;
    else if constexpr (arity == 2)
      return binaryKernel<Rule, F, F>;
    else
      return ternaryKernel<Rule, F, F>;
  });
}

inline Made withKernel(Kernel kernel, Element to) {
  if (!kernel) return tl::unexpected<std::string>("not for this element type");
  return Action([kernel, to](Execution& x) { return applyKernel(x, kernel, to); });
}

// The maker of an operation whose operands and result have one type.
template <class Rule, unsigned arity, bool wantsFloat>
Made makeSame(mlir::Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  return withKernel(kernelFor<Rule, arity, wantsFloat>(*element), *element);
}

} // namespace gluond::simulate
