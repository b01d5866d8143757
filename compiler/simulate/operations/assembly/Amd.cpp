#include "simulate/operations/assembly/Dialects.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/bit.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace gluond::simulate::assembly {

namespace {

// Sources in order, with their signs; the result replaces all of the destination. `old` is what was
// there.
using Apply = uint64_t (*)(const uint64_t* s, uint64_t old);
struct Row {
  unsigned sources;
  unsigned realBits; // of sources that -x and |x| mean as floats; 0: they are integers
  Apply apply;
};

float real(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}
uint64_t bitsOf(float number) {
  return std::bit_cast<uint32_t>(number);
}
float half(uint64_t bits) {
  return halfToFloat(static_cast<uint16_t>(bits));
}
// On both halves of words: pairs of fp16, of fp32 (64 bits).
template <class Rule> uint64_t onHalves(uint64_t a, uint64_t b, uint64_t c, Rule rule) {
  uint64_t low = floatToHalf(rule(half(a), half(b), half(c))),
           high = floatToHalf(rule(half(a >> 16), half(b >> 16), half(c >> 16)));
  return low | high << 16;
}
template <class Rule> uint64_t onWords(uint64_t a, uint64_t b, uint64_t c, Rule rule) {
  return bitsOf(rule(real(a), real(b), real(c))) |
         bitsOf(rule(real(a >> 32), real(b >> 32), real(c >> 32))) << 32;
}
uint64_t permuted(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t bytes = (a & 0xffffffff) << 32 | (b & 0xffffffff), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t pick = selector >> (8 * i) & 0xff;
    uint64_t byte = pick < 8 ? bytes >> pick * 8 & 0xff : pick == 12 ? 0 : pick > 12 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
uint64_t field(uint64_t value, uint64_t at, uint64_t length) {
  at &= 31, length &= 31;
  return length ? (value & 0xffffffff) >> at & ((uint64_t(1) << length) - 1) : 0;
}
int64_t word(uint64_t bits) {
  return static_cast<int32_t>(bits);
}
uint64_t pairOf(Element element, uint64_t a, uint64_t b, Rounding rounding = Rounding::Nearest) {
  uint64_t low = 0, high = 0;
  storeNumber(element, static_cast<double>(real(a)), &low, rounding);
  storeNumber(element, static_cast<double>(real(b)), &high, rounding);
  return low | high << (bytesOf(element) * 8);
}

const llvm::StringMap<Row>& rows() {
  static const llvm::StringMap<Row> table = [] {
    llvm::StringMap<Row> all;
#define ROW(name, sources, realBits, expression)                                                   \
  all[name] = {sources, realBits, [](const uint64_t* s, uint64_t old) -> uint64_t {                \
                 (void)old;                                                                        \
                 return static_cast<uint64_t>(expression);                                         \
               }};
    ROW("v_mov_b32", 1, 0, s[0])
    ROW("v_mov_b64", 1, 0, s[0])
    ROW("s_mov_b32", 1, 0, s[0])
    ROW("s_mov_b64", 1, 0, s[0])
    ROW("v_add_f32", 2, 32, bitsOf(real(s[0]) + real(s[1])))
    ROW("v_sub_f32", 2, 32, bitsOf(real(s[0]) - real(s[1])))
    ROW("v_mul_f32", 2, 32, bitsOf(real(s[0]) * real(s[1])))
    ROW("v_max_f32", 2, 32, bitsOf(std::fmax(real(s[0]), real(s[1]))))
    ROW("v_min_f32", 2, 32, bitsOf(std::fmin(real(s[0]), real(s[1]))))
    ROW("v_max_num_f32", 2, 32, bitsOf(std::fmax(real(s[0]), real(s[1]))))
    ROW("v_min_num_f32", 2, 32, bitsOf(std::fmin(real(s[0]), real(s[1]))))
    ROW("v_max3_f32", 3, 32, bitsOf(std::fmax(std::fmax(real(s[0]), real(s[1])), real(s[2]))))
    ROW("v_min3_f32", 3, 32, bitsOf(std::fmin(std::fmin(real(s[0]), real(s[1])), real(s[2]))))
    ROW("v_med3_f32", 3, 32,
        bitsOf(std::fmax(std::fmin(real(s[0]), real(s[1])),
                         std::fmin(std::fmax(real(s[0]), real(s[1])), real(s[2])))))
    ROW("v_fma_f32", 3, 32, bitsOf(std::fma(real(s[0]), real(s[1]), real(s[2]))))
    ROW("v_mac_f32", 2, 32, bitsOf(real(s[0]) * real(s[1]) + real(old)))
    ROW("v_fmac_f32", 2, 32, bitsOf(std::fma(real(s[0]), real(s[1]), real(old))))
    ROW("v_exp_f32", 1, 32, bitsOf(std::exp2(real(s[0]))))
    ROW("v_log_f32", 1, 32, bitsOf(std::log2(real(s[0]))))
    ROW("v_rcp_f32", 1, 32, bitsOf(1 / real(s[0])))
    ROW("v_rsq_f32", 1, 32, bitsOf(1 / std::sqrt(real(s[0]))))
    ROW("v_sqrt_f32", 1, 32, bitsOf(std::sqrt(real(s[0]))))
    ROW("v_tanh_f32", 1, 32, bitsOf(std::tanh(real(s[0]))))
    ROW("v_floor_f32", 1, 32, bitsOf(std::floor(real(s[0]))))
    ROW("v_ceil_f32", 1, 32, bitsOf(std::ceil(real(s[0]))))
    ROW("v_trunc_f32", 1, 32, bitsOf(std::trunc(real(s[0]))))
    ROW("v_rndne_f32", 1, 32, bitsOf(std::nearbyint(real(s[0]))))
    ROW("v_fract_f32", 1, 32, bitsOf(real(s[0]) - std::floor(real(s[0]))))
    ROW("v_ldexp_f32", 2, 32, bitsOf(std::ldexp(real(s[0]), static_cast<int>(word(s[1])))))
    ROW("v_add_f16", 2, 16, floatToHalf(half(s[0]) + half(s[1])))
    ROW("v_sub_f16", 2, 16, floatToHalf(half(s[0]) - half(s[1])))
    ROW("v_mul_f16", 2, 16, floatToHalf(half(s[0]) * half(s[1])))
    ROW("v_fma_f16", 3, 16, floatToHalf(std::fma(half(s[0]), half(s[1]), half(s[2]))))
    ROW("v_max_f16", 2, 16, floatToHalf(std::fmax(half(s[0]), half(s[1]))))
    ROW("v_min_f16", 2, 16, floatToHalf(std::fmin(half(s[0]), half(s[1]))))
    ROW("v_pk_add_f32", 2, 0, onWords(s[0], s[1], 0, [](float a, float b, float) { return a + b; }))
    ROW("v_pk_mul_f32", 2, 0, onWords(s[0], s[1], 0, [](float a, float b, float) { return a * b; }))
    ROW("v_pk_fma_f32", 3, 0,
        onWords(s[0], s[1], s[2], [](float a, float b, float c) { return std::fma(a, b, c); }))
    ROW("v_pk_add_f16", 2, 0,
        onHalves(s[0], s[1], 0, [](float a, float b, float) { return a + b; }))
    ROW("v_pk_mul_f16", 2, 0,
        onHalves(s[0], s[1], 0, [](float a, float b, float) { return a * b; }))
    ROW("v_pk_max_f16", 2, 0,
        onHalves(s[0], s[1], 0, [](float a, float b, float) { return std::fmax(a, b); }))
    ROW("v_pk_min_f16", 2, 0,
        onHalves(s[0], s[1], 0, [](float a, float b, float) { return std::fmin(a, b); }))
    ROW("v_pk_fma_f16", 3, 0,
        onHalves(s[0], s[1], s[2], [](float a, float b, float c) { return std::fma(a, b, c); }))
    ROW("v_cvt_f32_f16", 1, 16, bitsOf(half(s[0])))
    ROW("v_cvt_f16_f32", 1, 32, floatToHalf(real(s[0])))
    ROW("v_cvt_f32_bf16", 1, 16, bitsOf(bfloatToFloat(static_cast<uint16_t>(s[0]))))
    ROW("v_cvt_f32_i32", 1, 0, bitsOf(static_cast<float>(word(s[0]))))
    ROW("v_cvt_f32_u32", 1, 0, bitsOf(static_cast<float>(s[0] & 0xffffffff)))
    ROW("v_cvt_i32_f32", 1, 32,
        static_cast<uint32_t>(static_cast<int64_t>(
            std::clamp(static_cast<double>(std::trunc(real(s[0]))), -0x1p31, 0x1p31 - 1))))
    ROW("v_cvt_u32_f32", 1, 32,
        std::clamp(static_cast<double>(std::trunc(real(s[0]))), 0.0, 0x1p32 - 1))
    ROW("v_cvt_f32_ubyte0", 1, 0, bitsOf(static_cast<float>(s[0] & 0xff)))
    ROW("v_cvt_pk_bf16_f32", 2, 32, pairOf(Element::BF16, s[0], s[1]))
    ROW("v_cvt_pk_f16_f32", 2, 32, pairOf(Element::F16, s[0], s[1]))
    ROW("v_cvt_pkrtz_f16_f32", 2, 32, pairOf(Element::F16, s[0], s[1], Rounding::TowardsZero))
    ROW("v_cvt_pk_fp8_f32", 2, 32, (old & 0xffff0000) | pairOf(Element::E4M3, s[0], s[1]))
    ROW("v_cvt_pk_bf8_f32", 2, 32, (old & 0xffff0000) | pairOf(Element::E5M2, s[0], s[1]))
    ROW("v_cvt_f32_fp8", 1, 0, bitsOf(smallFloats(Element::E4M3)[s[0] & 0xff]))
    ROW("v_cvt_f32_bf8", 1, 0, bitsOf(smallFloats(Element::E5M2)[s[0] & 0xff]))
    ROW("v_add_u32", 2, 0, (s[0] + s[1]) & 0xffffffff)
    ROW("v_add_nc_u32", 2, 0, (s[0] + s[1]) & 0xffffffff)
    ROW("v_sub_u32", 2, 0, (s[0] - s[1]) & 0xffffffff)
    ROW("v_sub_nc_u32", 2, 0, (s[0] - s[1]) & 0xffffffff)
    ROW("v_mul_lo_u32", 2, 0, s[0] * s[1] & 0xffffffff)
    ROW("v_mul_hi_u32", 2, 0, (s[0] & 0xffffffff) * (s[1] & 0xffffffff) >> 32)
    ROW("v_mul_u32_u24", 2, 0, (s[0] & 0xffffff) * (s[1] & 0xffffff) & 0xffffffff)
    ROW("v_min_u32", 2, 0, std::min(s[0] & 0xffffffff, s[1] & 0xffffffff))
    ROW("v_max_u32", 2, 0, std::max(s[0] & 0xffffffff, s[1] & 0xffffffff))
    ROW("v_min_i32", 2, 0, static_cast<uint32_t>(std::min(word(s[0]), word(s[1]))))
    ROW("v_max_i32", 2, 0, static_cast<uint32_t>(std::max(word(s[0]), word(s[1]))))
    ROW("v_and_b32", 2, 0, s[0] & s[1] & 0xffffffff)
    ROW("v_or_b32", 2, 0, (s[0] | s[1]) & 0xffffffff)
    ROW("v_xor_b32", 2, 0, (s[0] ^ s[1]) & 0xffffffff)
    ROW("v_not_b32", 1, 0, ~s[0] & 0xffffffff)
    ROW("v_or3_b32", 3, 0, (s[0] | s[1] | s[2]) & 0xffffffff)
    ROW("v_and_or_b32", 3, 0, ((s[0] & s[1]) | s[2]) & 0xffffffff)
    ROW("v_lshlrev_b32", 2, 0, s[1] << (s[0] & 31) & 0xffffffff)
    ROW("v_lshrrev_b32", 2, 0, (s[1] & 0xffffffff) >> (s[0] & 31))
    ROW("v_ashrrev_i32", 2, 0, static_cast<uint32_t>(word(s[1]) >> (s[0] & 31)))
    ROW("v_lshl_or_b32", 3, 0, (s[0] << (s[1] & 31) | s[2]) & 0xffffffff)
    ROW("v_lshl_add_u32", 3, 0, ((s[0] << (s[1] & 31)) + s[2]) & 0xffffffff)
    ROW("v_bfe_u32", 3, 0, field(s[0], s[1], s[2]))
    ROW("v_bfi_b32", 3, 0, ((s[0] & s[1]) | (~s[0] & s[2])) & 0xffffffff)
    ROW("v_perm_b32", 3, 0, permuted(s[0], s[1], s[2]))
    ROW("v_alignbit_b32", 3, 0,
        ((s[0] & 0xffffffff) << 32 | (s[1] & 0xffffffff)) >> (s[2] & 31) & 0xffffffff)
    ROW("v_bfrev_b32", 1, 0, llvm::reverseBits(static_cast<uint32_t>(s[0])))
    ROW("v_bcnt_u32_b32", 2, 0, std::popcount(s[0] & 0xffffffff) + (s[1] & 0xffffffff))
#undef ROW
    return all;
  }();
  return table;
}

bool resolve(Instruction& instruction) {
  llvm::StringRef name = instruction.name;
  if (!name.consume_back("_e32")) name.consume_back("_e64");
  // Orders and hints do nothing here, because one thread runs after the other.
  if (name == "s_nop" || name == "s_sleep" || name == "s_setprio" || name == "s_barrier" ||
      name.starts_with("s_waitcnt") || name.starts_with("s_wait_") || name.starts_with("s_sched") ||
      name == "s_delay_alu") {
    instruction.run = [](Thread&) {};
    return true;
  }
  auto row = rows().find(name);
  if (row == rows().end() || instruction.operands.size() != row->second.sources + 1) return false;
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Operand::Kind::Label) return false; // op_sel and its like
  instruction.run = [row = row->second, operands = instruction.operands](Thread& thread) {
    uint64_t sources[3] = {};
    for (unsigned i = 0; i < row.sources; ++i) {
      const Operand& operand = operands[i + 1];
      uint64_t value = thread.read(operand);
      if (operand.kind == Operand::Kind::Immediate && operand.isReal) {
        auto number = static_cast<float>(std::bit_cast<double>(operand.immediate));
        value = row.realBits == 16 ? floatToHalf(number) : bitsOf(number);
      }
      uint64_t sign = row.realBits ? uint64_t(1) << (row.realBits - 1) : 0;
      if (operand.isAbsolute) value &= ~sign;
      if (operand.isNegated) value = row.realBits ? value ^ sign : uint64_t(0) - value;
      sources[i] = value;
    }
    uint64_t& to = thread.slots[operands[0].slot];
    to = row.apply(sources, to);
  };
  return true;
}

} // namespace

const Dialect& amd() {
  static constexpr Dialect dialect{resolve, true, nullptr};
  return dialect;
}

} // namespace gluond::simulate::assembly
