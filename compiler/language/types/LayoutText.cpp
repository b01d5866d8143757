// layout.mangle(): part of callees' names. Fields print by str() where Triton's f-strings do.
#include "language/types/LayoutClass.h"
#include "language/types/Structure.h"
#include "language/types/Text.h"

#include <llvm/Support/raw_ostream.h>

#include <cmath>

namespace gluond::language {

namespace {

class Mangler {
public:
  Mangler(llvm::raw_ostream& os, const LayoutObject& layout) : os_(os), layout_(layout) {}

  void run() {
    switch (layout_.cls->kind) {
    case LayoutKind::AutoLayout:
      os_ << "AL";
      break;
    case LayoutKind::CoalescedLayout:
      os_ << "CL";
      break;
    case LayoutKind::BlockedLayout:
      os_ << "B";
      for (size_t i = 0; i < 4; ++i) {
        joined(i);
        os_ << "_";
      }
      cga(4);
      os_ << "B";
      break;
    case LayoutKind::SliceLayout:
      os_ << "SL";
      text(0);
      os_ << "_";
      nested(1);
      os_ << "SL";
      break;
    case LayoutKind::DistributedLinearLayout:
      os_ << "DLL";
      texts(0, 5);
      os_ << "DLL";
      break;
    case LayoutKind::DotOperandLayout:
      os_ << "DO";
      text(0);
      os_ << "_";
      nested(1);
      os_ << "_";
      text(2);
      os_ << "DO";
      break;
    case LayoutKind::NVMMADistributedLayout:
      os_ << "MMA_";
      texts(0, 3);
      os_ << "_";
      cga(3);
      os_ << "_MMA";
      break;
    case LayoutKind::AMDMFMALayout:
      os_ << "MFMA_";
      text(0);
      os_ << "_";
      joined(1);
      os_ << "_";
      text(2);
      os_ << "_";
      joined(3);
      os_ << "_";
      text(4);
      os_ << "_";
      joined(5);
      os_ << "_";
      cga(6);
      os_ << "_MFMA";
      break;
    case LayoutKind::AMDWMMALayout:
      os_ << "WMMA_";
      texts(0, 2);
      os_ << "_";
      cga(2);
      os_ << "_";
      cga(3);
      os_ << "_";
      joined(4);
      os_ << "_";
      cga(5);
      os_ << "_";
      text(6);
      os_ << "_WMMA";
      break;
    case LayoutKind::NVMMASharedLayout:
      os_ << "NVMMA_";
      texts(0, 5);
      os_ << "_";
      cga(5);
      os_ << "_NVMMA";
      break;
    case LayoutKind::SwizzledSharedLayout:
    case LayoutKind::MBarrierLayout:
    case LayoutKind::Cdna5MBarrierLayout:
      os_ << "SSS_";
      texts(0, 3);
      os_ << "_";
      joined(3);
      os_ << "_";
      cga(4);
      os_ << "_SSS";
      break;
    case LayoutKind::PaddedSharedLayout:
      os_ << "PaddedShared_";
      texts(0, 4);
      os_ << "_PaddedShared";
      break;
    case LayoutKind::SharedLinearLayout:
      os_ << "SharedLinear_";
      texts(0, 3);
      os_ << "_SharedLinear";
      break;
    case LayoutKind::PartitionedSharedLayout:
      os_ << "Partitioned_";
      texts(0, 3);
      os_ << "_";
      nested(3);
      os_ << "_Partitioned";
      break;
    case LayoutKind::TensorMemoryLayout: {
      Items block = itemsOf(layout_.fields[0]);
      os_ << "TL";
      if (block.size() == 2) os_ << str(block[0]) << "x" << str(block[1]);
      os_ << "C";
      text(1);
      cga(2);
      if (truth(3)) os_ << "2CT";
      if (truth(4)) os_ << "FP4P";
      os_ << "TL";
      break;
    }
    case LayoutKind::TensorMemoryScalesLayout:
      os_ << "TLS";
      cga(0);
      os_ << "TLS";
      break;
    case LayoutKind::RubinTensorMemoryScalesLayout:
      os_ << "TLS";
      text(1);
      os_ << "_";
      cga(0);
      os_ << "TLS";
      break;
    case LayoutKind::TensorMemoryLinearLayout:
      os_ << "TMLL_";
      cga(0);
      os_ << "_";
      cga(1);
      os_ << "_";
      text(2);
      os_ << "_TMLL";
      break;
    case LayoutKind::CachePolicy:
      os_ << "CP_";
      texts(0, 2);
      os_ << "_CP";
      break;
    case LayoutKind::FractionalEvictionPolicy: {
      os_ << "FEP_";
      text(0);
      os_ << "_" << hexOf(layout_.fields[1]) << "_";
      text(2);
      os_ << "_FEP";
      break;
    }
    case LayoutKind::NvidiaCachePolicy:
      os_ << "CP_";
      for (size_t i = 0; i < 4; ++i) {
        if (layout_.fields[i].isNone())
          os_ << "none";
        else if (layout_.fields[i].is(ValueKind::Layout))
          nested(i);
        else
          text(i);
        os_ << "_";
      }
      os_ << "CP";
      break;
    }
  }

private:
  static std::string str(Value value) { return strOfPlain(value); }
  void text(size_t i) { os_ << str(layout_.fields[i]); }
  void texts(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (i > begin) os_ << "_";
      text(i);
    }
  }
  // "_".join(map(str, field))
  void joined(size_t i) { join(layout_.fields[i], "_"); }
  void join(Value value, llvm::StringRef separator) {
    bool first = true;
    for (Value item : itemsOf(value)) {
      if (!first) os_ << separator;
      first = false;
      os_ << str(item);
    }
  }
  // "_".join("~".join(map(str, basis)) for basis in field)
  void cga(size_t i) {
    bool first = true;
    for (Value basis : itemsOf(layout_.fields[i])) {
      if (!first) os_ << "_";
      first = false;
      join(basis, "~");
    }
  }
  void nested(size_t i) {
    if (auto* layout = layout_.fields[i].as<LayoutObject>()) Mangler(os_, *layout).run();
  }
  bool truth(size_t i) { return layout_.fields[i].isIntegral() && layout_.fields[i].asInt() != 0; }
  // float.hex() with ".", "-", "+" replaced.
  static std::string hexOf(Value value) {
    double number = value.isIntegral()           ? static_cast<double>(value.asInt())
                    : value.is(ValueKind::Float) ? value.asFloat()
                                                 : 0;
    if (!std::isfinite(number) || number <= 0) return str(value);
    int exponent;
    double mantissa = std::frexp(number, &exponent) * 2;
    auto fraction = static_cast<uint64_t>(std::ldexp(mantissa - 1, 52));
    std::string digits;
    for (int shift = 48; shift >= 0; shift -= 4)
      digits += "0123456789abcdef"[fraction >> shift & 15];
    int power = exponent - 1;
    return "0x1d" + digits + "p" + (power < 0 ? "m" : "p") + std::to_string(std::abs(power));
  }

  llvm::raw_ostream& os_;
  const LayoutObject& layout_;
};

} // namespace

std::string mangle(const LayoutObject& layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Mangler(os, layout).run();
  return text;
}

} // namespace gluond::language
