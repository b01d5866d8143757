// torch.device: a kind, and an index where one was given.
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/torch/Torch.h"
#include "evaluate/torch/TorchNames.h"
#include "evaluate/values/Classes.h"
#include "language/types/Text.h"

#include <llvm/ADT/StringExtras.h>

namespace gluond::evaluate {

namespace {

struct DeviceObject : HostObject {
  llvm::StringRef kind;
  Extent index;
};
extern const HostClass deviceClass;

Value deviceAttribute(Interpreter& in, Value self, Name name) {
  auto* device = hostAs<DeviceObject>(self, deviceClass);
  llvm::StringRef text = in.text(name);
  if (text == "type") return in.string(device->kind);
  if (text == "index") return device->index ? Value::integer(*device->index) : Value::none();
  return text.starts_with("__") ? Value::absent() : Value::unknown();
}

std::string deviceRepr(Interpreter&, Value self) {
  auto* device = hostAs<DeviceObject>(self, deviceClass);
  std::string index = device->index ? ", index=" + std::to_string(*device->index) : "";
  return "device(type=" + language::reprString(device->kind) + index + ")";
}

std::string deviceText(Interpreter&, Value self) {
  auto* device = hostAs<DeviceObject>(self, deviceClass);
  return device->kind.str() + (device->index ? ":" + std::to_string(*device->index) : "");
}

std::optional<bool> deviceEqual(Interpreter&, Value self, Value other) {
  auto *a = hostAs<DeviceObject>(self, deviceClass), *b = hostAs<DeviceObject>(other, deviceClass);
  return b && a->kind == b->kind && a->index == b->index;
}

const HostClass deviceClass = {.name = "device",
                               .attribute = deviceAttribute,
                               .repr = deviceRepr,
                               .str = deviceText,
                               .equal = deviceEqual,
                               .rebinding = &sharedHost};

Value makeDevice(Interpreter& in, llvm::StringRef kind, Extent index) {
  auto* object = in.heap().make<DeviceObject>();
  object->cls = &deviceClass;
  object->kind = in.heap().copy(kind);
  object->index = index;
  return Value::object(ValueKind::Host, object);
}

} // namespace

Value torchDevice(Interpreter& in, const CallArguments& arguments) {
  Value given = torchArgument(in, arguments, 0, "type"),
        index = torchArgument(in, arguments, 1, "index");
  if (given.isAbsent()) given = torchKeyword(in, arguments, "device");
  if (hostAs<DeviceObject>(given, deviceClass)) return given;
  if (given.isIntegral()) return makeDevice(in, "cuda", given.asInt());
  auto* text = given.as<StrObject>();
  if (!text || index.isUnknown()) return Value::unknown();
  auto [kind, number] = text->text.split(':');
  int64_t parsed;
  if (!number.empty() && number.getAsInteger(10, parsed)) return Value::unknown();
  return makeDevice(in, kind,
                    !number.empty()      ? Extent(parsed)
                    : index.isIntegral() ? Extent(index.asInt())
                                         : std::nullopt);
}

Value deviceOf(Interpreter& in, const TensorObject& tensor) {
  return tensor.place == TensorPlace::Cpu ? makeDevice(in, "cpu", std::nullopt)
                                          : makeDevice(in, "cuda", 0);
}

TensorPlace placeOfDevice(Value device) {
  llvm::StringRef kind = kindOfDevice(device);
  return kind == "cpu"    ? TensorPlace::Cpu
         : kind == "cuda" ? TensorPlace::Gpu
                          : TensorPlace::Unknown;
}

llvm::StringRef kindOfDevice(Value device) {
  if (auto* object = hostAs<DeviceObject>(device, deviceClass)) return object->kind;
  auto* text = device.as<StrObject>();
  return text ? text->text.split(':').first : llvm::StringRef();
}

bool refusesDevice(Interpreter& in, llvm::StringRef device) {
  // Words that people use for a GPU, and dtypes: a backend that is not built in has neither name.
  bool isNone = llvm::is_contained({"gpu", "nvidia", "amd", "rocm"}, device) ||
                isNameOfTriton(device) || (!device.empty() && findTorchDtype(device));
  if (!isNone && !isMisspeltInTorch("kinds of devices", device)) return false;
  in.raise({ErrorKind::TensorDevice, device.str(), ""}, "RuntimeError",
           "Expected one of " + llvm::join(torchNames("kinds of devices"), ", ") +
               " device type at start of device string: " + device);
  return true;
}

} // namespace gluond::evaluate
