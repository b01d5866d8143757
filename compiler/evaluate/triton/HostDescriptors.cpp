// Tensor descriptors made by host code: their constructors, and the checks of these.
#include "chips/Vendor.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/types/Layout.h"
#include "layout/named/FieldNames.h"

namespace gluond::evaluate {

static Value descriptorAttribute(Interpreter& in, Value self, Name name) {
  auto* descriptor = hostAs<HostDescriptorObject>(self, tensorDescriptorClass);
  if (Value found = descriptor->attributes->get(name); !found.isAbsent()) return found;
  if (in.text(name) == "mode")
    return in.string(descriptor->flavour == HostDescriptorObject::Flavour::Im2Col ? "im2col"
                                                                                  : "tiled");
  return Value::absent();
}
static bool descriptorSet(Interpreter& in, Value self, Name name, Value value) {
  auto* descriptor = hostAs<HostDescriptorObject>(self, tensorDescriptorClass);
  if (!in.mayMutate(descriptor)) return false;
  descriptor->attributes->set(name, value);
  return true;
}
const HostClass tensorDescriptorClass = {
    .name = "TensorDescriptor",
    .attribute = descriptorAttribute,
    .setAttribute = descriptorSet,
    .rebinding = &copiedHost<HostDescriptorObject, &HostDescriptorObject::attributes>};

// ---------------------------------------------------------------- what Triton's own classes refuse

namespace {

constexpr int64_t mostElements = 1 << 20; // of a block

// The checks of the descriptor classes' constructors, as far as values are known. Each gives the
// exception's class and text.
class DescriptorCheck {
public:
  DescriptorCheck(Interpreter& in, const HostDescriptorObject& descriptor)
      : in_(in), descriptor_(descriptor) {
    base_ = hostAs<TensorObject>(get("base"), tensorClass);
    shape_ = extents("shape");
    strides_ = extents("strides");
    block_ = extents("block_shape");
    if (base_ && base_->dtype) bytes_ = base_->dtype->bytes;
    layout_ = get("layout").as<language::LayoutObject>();
  }

  // Returns false if it raised.
  bool passes() {
    if (descriptor_.flavour == Flavour::Im2Col) return common();
    if (shape_ && block_ && block_->size() != shape_->size())
      return fails("block_shape must match rank " + llvm::Twine(shape_->size()));
    return common() && blockIsWhole();
  }

private:
  using Flavour = HostDescriptorObject::Flavour;
  using Extents = llvm::SmallVector<Extent, 4>;

  Value get(llvm::StringRef name) {
    Value found = descriptor_.attributes->get(in_.name(name));
    return found.isAbsent() ? Value::unknown() : found.unwrapped();
  }
  std::optional<Extents> extents(llvm::StringRef name) { return shapeOf(in_, get(name)); }
  bool fails(const llvm::Twine& what) {
    in_.raise("AssertionError", what);
    return false;
  }
  std::optional<int64_t> field(llvm::StringRef name) {
    if (!layout_) return std::nullopt;
    for (auto [row, value] : llvm::zip(layout_->cls->fields, layout_->fields))
      if (row.name == name && value.unwrapped().isIntegral()) return value.unwrapped().asInt();
    return std::nullopt;
  }

