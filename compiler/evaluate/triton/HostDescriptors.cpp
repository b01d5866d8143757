// Tensor descriptors made by host code: their constructors, and the checks of these.
#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/Classes.h"
#include "language/types/Builtin.h"
#include "language/types/LayoutClass.h"
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
  return in.setIn(descriptor->attributes, name, value);
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
  // AMD's class is used with NVIDIA's targets as well (by tests of the compiler).
  DescriptorCheck(Interpreter& in, const HostDescriptorObject& descriptor, bool isOfAmd)
      : in_(in), descriptor_(descriptor), isOfAmd_(isOfAmd) {
    base_ = hostAs<TensorObject>(get("base"), tensorClass);
    shape_ = extents("shape");
    strides_ = extents("strides");
    block_ = extents("block_shape");
    if (base_ && base_->dtype) bytes_ = base_->dtype->bytes;
    layout_ = get("layout").as<language::LayoutObject>();
  }

  // Returns false if it raised.
  bool passes() {
    for (llvm::StringRef name : {"shape", "strides", "block_shape"})
      if (!hasLength(get(name))) return false;
    if (descriptor_.flavour == Flavour::Im2Col) return common() && pixels();
    if (shape_ && block_ && block_->size() != shape_->size())
      return fails("block_shape must match rank " + llvm::Twine(shape_->size()));
    return common() && blockIsWhole();
  }

