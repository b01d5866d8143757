#include "cli/input/ServerOptions.h"

#include "cli/input/Inputs.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <thread>

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

lsp::ServerOptions serverOptions(unsigned threads, const std::vector<std::string>& given) {
  if (threads == 0) threads = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  driver::Settings settings;
  settings.overrides = settingsOf(given);
  settings.documentation =
      installedPath({"../share/doc/gluond/diagnostics.md", "../../docs/diagnostics.md"});
  return {.threads = threads, .settings = std::move(settings)};
}

lsp::SupervisorOptions supervisorOptions(unsigned threads, const std::vector<std::string>& settings,
                                         const std::string& served) {
  lsp::SupervisorOptions options;
  options.command = {"gluond", "lsp", "--worker"};
  if (threads > 0)
    options.command.insert(options.command.end(), {"--threads", std::to_string(threads)});
  for (const std::string& setting : settings)
    options.command.insert(options.command.end(), {"--set", setting});
  if (!served.empty()) options.command.insert(options.command.end(), {"--served", served});
  return options;
}

} // namespace gluond::cli
