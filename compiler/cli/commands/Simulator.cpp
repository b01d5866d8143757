// `gluond simulator`: launches for another process, such as a program that runs under
// `python -m gluond --device cpu`.
#include "cli/simulator/Simulator.h"

#include "cli/input/Commands.h"
#include "runner/protocol/RequestLoop.h"

#include <unistd.h>

namespace gluond::cli {

int serveSimulator() {
  Simulator simulator;
  runner::RequestLoop(STDOUT_FILENO, [&](runner::RequestLoop& loop,
                                         const runner::Request& request) {
    std::string_view in = request.binary;
    if (request.method == "initialize")
      loop.call<json::Nothing>(request, [&](auto&, std::string&) -> Answer<SimulatorInfo> {
        return simulator.initialize();
      });
    else if (request.method == "load")
      loop.call<SimulatorLoadParams>(
          request, [&](auto& params, std::string&) { return simulator.load(params, in); });
    else if (request.method == "unload")
      loop.call<runner::UnloadParams>(
          request, [&](auto& params, std::string&) { return simulator.unload(params); });
    else if (request.method == "run")
      loop.call<SimulatorRunParams>(request, [&](auto& params, std::string& out) {
        return simulator.run(params, in, request.token, out);
      });
    else
      loop.refuse(request);
  }).read();
}

} // namespace gluond::cli
