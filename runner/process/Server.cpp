#include "runner/process/Server.h"

#include "runner/hip/HipDriver.h"
#include "runner/process/Gpu.h"
#include "runner/protocol/RequestLoop.h"

#include <csignal>

namespace gluond::runner {

namespace {

class Server {
public:
  Server()
      : loop_(capture_.protocol(),
              [this](RequestLoop&, const Request& request) { handle(request); }),
        watchdog_([this](const std::string& kernel, uint64_t milliseconds) {
          hung(kernel, milliseconds);
        }),
        gpu_(watchdog_, capture_) {
    catchAborts();
  }

  [[noreturn]] void read() { loop_.read(); }

private:
  void handle(const Request& request) {
    std::string_view in = request.binary;
    const std::string& method = request.method;
    if (method == "initialize")
      loop_.call<InitializeParams>(
          request, [&](auto& params, std::string&) -> Expected<InitializeResult> {
            if (params.protocol != protocolVersion)
              return tl::unexpected(
                  Problem{ProblemKind::Request,
                          "this runner speaks version " + std::to_string(protocolVersion) +
                              " of the protocol, gluond " + std::to_string(params.protocol),
                          {},
                          {},
                          {},
                          false});
            return gpu_.initialize();
          });
    else if (method == "load")
      loop_.call<LoadParams>(request,
                             [&](auto& params, std::string&) { return gpu_.load(params, in); });
    else if (method == "unload")
      loop_.call<UnloadParams>(request,
                               [&](auto& params, std::string&) { return gpu_.unload(params); });
    else if (method == "run")
      loop_.call<RunParams>(
          request, [&](auto& params, std::string& out) { return gpu_.run(params, in, out); });
    else if (method == "time")
      loop_.call<TimeParams>(request, [&](auto& params, std::string&) {
        return gpu_.time(params, in, request.token, [&](const Times& times) {
          loop_.notify("progress", json::encode(Progress{request.id, times}));
        });
      });
    else if (method == "compare")
      loop_.call<CompareParams>(
          request, [&](auto& params, std::string&) { return gpu_.compare(params, in); });
    else
      loop_.refuse(request);
  }

  void hung(const std::string& kernel, uint64_t milliseconds) {
    std::string time = milliseconds < 1000 ? std::to_string(milliseconds) + " ms"
                                           : std::to_string(milliseconds / 1000) + " s";
    Problem problem{ProblemKind::Hang, "", kernel, "", capture_.take(), true};
    problem.message = kernel.empty() ? "the driver did not answer within " + time
                                     : kernel + " did not end within " + time +
                                           ": a loop without end, or a wait (an mbarrier, another "
                                           "program) that nothing ends";
    loop_.fail(loop_.current(), problem);
  }

  // ROCm ends the process when a kernel faults: this is the last that it does.
  void aborted() {
    std::string kernel = watchdog_.kernel(), output = capture_.take();
    std::string why = hip::explainAbort(output);
    Problem problem{ProblemKind::Driver, "the driver ended the process", kernel, "", output, true};
    if (!why.empty()) {
      problem.kind = ProblemKind::Fault;
      problem.message = (kernel.empty() ? "a kernel" : kernel) + " failed on the GPU. " + why;
    }
    loop_.fail(loop_.current(), problem);
  }
  void catchAborts() {
    static Server* only;
    only = this;
    std::signal(SIGABRT, [](int) {
      std::signal(SIGABRT, SIG_DFL);
      only->aborted();
    });
  }

  Capture capture_;
  RequestLoop loop_;
  Watchdog watchdog_;
  Gpu gpu_;
};

} // namespace

void serve() {
  std::signal(SIGPIPE, SIG_IGN);
  Server server;
  server.read();
}

} // namespace gluond::runner
