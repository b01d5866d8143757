// Reads the facts about a GPU from its driver, by the driver's own numbers of its attributes.
#pragma once

#include "runner/device/Calls.h"
#include "runner/protocol/Messages.h"

namespace gluond::runner::device {

// The vendor's number of each attribute.
struct AttributeNumbers {
  int warpSize, multiprocessors, l2Size, clockRate, memoryClockRate, memoryBusWidth;
  int sharedPerBlock, sharedPerMultiprocessor, registersPerMultiprocessor;
  int threadsPerMultiprocessor, blocksPerMultiprocessor, virtualMemory;
};

// Returns an attribute's value; 0 if the driver does not know it or it is negative.
unsigned askAttribute(const Calls& calls, int device, int attribute);

// Returns the facts that both vendors' drivers tell in the same way: all but index, capability,
// target and driver.
DeviceInfo factsOf(const Calls& calls, int device, const AttributeNumbers& numbers);

} // namespace gluond::runner::device
