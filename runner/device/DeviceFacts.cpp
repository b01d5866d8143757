#include "runner/device/DeviceFacts.h"

#include <algorithm>

namespace gluond::runner::device {

unsigned askAttribute(const Calls& calls, int device, int attribute) {
  int value = 0;
  return calls.deviceAttribute(&value, attribute, device) == success && value > 0
             ? static_cast<unsigned>(value)
             : 0u;
}

DeviceInfo factsOf(const Calls& calls, int device, const AttributeNumbers& numbers) {
  auto ask = [&](int attribute) { return askAttribute(calls, device, attribute); };
  char name[256] = {};
  calls.deviceName(name, sizeof name - 1, device);
  size_t memory = 0;
  calls.deviceMemory(&memory, device);
  DeviceInfo info;
  info.name = name;
  info.warpSize = std::max(ask(numbers.warpSize), 1u);
  info.multiprocessors = ask(numbers.multiprocessors);
  info.memoryBytes = memory;
  info.l2Bytes = ask(numbers.l2Size);
  info.clockMHz = ask(numbers.clockRate) / 1000;
  info.memoryClockMHz = ask(numbers.memoryClockRate) / 1000;
  info.memoryBusBits = ask(numbers.memoryBusWidth);
  info.sharedPerBlock = ask(numbers.sharedPerBlock);
  info.sharedPerMultiprocessor = ask(numbers.sharedPerMultiprocessor);
  info.registersPerMultiprocessor = ask(numbers.registersPerMultiprocessor);
  info.threadsPerMultiprocessor = ask(numbers.threadsPerMultiprocessor);
  info.blocksPerMultiprocessor = ask(numbers.blocksPerMultiprocessor);
  return info;
}

} // namespace gluond::runner::device
