// Functions of the C library that would open a shared library in a static gluond, or would slow its
// start.
//
// A static program can only load libraries of the very C library that it was linked with. These
// definitions replace the archive's own (compiler/cli/CMakeLists.txt), so that gluond behaves in
// the same way on every Linux.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <pwd.h>
#include <unwind.h>

namespace {

// The archive's functions ask the modules that /etc/nsswitch.conf names, which are libraries.
// gluond wants the home of a user only if HOME is not set, so the users of /etc/passwd are enough.
template <typename Predicate>
int findUser(passwd* user, char* buffer, size_t size, passwd** found, Predicate isWanted) {
  *found = nullptr;
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/etc/passwd", "re"), std::fclose);
  if (!file) return errno == ENOENT ? 0 : errno;
  passwd* next = nullptr;
  int error;
  while ((error = ::fgetpwent_r(file.get(), user, buffer, size, &next)) == 0) {
    if (!isWanted(*next)) continue;
    *found = next;
    return 0;
  }
  return error == ENOENT ? 0 : error;
}

struct Trace {
  void** frames;
  int size, count;
};

_Unwind_Reason_Code addFrame(_Unwind_Context* context, void* data) {
  auto& trace = *static_cast<Trace*>(data);
  if (trace.count == trace.size) return _URC_END_OF_STACK;
  trace.frames[trace.count++] = reinterpret_cast<void*>(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

} // namespace

extern "C" {

int getpwuid_r(uid_t id, passwd* user, char* buffer, size_t size, passwd** found) {
  return findUser(user, buffer, size, found, [&](const passwd& each) { return each.pw_uid == id; });
}

int getpwnam_r(const char* name, passwd* user, char* buffer, size_t size, passwd** found) {
  return findUser(user, buffer, size, found,
                  [&](const passwd& each) { return std::strcmp(each.pw_name, name) == 0; });
}

// The archive's one loads libgcc_s.so.1 for its unwinder, which is linked into gluond already.
int backtrace(void** frames, int size) {
  Trace trace{frames, size, 0};
  _Unwind_Backtrace(addFrame, &trace);
  return trace.count;
}

// The unwinder finds a frame by binary search in the table that the linker makes (--eh-frame-hdr).
// The start code of a static program registers all frames besides, and the first exception would
// sort them: 20 ms.
// NOLINTBEGIN(bugprone-reserved-identifier): the C library's own names
void __register_frame_info(const void*, void*) {}
void* __deregister_frame_info(const void*) {
  return nullptr;
}
// NOLINTEND(bugprone-reserved-identifier)
}
