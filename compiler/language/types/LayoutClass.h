// Layouts as values: Gluon's layout classes, which are frozen dataclasses.
//
// A LayoutClass is one row of Layouts.def: name, base, fields with their defaults, and checks on
// construction. A LayoutObject (Value.h) holds the fields after the constructor ran. The cache
// policies are frozen dataclasses of the same kind and are rows too (family Policy). toLayout()
// converts a layout to compiler/layout, which knows what it means (its linear map).
#pragma once

#include "language/values/RaisedException.h"
#include "language/values/Value.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::language {

enum class LayoutKind : uint8_t {
#define LAYOUT_CLASS(kind, ...) kind,
#include "language/types/Layouts.def"
};

enum class LayoutFamily : uint8_t { Distributed, Shared, TensorMemory, Policy };

// The type of a field after the constructor ran.
enum class FieldKind : uint8_t {
  Int,
  Bool,
  Str,
  Real,
  Ints,   // list of int
  Bases,  // list of list of int
  Layout, // another layout
  Any,
};

struct LayoutField {
  llvm::StringLiteral name;
  FieldKind kind;
};

struct LayoutClass {
  LayoutKind kind;
  LayoutFamily family;
  llvm::StringLiteral name;   // __qualname__: what repr prints
  llvm::StringLiteral module; // where Triton defines it
  llvm::ArrayRef<LayoutField> fields;
  // The class whose fields this one has, as MBarrierLayout has those of SwizzledSharedLayout. Other
  // classes are their own base.
  LayoutKind base;

  // Whether isinstance(x, other) holds for an x of this class.
  bool isA(LayoutKind other) const { return kind == other || base == other; }
};
const LayoutClass& layoutClass(LayoutKind kind);
llvm::ArrayRef<LayoutClass> layoutClasses();

inline bool isA(const LayoutObject* layout, LayoutKind kind) {
  return layout && layout->cls->isA(kind);
}
inline bool isDistributed(const LayoutObject* layout) {
  return layout && layout->cls->family == LayoutFamily::Distributed;
}
inline bool isShared(const LayoutObject* layout) {
  return layout && layout->cls->family == LayoutFamily::Shared;
}
// Whether the layout is still to be inferred: AutoLayout and CoalescedLayout.
inline bool isUnresolved(const LayoutObject* layout) {
  return isA(layout, LayoutKind::AutoLayout) || isA(layout, LayoutKind::CoalescedLayout);
}

// Runs the constructor (__post_init__) on the arguments, one per constructor parameter, with
// defaults, without constexpr wrappers. If an argument is or contains Unknown, nests too deeply or
// is too large for any layout, the result is Unknown.
tl::expected<Value, RaisedException> makeLayout(LayoutKind kind, Values arguments, Heap& heap);
// Makes the layout from its fields after construction, as launch records have them.
tl::expected<Value, RaisedException> makeLayoutOf(LayoutKind kind, Values fields, Heap& heap);
// Makes the layout without checks, for layouts that come from IR. `fields` are in the class's
// order.
const LayoutObject* makeLayoutUnchecked(LayoutKind kind, Values fields, Heap& heap);

// Returns a field by name ("order"), or null if the class has none.
const Value* field(const LayoutObject& layout, llvm::StringRef name);
// Returns the numbers in a field value, or nullopt if it is something else.
std::optional<llvm::SmallVector<int64_t, 4>> ints(Value value);
using Basis = llvm::SmallVector<int64_t, 4>;
std::optional<llvm::SmallVector<Basis, 4>> bases(Value value);
Value listOf(llvm::ArrayRef<int64_t> items, Heap& heap);
Value listOf(llvm::ArrayRef<Basis> items, Heap& heap);

// Returns layout.rank, or nullopt if Triton raises (AutoLayout, CoalescedLayout).
std::optional<unsigned> rankOf(const LayoutObject& layout);
// Returns layout.cga_layout, which is derived for SliceLayout and DotOperandLayout.
llvm::SmallVector<Basis, 4> cgaLayoutOf(const LayoutObject& layout);
// Returns the value of `layout.name` in Python, for fields and properties (rank, cga_layout, shape;
// not type).
tl::expected<Value, RaisedException> layoutAttribute(const LayoutObject& layout,
                                                     llvm::StringRef name, Heap& heap);

// Maps an attribute name of the IR to the constructor's: "sizePerThread" to "size_per_thread".
std::string fieldOfAttribute(llvm::StringRef name);

// Computes Triton's _get_shape_per_cta().
tl::expected<llvm::SmallVector<int64_t, 4>, RaisedException>
shapePerCta(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Basis> cgaLayout);

// Returns layout.mangle().
std::string mangle(const LayoutObject& layout);

} // namespace gluond::language