  bool common() {
    if (shape_ && strides_ && strides_->size() != shape_->size())
      return fails("strides rank mismatch: " + llvm::Twine(strides_->size()) +
                   " strides for rank " + llvm::Twine(shape_->size()));
    if (shape_ && (shape_->empty() || shape_->size() > 5)) return fails("rank must be 1-5");
    // AMD's class is used with NVIDIA's targets as well (by tests of the compiler), so the layout
    // decides.
    bool isTdm = descriptor_.flavour == Flavour::Tdm ||
                 (layout_ && !language::isA(layout_, language::LayoutKind::NVMMASharedLayout));
    if (!isTdm && base_ && !isAligned(*base_).value_or(true))
      return fails("base must be 16-byte aligned");
    if (strides_ && !strides_->empty()) {
      if (bytes_ && !isTdm)
        for (Extent stride : llvm::ArrayRef(*strides_).drop_back())
          if (Extent wide = times(stride, bytes_); wide && *wide % 16 != 0)
            return fails("strides must be 16-byte aligned: " + llvm::Twine(*stride) +
                         " elements are " + llvm::Twine(*wide) + " bytes");
      if (Extent last = strides_->back(); last && *last != 1)
        return fails("Last dimension must be contiguous, its stride is " + llvm::Twine(*last));
    }
    if (shape_ && llvm::any_of(*shape_, [](Extent extent) { return extent && *extent <= 0; }))
      return fails("shape must be positive");
    if (descriptor_.flavour == Flavour::Triton || isTdm) return true;
    return layoutFits();
  }

  bool layoutFits() {
    if (get("layout").isUnknown()) return true;
    if (!layout_) return fails("Layout must be NVMMASharedLayout");
    auto rank = field(layout::fields::rank), width = field(layout::fields::elementBitWidth),
         swizzle = field(layout::fields::swizzlingByteWidth);
    bool isPadded = field(layout::fields::fp4Padded).value_or(0) != 0;
    if (rank && block_ && static_cast<size_t>(*rank) != block_->size())
      return fails("layout rank must match block shape rank: " + llvm::Twine(*rank) + " and " +
                   llvm::Twine(block_->size()));
    if (!bytes_) return true;
    if (width && *width != bytes_ * 8)
      return fails("the layout is for elements of " + llvm::Twine(*width) +
                   " bits, but those of the tensor have " + llvm::Twine(bytes_ * 8));
    if (swizzle && block_ && !block_->empty() && block_->back()) {
      int64_t least = *swizzle / (bytes_ * (isPadded ? 2 : 1));
      if (*block_->back() < least)
        return fails("Expected block_shape[-1] to be at least " + llvm::Twine(least) + " but got " +
                     llvm::Twine(*block_->back()));
    }
    return true;
  }

  bool blockIsWhole() {
    if (!block_) return true;
    int64_t count = 1;
    for (auto [i, extent] : llvm::enumerate(*block_)) {
      if (!extent) return true;
      if (*extent <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(*extent))) {
        in_.raise("ValueError", "Shape element " + llvm::Twine(i) +
                                    " must be a power of 2, it is " + llvm::Twine(*extent));
        return false;
      }
      if (*extent > mostElements / count) {
        in_.raise("ValueError",
                  "the block has more than " + llvm::Twine(mostElements) + " elements");
        return false;
      }
      count *= *extent;
    }
    return true;
  }

  Interpreter& in_;
  const HostDescriptorObject& descriptor_;
  const TensorObject* base_ = nullptr;
  const language::LayoutObject* layout_ = nullptr;
  std::optional<Extents> shape_, strides_, block_;
  int64_t bytes_ = 0; // per element; 0 if not known
};

} // namespace

static Value makeDescriptor(Interpreter& in, const CallArguments& arguments,
                            HostDescriptorObject::Flavour flavour,
                            llvm::ArrayRef<llvm::StringLiteral> names, unsigned required) {
  llvm::SmallVector<Value, 10> bound(names.size());
  if (!in.bind("TensorDescriptor", arguments, names, required, bound)) return Value::absent();
  auto* descriptor = in.heap().make<HostDescriptorObject>();
  descriptor->cls = &tensorDescriptorClass;
  descriptor->flavour = flavour;
  descriptor->attributes = in.newScope();
  for (size_t i = 0; i < names.size(); ++i)
    if (!bound[i].isAbsent()) descriptor->attributes->set(in.name(names[i]), bound[i]);
  if (!DescriptorCheck(in, *descriptor).passes()) {
    in.refused();
    return Value::absent();
  }
  return Value::object(ValueKind::Host, descriptor);
}

