#include "ir/Locations.h"

namespace gluond::ir {
using namespace mlir;

std::vector<Location> callersOf(Location location) {
  std::vector<Location> callers;
  while (auto call = dyn_cast<CallSiteLoc>(location)) {
    callers.push_back(call.getCaller());
    location = call.getCallee();
  }
  return callers;
}

Location withoutCalls(Location location) {
  while (auto call = dyn_cast<CallSiteLoc>(location))
    location = call.getCallee();
  return location;
}

FileLineColRange rangeOf(Location location, llvm::function_ref<bool(FileLineColRange)> accepts) {
  FileLineColRange found;
  location->walk([&](Location part) {
    auto range = dyn_cast<FileLineColRange>(LocationAttr(part));
    if (!range || !accepts(range)) return WalkResult::advance();
    found = range;
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace gluond::ir
