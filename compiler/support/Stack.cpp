#include "support/Stack.h"

#include <algorithm>
#include <pthread.h>

namespace gluond {

namespace {

uintptr_t findLowestFrame() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* end = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &end, &size);
  pthread_attr_destroy(&attributes);
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  auto lowest = reinterpret_cast<uintptr_t>(end);
  // A main thread without a limit reports all of the address space; at most this much is used.
  constexpr uintptr_t most = 64u << 20;
  if (here - lowest > most) lowest = here - most;
  // On a small stack the reserve is a quarter of it, so that something can be done at all.
  return lowest + std::min<uintptr_t>(stackReserveBytes, (here - lowest) / 4);
}

} // namespace

uintptr_t lowestFrame() {
  thread_local const uintptr_t lowest = findLowestFrame();
  return lowest;
}

} // namespace gluond
