// arith: integers that wrap around, floats that round once.
#include "ir/tt/Ops.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

template <typename T> auto asSigned(T value) {
  return static_cast<std::make_signed_t<T>>(value);
}
template <typename T> constexpr unsigned bitsOf = sizeof(T) * 8;

// Integers: T is unsigned.
struct Add {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a + b); }
};
struct Sub {
  template <typename T> static T apply(T a, T b) { return static_cast<T>(a - b); }
};
struct Mul {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(uint64_t(a) * uint64_t(b));
    else
      return a * b;
  }
};
struct DivF {
  template <typename T> static T apply(T a, T b) { return a / b; }
};
// Returns what NVIDIA's GPUs return for a division by zero; dividing() reports it.
struct DivU {
  template <typename T> static T apply(T a, T b) {
    return b ? static_cast<T>(a / b) : static_cast<T>(~T(0));
  }
};
struct RemU {
  template <typename T> static T apply(T a, T b) { return b ? static_cast<T>(a % b) : a; }
};
struct DivS {
  template <typename T> static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T(0));
    if (asSigned(b) == -1) return static_cast<T>(T(0) - a);
    return static_cast<T>(asSigned(a) / asSigned(b));
  }
};
struct RemS {
  template <typename T> static T apply(T a, T b) {
    if (b == 0) return a;
    if (asSigned(b) == -1) return 0;
    return static_cast<T>(asSigned(a) % asSigned(b));
  }
};
struct FloorDivS {
  template <typename T> static T apply(T a, T b) {
    T quotient = DivS::apply(a, b);
    return b && RemS::apply(a, b) != 0 && ((asSigned(a) < 0) != (asSigned(b) < 0))
               ? static_cast<T>(quotient - 1)
               : quotient;
  }
};
struct CeilDivS {
  template <typename T> static T apply(T a, T b) {
    T quotient = DivS::apply(a, b);
    return b && RemS::apply(a, b) != 0 && ((asSigned(a) < 0) == (asSigned(b) < 0))
               ? static_cast<T>(quotient + 1)
               : quotient;
  }
};
struct CeilDivU {
  template <typename T> static T apply(T a, T b) {
    return b ? static_cast<T>(a / b + (a % b != 0)) : static_cast<T>(~T(0));
  }
};
struct And {
  template <typename T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> static T apply(T a, T b) { return a ^ b; }
};
struct Shl {
  template <typename T> static T apply(T a, T b) {
    return b < bitsOf<T> ? static_cast<T>(a << b) : T(0);
  }
};
struct ShrU {
  template <typename T> static T apply(T a, T b) {
    return b < bitsOf<T> ? static_cast<T>(a >> b) : T(0);
  }
};
struct ShrS {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(asSigned(a) >> std::min<T>(b, bitsOf<T> - 1));
  }
};
struct MinS {
  template <typename T> static T apply(T a, T b) { return asSigned(a) < asSigned(b) ? a : b; }
};
struct MaxS {
  template <typename T> static T apply(T a, T b) { return asSigned(a) > asSigned(b) ? a : b; }
};
struct MinU {
  template <typename T> static T apply(T a, T b) { return std::min(a, b); }
};
struct MaxU {
  template <typename T> static T apply(T a, T b) { return std::max(a, b); }
};
// Of a number and a NaN, the result is the number. Minus zero is smaller than zero, as in IEEE 754.
struct MinNum {
  template <typename T> static T apply(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
  }
};
struct MaxNum {
  template <typename T> static T apply(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a > b || (a == b && !std::signbit(a)) ? a : b;
  }
};
struct Minimum { // NaN stays
  template <typename T> static T apply(T a, T b) {
    return a != a || b != b ? a + b : MinNum::apply(a, b);
  }
};
struct Maximum {
  template <typename T> static T apply(T a, T b) {
    return a != a || b != b ? a + b : MaxNum::apply(a, b);
  }
};
struct RemF {
  template <typename T> static T apply(T a, T b) { return std::fmod(a, b); }
};
struct Neg {
  template <typename T> static T apply(T a) { return -a; }
};
struct MulHighU {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(static_cast<unsigned __int128>(a) * b >> bitsOf<T>);
  }
};
struct ClampNum {
  template <typename T> static T apply(T x, T least, T most) {
    return MinNum::apply(MaxNum::apply(x, least), most);
  }
};
struct ClampNan {
  template <typename T> static T apply(T x, T least, T most) {
    return x != x ? x : ClampNum::apply(x, least, most);
  }
};

template <class Rule> Made integers(Operation* op, Translator& t) {
  return makeSame<Rule, 2, false>(op, t);
}
template <class Rule> Made floats(Operation* op, Translator& t) {
  return makeSame<Rule, 2, true>(op, t);
}