private:
  using Flavour = HostDescriptorObject::Flavour;

  Value get(llvm::StringRef name) {
    Value found = descriptor_.attributes->get(in_.name(name));
    return found.isAbsent() ? Value::unknown() : found.unwrapped();
  }
  std::optional<Extents> extents(llvm::StringRef name) { return shapeOf(in_, get(name)); }
  bool fails(const llvm::Twine& what) {
    in_.raise("AssertionError", what);
    return false;
  }
  // Each is measured with len(), which a method such as `x.stride` does not have.
  bool hasLength(Value value) {
    bool isMethod = value.is(ValueKind::BoundMethod) || value.is(ValueKind::Function) ||
                    hostAs<NativeFunctionObject>(value, nativeFunctionClass);
    if (!isMethod && !value.isIntegral() && !value.is(ValueKind::Float) && !value.isNone())
      return true;
    in_.raise("TypeError", "object of type '" + llvm::Twine(in_.className(in_.typeOf(value))) +
                               "' has no len()");
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
    bool isTdm = descriptor_.flavour == Flavour::Tdm || isOfAmd_;
    if (!isTdm && base_ && !isAligned(*base_).value_or(true))
      return fails("base must be 16-byte aligned");
    if (strides_ && !strides_->empty()) {
      if (bytes_ && !isTdm)
        for (Extent stride : llvm::ArrayRef(*strides_).drop_back())
          if (Extent wide = times(stride, bytes_); wide && *wide % chips::tmaAlignment != 0)
            return fails("strides must be 16-byte aligned: " + llvm::Twine(*stride) +
                         " elements are " + llvm::Twine(*wide) + " bytes");
      if (Extent last = strides_->back(); last && *last != 1)
        return fails("Last dimension must be contiguous, its stride is " + llvm::Twine(*last));
    }
    if (shape_ && llvm::any_of(*shape_, [](Extent extent) { return extent && *extent <= 0; }))
      return fails("shape must be positive");
    if (Value padding = get("padding"); !padding.isUnknown() && !isTdm) {
      if (descriptor_.flavour == Flavour::Triton && padding.as<language::LayoutObject>())
        return fails("Illegal value for padding: the TensorDescriptor of triton.tools takes no "
                     "layout; import that of triton.experimental.gluon.nvidia.hopper");
      auto* text = padding.as<StrObject>();
      if (text ? text->text != "zero" && text->text != "nan" : !padding.is(ValueKind::Host))
        return fails("Illegal value for padding");
      if (text && text->text == "nan" && base_ && base_->dtype && !base_->dtype->isFloat)
        return fails("Padding option `nan` is only supported for floating point tensors");
    }
    if (Value rounds = get("round_f32_to_tf32"); rounds.is(ValueKind::Bool) && rounds.asBool())
      if (base_ && base_->dtype && !isTdm && !(base_->dtype->isFloat && bytes_ == 4))
        return fails("round_f32_to_tf32 is only supported for float32 tensors");
    if (layout_ && layout_->cls->family == language::LayoutFamily::Distributed)
      return fails("Layout must be NVMMASharedLayout");
    if (descriptor_.flavour == Flavour::Triton || isTdm) return true;
    return layoutFits();
  }

  bool layoutFits() {
    if (get("layout").isUnknown()) return true;
    if (!layout_ || !language::isA(layout_, language::LayoutKind::NVMMASharedLayout))
      return fails("Layout must be NVMMASharedLayout");
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
    if (isPadded && strides_)
      for (Extent stride : llvm::ArrayRef(*strides_).drop_back())
        if (Extent wide = times(stride, bytes_); wide && *wide % (2 * chips::tmaAlignment) != 0)
          return fails("For fp4_padded, tensor strides must be 32-byte aligned: " +
                       llvm::Twine(*stride) + " elements are " + llvm::Twine(*wide) + " bytes");
    if (isPadded && swizzle && *swizzle != 128)
      return fails("FP4 padded operands must be swizzled with 128-byte width, but got " +
                   llvm::Twine(*swizzle));
    if (bytes_ != 1 && bytes_ != 2 && bytes_ != 4)
      return fails("tensor descriptor dtype must be 8, 16, or 32 bits, but got " +
                   llvm::Twine(bytes_ * 8));
    return true;
  }

  // im2col: a block is pixels by channels, and the filter's first corner moves in a box.
  bool pixels() {
    if (block_ && block_->size() != 2) return fails("im2col: block_shape must be 2D");
    if (shape_ && (shape_->size() < 3 || shape_->size() > 5))
      return fails("im2col mode requires rank 3, 4, or 5, got " + llvm::Twine(shape_->size()));
    std::optional<size_t> spatial;
    if (shape_) spatial = shape_->size() - 2;
    return elementStrides() && corner("pixel_box_lower_corner", spatial) &&
           corner("pixel_box_upper_corner", spatial) && blockIsWhole();
  }
  bool elementStrides() {
    auto steps = extents("element_strides");
    if (get("element_strides").isNone() || !steps) return true;
    if (shape_ && steps->size() != shape_->size())
      return fails("element_strides length mismatch: expected " + llvm::Twine(shape_->size()) +
                   ", got " + llvm::Twine(steps->size()));
    for (auto [i, step] : llvm::enumerate(*steps))
      if (step && (*step <= 0 || *step > 8))
        return fails("element_strides[" + llvm::Twine(i) + "] must be in (0, 8], got " +
                     llvm::Twine(*step));
    if (!steps->empty() && steps->back() && *steps->back() != 1)
      return fails("element_strides[-1] must be 1, got " + llvm::Twine(*steps->back()));
    return true;
  }
  bool corner(llvm::StringRef name, std::optional<size_t> spatial) {
    if (get(name).isNone()) return fails(name + " required for im2col");
    auto offsets = extents(name);
    if (!offsets || !spatial) return true;
    if (offsets->size() != *spatial) return fails(name + " length mismatch");
    // As many bits as the hardware has for them.
    static constexpr int64_t most[] = {0, 32767, 127, 15};
    for (auto [i, offset] : llvm::enumerate(*offsets))
      if (offset && (*offset > most[*spatial] || *offset < -most[*spatial] - 1))
        return fails(name + "[" + llvm::Twine(i) + "] must be in [" +
                     llvm::Twine(-most[*spatial] - 1) + ", " + llvm::Twine(most[*spatial]) +
                     "], got " + llvm::Twine(*offset));
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
  bool isOfAmd_ = false;
  const TensorObject* base_ = nullptr;
  const language::LayoutObject* layout_ = nullptr;
  std::optional<Extents> shape_, strides_, block_;
  int64_t bytes_ = 0; // per element; 0 if not known
};

} // namespace

// A parameter of a descriptor class after those that must be given, and its default.
struct Parameter {
  llvm::StringLiteral name;
  enum class Default : uint8_t { Required, Zero, False, None } value = Default::Required;
};
using Default = Parameter::Default;

static constexpr Parameter ofTiled[] = {{"base"},
                                        {"shape"},
                                        {"strides"},
                                        {"block_shape"},
                                        {"layout"},
                                        {"padding", Default::Zero},
                                        {"round_f32_to_tf32", Default::False}};
static constexpr Parameter ofIm2Col[] = {{"base"},
                                         {"shape"},
                                         {"strides"},
                                         {"block_shape"},
                                         {"layout"},
                                         {"padding", Default::Zero},
                                         {"round_f32_to_tf32", Default::False},
                                         {"element_strides", Default::None},
                                         {"pixel_box_lower_corner", Default::None},
                                         {"pixel_box_upper_corner", Default::None}};
static constexpr Parameter ofTriton[] = {{"base"},
                                         {"shape"},
                                         {"strides"},
                                         {"block_shape"},
                                         {"padding", Default::Zero},
                                         {"round_f32_to_tf32", Default::False}};

