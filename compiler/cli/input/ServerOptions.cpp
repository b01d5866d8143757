#include "cli/input/ServerOptions.h"

#include "cli/input/Inputs.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace gluond::cli {

std::string installedPath(std::initializer_list<const char*> relative) {
  static int anchor;
  std::string program = llvm::sys::fs::getMainExecutable("gluond", static_cast<void*>(&anchor));
  llvm::StringRef folder = llvm::sys::path::parent_path(program);
  for (const char* each : relative) {
    std::string path = absolutePath((folder + "/" + each).str());
    if (llvm::sys::fs::exists(path)) return path;
  }
  return "";
}

int takeOutput() {
  int out = ::fcntl(1, F_DUPFD_CLOEXEC, 10);
  ::dup2(2, 1);
  return out;
}

std::optional<CurrentWork> beginWork(const WorkerOptions& options) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would read our output
  auto board = options.board >= 0 ? CurrentWork::attach(options.board) : std::nullopt;
  if (board) board->noteCrashes();
  return board;
}

lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& given) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  driver::Settings settings;
  settings.overrides = settingsOf(given);
  settings.documentation =
      installedPath({"../share/doc/gluond/diagnostics.md", "../../docs/diagnostics.md"});
  return {.threads = threads, .settings = std::move(settings)};
}

static void add(std::vector<std::string>& command, const char* option,
                const std::vector<std::string>& values) {
  for (const std::string& value : values)
    command.insert(command.end(), {option, value});
}

lsp::SupervisorOptions supervisorOptions(unsigned threads, const std::vector<std::string>& settings,
                                         const std::string& served) {
  lsp::SupervisorOptions options;
  options.command = {"gluond", "lsp", "--worker"};
  if (threads > 0)
    options.command.insert(options.command.end(), {"--threads", std::to_string(threads)});
  add(options.command, "--set", settings);
  if (!served.empty()) add(options.command, "--served", {served});
  return options;
}

lsp::SupervisorOptions supervisorOptions(const ToolOptions& tools, const std::string& folder) {
  lsp::SupervisorOptions options;
  options.command = {"gluond", "mcp", folder, "--worker"};
  add(options.command, "--set", tools.settings);
  add(options.command, "--runner", tools.runners);
  options.mostBytes = size_t{12} << 30; // tensors of a kernel that is simulated count, too
  return options;
}

} // namespace gluond::cli