bool hasZero(Execution& x, unsigned operand, Element element) {
  const std::byte* data = x.data(operand);
  return visitElement(element, [&](auto is) {
    using F = typename decltype(is)::Format;
    auto* at = reinterpret_cast<const typename F::Stored*>(data);
    bool found = false;
    for (size_t i = 0; i < x.count(operand); ++i)
      found |= F::load(at[i]) == 0;
    return found;
  });
}

// A division that reports when it divides by zero, because the result depends on the chip. It is no
// warning: the program may not use the result, such as the next tile's index after the last tile.
template <class Rule> Made dividing(Operation* op, Translator& t) {
  auto element = elementOf(op->getResult(0).getType());
  auto made = integers<Rule>(op, t);
  if (!made) return made;
  return Action([apply = std::move(*made), element = *element](Execution& x) {
    if (hasZero(x, 1, element)) {
      Finding finding = makeFinding(Id::SimulatedDivisionByZero, x.instruction.op->getLoc());
      finding.severity = diagnostics::Severity::Information;
      x.note(std::move(finding));
    }
    return apply(x);
  });
}

template <class Compare, class From>
void compareKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto *a = reinterpret_cast<const typename From::Stored*>(in[0]),
       *b = reinterpret_cast<const typename From::Stored*>(in[1]);
  auto* r = reinterpret_cast<uint8_t*>(out);
  for (size_t i = 0; i < count; ++i)
    r[i] = Compare::apply(From::load(a[i]), From::load(b[i]));
}

template <class Compare, bool wantsFloat> Kernel compareFor(Element element) {
  return visitElement(element, [](auto is) -> Kernel {
    using F = typename decltype(is)::Format;
    if constexpr (std::is_floating_point_v<typename F::Number> == wantsFloat)
      return compareKernel<Compare, F>;
    else
      return nullptr;
  });
}

#define COMPARE(name, expression)                                                                  \
  struct name {                                                                                    \
    template <typename T> static bool apply(T a, T b) { return expression; }                       \
  };
COMPARE(Eq, a == b)
COMPARE(Ne, a != b)
COMPARE(LtS, asSigned(a) < asSigned(b))
COMPARE(LeS, asSigned(a) <= asSigned(b))
COMPARE(GtS, asSigned(a) > asSigned(b))
COMPARE(GeS, asSigned(a) >= asSigned(b))
COMPARE(Lt, a < b)
COMPARE(Le, a <= b)
COMPARE(Gt, a > b)
COMPARE(Ge, a >= b)
COMPARE(OneF, a<b || a> b)
COMPARE(Ordered, a == a && b == b)
COMPARE(UeqF, !(a < b || a > b))
COMPARE(UgtF, !(a <= b))
COMPARE(UgeF, !(a < b))
COMPARE(UltF, !(a >= b))
COMPARE(UleF, !(a > b))
COMPARE(Unordered, a != a || b != b)
COMPARE(Never, false && a == b)
COMPARE(Always, true || a == b)
#undef COMPARE

