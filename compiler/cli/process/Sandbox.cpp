#include "cli/process/Sandbox.h"

#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gluond::cli {

namespace {

// Constants that older system headers lack (Documentation/userspace-api/landlock.rst).
struct Ruleset {
  uint64_t files = 0, network = 0, scopes = 0;
};
constexpr uint64_t write = 1u << 1, removeAndMake = 0x1FF0, refer = 1u << 13, truncate = 1u << 14,
                   ioctl = 1u << 15;
constexpr uint64_t bindAndConnectTcp = 3, abstractSocketsAndSignals = 3;

long landlockVersion() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// There are no rules, so everything that the ruleset handles is denied.
void landlock() {
  long version = landlockVersion();
  if (version < 1) return;
  Ruleset rules;
  rules.files = write | removeAndMake;
  if (version >= 2) rules.files |= refer;
  if (version >= 3) rules.files |= truncate;
  if (version >= 5) rules.files |= ioctl;
  if (version >= 4) rules.network = bindAndConnectTcp;
  if (version >= 6) rules.scopes = abstractSocketsAndSignals;
  size_t size = version >= 6   ? sizeof(Ruleset)
                : version >= 4 ? offsetof(Ruleset, scopes)
                               : offsetof(Ruleset, network);
  long set = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (set < 0) return;
  ::syscall(SYS_landlock_restrict_self, set, 0);
  ::close(static_cast<int>(set));
}

#if defined(__x86_64__)
constexpr uint32_t ownArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t ownArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t ownArchitecture = 0;
#endif

// Sockets of any kind, and other processes' memory: Landlock does not cover them.
void seccomp() {
  if constexpr (ownArchitecture == 0) return;
  constexpr uint32_t refused = SECCOMP_RET_ERRNO | 1; // EPERM
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ownArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, refused),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 6, 0), // x32
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_connect, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ptrace, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_process_vm_writev, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_bpf, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, refused),
  };
  sock_fprog program{sizeof filter / sizeof *filter, filter};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

} // namespace

void giveUpWriting() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  landlock();
  seccomp();
}

std::string sandboxKinds() {
  std::string kinds;
  if (long version = landlockVersion(); version >= 1) kinds = "Landlock " + std::to_string(version);
  if (ownArchitecture != 0 && ::prctl(PR_GET_SECCOMP) >= 0)
    kinds += kinds.empty() ? "seccomp" : ", seccomp";
  return kinds;
}

} // namespace gluond::cli
