#include "language/types/TypeText.h"

#include "language/types/TypeContext.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::language {

std::optional<ScalarKind> scalarSpelled(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, ScalarKind> others[] = {
      {"bool", ScalarKind::Int1},
      {"i1", ScalarKind::Int1},
      {"uint1", ScalarKind::Int1},
      {"int", ScalarKind::Int32},
      {"half", ScalarKind::Fp16},
      {"float", ScalarKind::Fp32},
      {"double", ScalarKind::Fp64},
      {"float8_e4m3fn", ScalarKind::Fp8e4nv},
      {"float8_e4m3fnuz", ScalarKind::Fp8e4b8},
      {"float8_e5m2", ScalarKind::Fp8e5},
      {"float8_e5m2fnuz", ScalarKind::Fp8e5b16},
  };
  ScalarKind kind;
  if (findScalar(text, kind)) return kind;
  for (unsigned i = 0; i < scalarKindCount; ++i)
    if (const ScalarInfo& info = scalarInfo(static_cast<ScalarKind>(i)); info.mangled == text)
      if (info.kind != ScalarKind::Void) return info.kind;
  for (auto [spelling, its] : others)
    if (spelling == text) return its;
  return std::nullopt;
}

std::optional<ScalarKind> scalarInIr(llvm::StringRef text) {
  llvm::StringRef bits = text;
  if (bits.consume_front("f") && !bits.empty() && llvm::all_of(bits, llvm::isDigit))
    return scalarSpelled(("fp" + bits).str());
  bool isInteger = text.consume_front("i") && llvm::all_of(text, llvm::isDigit);
  if (isInteger) return scalarSpelled(("i" + text).str());
  return text == "bf16" ? scalarSpelled(text) : std::nullopt;
}

const Type* typeOfSignature(llvm::StringRef text, TypeContext& types) {
  if (text.consume_front("*")) {
    bool isConst = text.consume_front("k");
    const Type* element = typeOfSignature(text, types);
    return element ? types.pointer(element, isConst) : nullptr;
  }
  auto kind = scalarSpelled(text);
  return kind ? scalarType(*kind) : nullptr;
}

// The one spelling that signatures have: "fp16", "i32", "void".
static llvm::StringRef shortName(ScalarKind kind) {
  const ScalarInfo& info = scalarInfo(kind);
  return kind == ScalarKind::Void ? info.name : info.mangled;
}

// Gives "*kfp16" for "const half*"; text that names no type stays as it is.
static std::string normalized(llvm::StringRef text) {
  text = text.trim();
  if (text.consume_front("const ")) {
    std::string type = normalized(text);
    return type.starts_with("*") ? "*k" + type.substr(1) : type;
  }
  if (text.consume_back("*") || text.consume_front("*")) return "*" + normalized(text);
  if (text.consume_front("tl.")) return normalized(text);
  std::string name;
  for (size_t at; (at = text.find("_t")) != llvm::StringRef::npos; text = text.drop_front(at + 2))
    name += text.take_front(at);
  name += text;
  auto kind = scalarSpelled(name);
  return kind ? shortName(*kind).str() : name;
}

AnnotatedType typeOfAnnotation(llvm::StringRef text, TypeContext& types) {
  constexpr size_t longest = 64; // of names, stars and spaces; what is longer names no type
  AnnotatedType result;
  result.isConst = text.contains("const");
  if (text.size() > longest) return result;
  std::string type = normalized(text);
  llvm::StringRef rest = type;
  bool isPointer = rest.consume_front("*"), isReadOnly = isPointer && rest.consume_front("k");
  result.isConst |= isReadOnly;
  // After "*k", Triton knows only the short names.
  auto kind = scalarSpelled(rest);
  if (!kind || shortName(*kind) != rest) return result;
  const Type* scalar = scalarType(*kind);
  result.type = isPointer ? types.pointer(scalar, isReadOnly) : scalar;
  return result;
}

} // namespace gluond::language
