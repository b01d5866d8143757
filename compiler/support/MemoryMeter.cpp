#include "support/MemoryMeter.h"

#include <cerrno>
#include <cstddef>
#include <malloc.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define GLUOND_SANITIZER_ALLOCATES
#endif
#endif

namespace gluond {

namespace {
thread_local int64_t bytes __attribute__((tls_model("initial-exec"))) = 0;
thread_local bool isRunning __attribute__((tls_model("initial-exec"))) = false;
} // namespace

int64_t meteredBytes() {
  return bytes;
}
void stopMeter() {
  isRunning = false;
}

#ifndef GLUOND_SANITIZER_ALLOCATES
int64_t startMeter() {
  isRunning = true;
  return bytes;
}

namespace {

void* allocated(void* memory) {
  if (isRunning && memory) bytes += static_cast<int64_t>(malloc_usable_size(memory));
  return memory;
}
void releasing(void* memory) {
  if (isRunning && memory) bytes -= static_cast<int64_t>(malloc_usable_size(memory));
}

} // namespace
#else
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, size_t),
                                                         void (*)(const volatile void*));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void*);

int64_t startMeter() {
  // A sanitizer replaces malloc itself, and reports each call.
  [[maybe_unused]] static const int installed = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, size_t size) {
        if (isRunning) bytes += static_cast<int64_t>(size);
      },
      [](const volatile void* memory) {
        if (isRunning) bytes -= static_cast<int64_t>(__sanitizer_get_allocated_size(memory));
      });
  isRunning = true;
  return bytes;
}
#endif

} // namespace gluond

#ifndef GLUOND_SANITIZER_ALLOCATES
// The C library lets a program define these, and keeps its own under other names.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(size_t size) noexcept {
  return gluond::allocated(__libc_malloc(size));
}
void* calloc(size_t count, size_t size) noexcept {
  return gluond::allocated(__libc_calloc(count, size));
}
void* realloc(void* memory, size_t size) noexcept {
  gluond::releasing(memory);
  void* moved = __libc_realloc(memory, size);
  if (moved)
    gluond::allocated(moved);
  else if (size != 0)
    gluond::allocated(memory); // it stays where it was
  return moved;
}
void* memalign(size_t alignment, size_t size) noexcept {
  return gluond::allocated(__libc_memalign(alignment, size));
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return gluond::allocated(__libc_memalign(alignment, size));
}
int posix_memalign(void** out, size_t alignment, size_t size) noexcept {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* memory = gluond::allocated(__libc_memalign(alignment, size));
  if (!memory) return ENOMEM;
  *out = memory;
  return 0;
}
void free(void* memory) noexcept {
  gluond::releasing(memory);
  __libc_free(memory);
}
}
#endif