Made compareIntegers(Operation* op, Translator&) {
  auto element = elementOf(op->getOperand(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  auto kernel = [&]() -> Kernel {
    switch (cast<arith::CmpIOp>(op).getPredicate()) {
    case arith::CmpIPredicate::eq:
      return compareFor<Eq, false>(*element);
    case arith::CmpIPredicate::ne:
      return compareFor<Ne, false>(*element);
    // As a signed number, a set bit is -1: the order of bits is reversed.
    case arith::CmpIPredicate::slt:
      return *element == Element::I1 ? compareFor<Gt, false>(*element)
                                     : compareFor<LtS, false>(*element);
    case arith::CmpIPredicate::sle:
      return *element == Element::I1 ? compareFor<Ge, false>(*element)
                                     : compareFor<LeS, false>(*element);
    case arith::CmpIPredicate::sgt:
      return *element == Element::I1 ? compareFor<Lt, false>(*element)
                                     : compareFor<GtS, false>(*element);
    case arith::CmpIPredicate::sge:
      return *element == Element::I1 ? compareFor<Le, false>(*element)
                                     : compareFor<GeS, false>(*element);
    case arith::CmpIPredicate::ult:
      return compareFor<Lt, false>(*element);
    case arith::CmpIPredicate::ule:
      return compareFor<Le, false>(*element);
    case arith::CmpIPredicate::ugt:
      return compareFor<Gt, false>(*element);
    case arith::CmpIPredicate::uge:
      return compareFor<Ge, false>(*element);
    }
    return nullptr;
  };
  return withKernel(kernel(), Element::I1);
}

Made compareFloats(Operation* op, Translator&) {
  auto element = elementOf(op->getOperand(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  auto kernel = [&]() -> Kernel {
    switch (cast<arith::CmpFOp>(op).getPredicate()) {
    case arith::CmpFPredicate::AlwaysFalse:
      return compareFor<Never, true>(*element);
    case arith::CmpFPredicate::OEQ:
      return compareFor<Eq, true>(*element);
    case arith::CmpFPredicate::OGT:
      return compareFor<Gt, true>(*element);
    case arith::CmpFPredicate::OGE:
      return compareFor<Ge, true>(*element);
    case arith::CmpFPredicate::OLT:
      return compareFor<Lt, true>(*element);
    case arith::CmpFPredicate::OLE:
      return compareFor<Le, true>(*element);
    case arith::CmpFPredicate::ONE:
      return compareFor<OneF, true>(*element);
    case arith::CmpFPredicate::ORD:
      return compareFor<Ordered, true>(*element);
    case arith::CmpFPredicate::UEQ:
      return compareFor<UeqF, true>(*element);
    case arith::CmpFPredicate::UGT:
      return compareFor<UgtF, true>(*element);
    case arith::CmpFPredicate::UGE:
      return compareFor<UgeF, true>(*element);
    case arith::CmpFPredicate::ULT:
      return compareFor<UltF, true>(*element);
    case arith::CmpFPredicate::ULE:
      return compareFor<UleF, true>(*element);
    case arith::CmpFPredicate::UNE:
      return compareFor<Ne, true>(*element);
    case arith::CmpFPredicate::UNO:
      return compareFor<Unordered, true>(*element);
    case arith::CmpFPredicate::AlwaysTrue:
      return compareFor<Always, true>(*element);
    }
    return nullptr;
  };
  return withKernel(kernel(), Element::I1);
}

template <typename T> void selectKernel(const std::byte* const* in, std::byte* out, size_t count) {
  auto* condition = reinterpret_cast<const uint8_t*>(in[0]);
  auto *a = reinterpret_cast<const T*>(in[1]), *b = reinterpret_cast<const T*>(in[2]);
  auto* r = reinterpret_cast<T*>(out);
  for (size_t i = 0; i < count; ++i)
    r[i] = condition[i] & 1 ? a[i] : b[i];
}

Made select(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  if (!element) // between views or descriptors
    return Action([](Execution& x) {
      x.set(0, x.in(x.flag(0) ? 1 : 2));
      return Step::Next;
    });
  static constexpr Kernel kernels[] = {selectKernel<uint8_t>, selectKernel<uint16_t>,
                                       selectKernel<uint32_t>, selectKernel<uint64_t>};
  Kernel kernel = kernels[std::countr_zero(bytesOf(*element))];
  return Action([kernel, element = *element](Execution& x) {
    // One condition for whole tensors.
    if (!x.isTensor(0) && x.isTensor(1) && x.isTensor(2)) {
      x.set(0, x.in(x.flag(0) ? 1 : 2));
      return Step::Next;
    }
    return applyKernel(x, kernel, element);
  });
}

Made constant(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  Attribute attribute = cast<arith::ConstantOp>(op).getValue();
  auto bitsOfNumber = [](Attribute number) -> uint64_t {
    if (auto integer = dyn_cast<IntegerAttr>(number)) return integer.getValue().getZExtValue();
    return cast<FloatAttr>(number).getValue().bitcastToAPInt().getZExtValue();
  };
  Value value;
  if (isa<IntegerAttr, FloatAttr>(attribute)) {
    value = Scalar{bitsOfNumber(attribute), *element};
  } else if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    auto tensor = std::make_shared<Tensor>(*element, dense.getType().getShape());
    unsigned bytes = bytesOf(*element);
    auto put = [&](size_t i, uint64_t bits) {
      std::memcpy(tensor->data() + i * bytes, &bits, bytes);
    };
    if (dense.isSplat()) {
      uint64_t bits = bitsOfNumber(dense.getSplatValue<Attribute>());
      for (size_t i = 0; i < tensor->count(); ++i)
        put(i, bits);
    } else {
      size_t i = 0;
      for (Attribute each : dense.getValues<Attribute>())
        put(i++, bitsOfNumber(each));
    }
    value = TensorRef(std::move(tensor));
  } else {
    return tl::unexpected<std::string>("constants of this type");
  }
  return Action([value = std::move(value)](Execution& x) {
    x.set(0, value);
    return Step::Next;
  });
}

Made clamp(Operation* op, Translator& t) {
  bool keepsNan = cast<tt::ClampFOp>(op).getPropagateNan() == tt::PropagateNan::ALL;
  return keepsNan ? makeSame<ClampNan, 3, true>(op, t) : makeSame<ClampNum, 3, true>(op, t);
}

// The lower half, then the upper one.
Made extendedMultiply(Operation* op, Translator& t) {
  auto element = elementOf(op->getResult(0).getType());
  bool isSigned = isa<arith::MulSIExtendedOp>(op);
  if (!element || *element == Element::I1)
    return tl::unexpected<std::string>("not for this element type");
  return Action([element = *element, isSigned](Execution& x) {
    if (x.isTensor(0) != x.isTensor(1))
      return x.unsupported("one operand is a scalar and the other one is a tensor");
    auto compute = [&](size_t count, std::byte* low, std::byte* high) {
      visitElement(element, [&](auto is) {
        using T = typename decltype(is)::Format::Stored;
        if constexpr (std::is_integral_v<T>) {
          auto *a = reinterpret_cast<const T*>(x.data(0)),
               *b = reinterpret_cast<const T*>(x.data(1));
          for (size_t i = 0; i < count; ++i) {
            auto product = isSigned ? static_cast<unsigned __int128>(
                                          static_cast<__int128>(asSigned(a[i])) * asSigned(b[i]))
                                    : static_cast<unsigned __int128>(a[i]) * b[i];
            reinterpret_cast<T*>(low)[i] = static_cast<T>(product);
            reinterpret_cast<T*>(high)[i] = static_cast<T>(product >> bitsOf<T>);
          }
        }
      });
    };
    if (!x.isTensor(0)) {
      Scalar low{0, element}, high{0, element};
      compute(1, reinterpret_cast<std::byte*>(&low.bits), reinterpret_cast<std::byte*>(&high.bits));
      x.set(0, low);
      x.set(1, high);
      return Step::Next;
    }
    auto low = std::make_shared<Tensor>(element, x.tensor(0).shape()),
         high = std::make_shared<Tensor>(element, x.tensor(0).shape());
    compute(low->count(), low->data(), high->data());
    x.set(0, std::move(low));
    x.set(1, std::move(high));
    return Step::Next;
  });
}

// A value that nobody may use: what a register might hold.
Made poison(Operation* op, Translator&) {
  auto element = elementOf(op->getResult(0).getType());
  if (!element) return tl::unexpected<std::string>("its element type is not known");
  auto shaped = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!shaped)
    return Action([element = *element](Execution& x) {
      x.set(0, Scalar{0, element});
      return Step::Next;
    });
  auto tensor = std::make_shared<Tensor>(*element, shaped.getShape());
  std::memset(tensor->data(), 0, tensor->bytes());
  return Action([tensor = TensorRef(std::move(tensor))](Execution& x) {
    x.set(0, tensor);
    return Step::Next;
  });
}

} // namespace

void addArithmetic(OperationTable& table) {
  table["arith.constant"] = constant;
  table["ub.poison"] = poison;
  table["arith.addi"] = integers<Add>;
  table["arith.subi"] = integers<Sub>;
  table["arith.muli"] = integers<Mul>;
  table["arith.divsi"] = dividing<DivS>;
  table["arith.divui"] = dividing<DivU>;
  table["arith.remsi"] = dividing<RemS>;
  table["arith.remui"] = dividing<RemU>;
  table["arith.floordivsi"] = dividing<FloorDivS>;
  table["arith.ceildivsi"] = dividing<CeilDivS>;
  table["arith.ceildivui"] = dividing<CeilDivU>;
  table["arith.andi"] = integers<And>;
  table["arith.ori"] = integers<Or>;
  table["arith.xori"] = integers<Xor>;
  table["arith.shli"] = integers<Shl>;
  table["arith.shrui"] = integers<ShrU>;
  table["arith.shrsi"] = integers<ShrS>;
  table["arith.minsi"] = integers<MinS>;
  table["arith.maxsi"] = integers<MaxS>;
  table["arith.minui"] = integers<MinU>;
  table["arith.maxui"] = integers<MaxU>;
  table["tt.mulhiui"] = integers<MulHighU>;
  table["arith.mulsi_extended"] = extendedMultiply;
  table["arith.mului_extended"] = extendedMultiply;
  table["arith.addf"] = floats<Add>;
  table["arith.subf"] = floats<Sub>;
  table["arith.mulf"] = floats<Mul>;
  table["arith.divf"] = floats<DivF>;
  table["tt.precise_divf"] = floats<DivF>;
  table["tt.approx_divf"] = floats<DivF>;
  table["arith.remf"] = floats<RemF>;
  table["arith.minnumf"] = floats<MinNum>;
  table["arith.maxnumf"] = floats<MaxNum>;
  table["arith.minimumf"] = floats<Minimum>;
  table["arith.maximumf"] = floats<Maximum>;
  table["arith.negf"] = makeSame<Neg, 1, true>;
  table["arith.cmpi"] = compareIntegers;
  table["arith.cmpf"] = compareFloats;
  table["arith.select"] = select;
  table["tt.clampf"] = clamp;
}

} // namespace gluond::simulate