static constexpr llvm::StringLiteral descriptorNames[] = {"base",
                                                          "shape",
                                                          "strides",
                                                          "block_shape",
                                                          "layout",
                                                          "padding",
                                                          "round_f32_to_tf32",
                                                          "element_strides",
                                                          "pixel_box_lower_corner",
                                                          "pixel_box_upper_corner"};

Value makeTensorDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments,
                        chips::isAmd(in.target()) ? HostDescriptorObject::Flavour::Tdm
                                                  : HostDescriptorObject::Flavour::Tiled,
                        llvm::ArrayRef(descriptorNames).take_front(7), 5);
}
Value makeIm2ColDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments, HostDescriptorObject::Flavour::Im2Col, descriptorNames, 5);
}
static Value makeTritonDescriptor(Interpreter& in, const CallArguments& arguments) {
  static constexpr llvm::StringLiteral names[] = {"base", "shape", "strides", "block_shape",
                                                  "padding"};
  Value made = makeDescriptor(in, arguments, HostDescriptorObject::Flavour::Triton, names, 4);
  auto* descriptor = hostAs<HostDescriptorObject>(made, tensorDescriptorClass);
  Value padding = descriptor ? descriptor->attributes->get(in.name("padding")) : Value::absent();
  if (padding.isAbsent() || padding.isUnknown()) return made;
  auto* text = padding.unwrapped().as<StrObject>();
  if (text && (text->text == "zero" || text->text == "nan")) return made;
  in.raise("AssertionError", "Illegal value for padding");
  in.refused();
  return Value::absent();
}

static Value fromTensor(Interpreter& in, const CallArguments& arguments, bool hasLayout) {
  Value bound[5];
  static constexpr llvm::StringLiteral names[] = {"tensor", "block_shape", "layout", "padding",
                                                  "round_f32_to_tf32"};
  static constexpr llvm::StringLiteral plainNames[] = {"tensor", "block_shape", "padding"};
  llvm::ArrayRef<llvm::StringLiteral> parameters =
      hasLayout ? llvm::ArrayRef<llvm::StringLiteral>(names)
                : llvm::ArrayRef<llvm::StringLiteral>(plainNames);
  if (!in.bind("from_tensor", arguments, parameters, hasLayout ? 3 : 2, bound))
    return Value::absent();
  Value shape = in.getAttribute(bound[0], in.names().shape);
  if (shape.isAbsent()) return shape;
  Value strides = in.callMethod(bound[0], in.name("stride"), {});
  if (strides.isAbsent()) return strides;
  llvm::SmallVector<KeywordArgument> keywords{{in.name("base"), bound[0]},
                                              {in.names().shape, shape},
                                              {in.name("strides"), strides},
                                              {in.name("block_shape"), bound[1]}};
  if (hasLayout) keywords.push_back({in.name("layout"), bound[2]});
  if (Value padding = bound[hasLayout ? 3 : 2]; !padding.isAbsent())
    keywords.push_back({in.name("padding"), padding});
  return hasLayout ? makeTensorDescriptor(in, {{}, keywords})
                   : makeTritonDescriptor(in, {{}, keywords});
}
Value descriptorFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, true);
}
static Value tritonFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, false);
}

Value tensorDescriptorModule(Interpreter& in, llvm::StringRef name) {
  if (name != "TensorDescriptor") return Value::unknown();
  Value cls = in.namespaceOf("TensorDescriptor",
                             {{"from_tensor", in.function("from_tensor", tritonFromTensor)}});
  hostAs<NamespaceObject>(cls, namespaceClass)
      ->attributes->set(
          in.names().call,
          in.function("TensorDescriptor", [](Interpreter& i, const CallArguments& arguments) {
            return makeTritonDescriptor(i, {arguments.positional.drop_front(), arguments.keywords});
          }));
  return cls;
}

} // namespace gluond::evaluate
