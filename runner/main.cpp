// gluond-runner: runs kernels for gluond, in a process of its own that a kernel may crash.
#include "runner/process/Gpu.h"
#include "runner/process/Server.h"
#include "runner/protocol/RequestLoop.h"
#include "support/json/Text.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace gluond::runner;

static int listDevices() {
  InitializeResult found;
  {
    Capture capture; // drivers sometimes write to standard output
    Watchdog watchdog([](const std::string&, uint64_t) { _exit(exitFatal); });
    Gpu gpu(watchdog, capture);
    found = gpu.initialize();
  }
  if (found.devices.empty()) {
    std::fprintf(stderr, "%s\n", whyNoDevice(found.drivers).c_str());
    return 1;
  }
  std::printf("%s\n", gluond::json::indented(gluond::json::encode(found), 2).c_str());
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 1) serve();
  if (argc == 2 && !std::strcmp(argv[1], "--version")) {
    std::printf("gluond-runner " GLUOND_VERSION ", protocol %u\n", protocolVersion);
    return 0;
  }
  if (argc == 2 && !std::strcmp(argv[1], "--devices")) return listDevices();
  bool isHelp = argc == 2 && !std::strcmp(argv[1], "--help");
  std::fprintf(
      isHelp ? stdout : stderr,
      "usage: gluond-runner             serve a client on "
      "standard input and output (docs/runner.md)\n"
      "       gluond-runner --devices   list the GPUs as JSON; exit code 1 where there is none\n"
      "       gluond-runner --version\n"
      "GLUOND_CUDA_LIBRARY and GLUOND_HIP_LIBRARY name the libraries of the drivers, where they "
      "are not the system's libcuda.so.1 and libamdhip64.so.\n");
  return isHelp ? 0 : 2;
}