static bool bindParameters(Interpreter& in, llvm::StringRef function,
                           const CallArguments& arguments, llvm::ArrayRef<Parameter> parameters,
                           llvm::SmallVectorImpl<Value>& bound) {
  llvm::SmallVector<llvm::StringLiteral, 10> names;
  unsigned required = 0;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    required += parameter.value == Default::Required;
  }
  bound.resize(names.size());
  return in.bind(function, arguments, names, required, bound);
}

static Value makeDescriptor(Interpreter& in, const CallArguments& arguments,
                            HostDescriptorObject::Flavour flavour,
                            llvm::ArrayRef<Parameter> parameters, bool isOfAmd = false) {
  llvm::SmallVector<Value, 10> bound;
  llvm::StringRef init = flavour == HostDescriptorObject::Flavour::Im2Col
                             ? "TensorDescriptorIm2Col.__init__"
                             : "TensorDescriptor.__init__";
  if (!bindParameters(in, init, arguments, parameters, bound)) return Value::absent();
  auto* descriptor = in.heap().make<HostDescriptorObject>();
  descriptor->cls = &tensorDescriptorClass;
  descriptor->flavour = flavour;
  Scope* attributes = in.newScope();
  descriptor->attributes = attributes;
  for (auto [parameter, value] : llvm::zip(parameters, bound)) {
    if (value.isAbsent())
      value = parameter.value == Default::Zero    ? in.string("zero")
              : parameter.value == Default::False ? Value::boolean(false)
                                                  : Value::none();
    attributes->set(in.name(parameter.name), value);
  }
  if (!DescriptorCheck(in, *descriptor, isOfAmd).passes()) {
    in.refused();
    return Value::absent();
  }
  return Value::object(ValueKind::Host, descriptor);
}

static HostDescriptorObject::Flavour flavourFor(Interpreter& in) {
  return chips::isAmd(in.target()) ? HostDescriptorObject::Flavour::Tdm
                                   : HostDescriptorObject::Flavour::Tiled;
}
Value makeTensorDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments, flavourFor(in), ofTiled);
}
Value makeTdmDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments, flavourFor(in), ofTiled, /*isOfAmd=*/true);
}
Value makeIm2ColDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments, HostDescriptorObject::Flavour::Im2Col, ofIm2Col);
}
static Value makeTritonDescriptor(Interpreter& in, const CallArguments& arguments) {
  return makeDescriptor(in, arguments, HostDescriptorObject::Flavour::Triton, ofTriton);
}

// from_tensor(tensor, ...): the constructor's arguments, where shape and strides are the tensor's.
static Value fromTensor(Interpreter& in, const CallArguments& arguments, Native make,
                        llvm::ArrayRef<Parameter> parameters) {
  constexpr size_t ofTensor = 3; // base, shape and strides
  llvm::SmallVector<Parameter, 10> own;
  own.push_back({"tensor"});
  own.append(parameters.begin() + ofTensor, parameters.end());
  llvm::SmallVector<Value, 10> bound;
  if (!bindParameters(in, "TensorDescriptor.from_tensor", arguments, own, bound))
    return Value::absent();
  Value shape = in.getAttribute(bound[0], in.names().shape);
  if (shape.isAbsent()) return shape;
  Value strides = in.callMethod(bound[0], in.name("stride"), {});
  if (strides.isAbsent()) return strides;
  llvm::SmallVector<KeywordArgument> keywords{
      {in.name("base"), bound[0]}, {in.names().shape, shape}, {in.name("strides"), strides}};
  for (auto [parameter, value] : llvm::drop_begin(llvm::zip(own, bound)))
    if (!value.isAbsent()) keywords.push_back({in.name(parameter.name), value});
  return make(in, {{}, keywords});
}
Value descriptorFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, makeTensorDescriptor, ofTiled);
}
Value tdmDescriptorFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, makeTdmDescriptor, ofTiled);
}
Value im2ColDescriptorFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, makeIm2ColDescriptor, ofIm2Col);
}
static Value tritonFromTensor(Interpreter& in, const CallArguments& arguments) {
  return fromTensor(in, arguments, makeTritonDescriptor, ofTriton);
}

Value tensorDescriptorModule(Interpreter& in, llvm::StringRef name) {
  if (name != "TensorDescriptor") return Value::unknown();
  Value make = in.function("TensorDescriptor", [](Interpreter& i, const CallArguments& arguments) {
    return makeTritonDescriptor(i, {arguments.positional.drop_front(), arguments.keywords});
  });
  return in.namespaceOf("TensorDescriptor",
                        {{"from_tensor", in.function("from_tensor", tritonFromTensor)},
                         {in.text(in.names().call), make}});
}

} // namespace gluond::evaluate
