// `gluond serve`: the language server, an editor and the panels in a browser page.
#include "cli/input/Commands.h"
#include "cli/input/ServerOptions.h"
#include "cli/output/Output.h"
#include "lsp/server/ServedFolder.h"
#include "lsp/supervisor/SessionReplay.h"
#include "lsp/transport/WebSocket.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <atomic>
#include <system_error>
#include <thread>

namespace gluond::cli {

namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// The limit for open windows; each has its own server, a process of its own.
constexpr unsigned mostClients = 16;

std::string contentType(llvm::StringRef name) {
  return llvm::StringSwitch<std::string>(path::extension(name))
      .Case(".html", "text/html; charset=utf-8")
      .Case(".js", "text/javascript; charset=utf-8")
      .Case(".css", "text/css; charset=utf-8")
      .Case(".svg", "image/svg+xml")
      .Case(".ttf", "font/ttf")
      .Default("application/octet-stream");
}

// The page's files by name, read once: no other file is served.
using Page = llvm::StringMap<lsp::HttpFile>;
Page readPage(const std::string& folder) {
  Page page;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
    if (it->type() != fs::file_type::regular_file) continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path(), false, false);
    if (!buffer) continue;
    llvm::StringRef name = path::filename(it->path());
    page[name] = {contentType(name),
                  std::make_shared<const std::string>((*buffer)->getBuffer().str())};
  }
  return page;
}

// "#a%20b.py": the page shows that file first.
std::string fragmentOf(llvm::StringRef file) {
  std::string text = file.empty() ? "" : "#";
  for (char c : file)
    if (llvm::isAlnum(c) || llvm::StringRef("-_.~").contains(c))
      text += c;
    else
      text += "%" + llvm::utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, 2);
  return text;
}

} // namespace

int serve(const ServeOptions& options) {
  std::string place = options.folder.empty() ? "." : options.folder, file;
  if (fs::is_regular_file(place)) { // its folder, with the file in front
    file = path::filename(place).str();
    place = path::parent_path(place).str();
    if (place.empty()) place = ".";
  }
  auto folder = lsp::ServedFolder::open(place);
  if (!folder) {
    complain(folder.error());
    return wrongUse;
  }
  std::string pageFolder =
      installedPath({"../share/gluond/page/index.html", "../../visualizer/dist/page/index.html"});
  Page page;
  if (!pageFolder.empty()) page = readPage(path::parent_path(pageFolder).str());
  if (page.empty()) {
    complain("the page is not built: install npm, then run 'npm ci && npm run build' in "
             "visualizer/, or configure again and build the target 'visualizer'");
    return findings;
  }
  std::string token = lsp::randomToken();
  lsp::WebPage webPage{[&page](std::string_view name) -> std::optional<lsp::HttpFile> {
    auto it = page.find(llvm::StringRef(name));
    if (it == page.end()) return std::nullopt;
    return it->second;
  }};
  auto listener = lsp::WebSocketListener::listen({options.port, token, {}, std::move(webPage)});
  if (!listener) {
    complain(listener.error());
    return findings;
  }
  {
    Output out;
    out << "gluond shows " << folder->path()
        << " at\n\n  http://127.0.0.1:" << std::to_string((*listener)->port()) << "/" << token
        << "/" << fragmentOf(file)
        << "\n\nOnly this machine can open the page, and only with this address. Ctrl-C ends the "
           "server.\n";
  }

  std::atomic<unsigned> clients{0};
  while (std::shared_ptr<lsp::Transport> transport = (*listener)->accept()) {
    if (clients >= mostClients) continue; // closes it
    ++clients;
    auto talk = [&clients, &options, root = folder->path(), transport]() mutable {
      lsp::Supervisor(*transport, std::make_unique<lsp::SessionReplay>(),
                      supervisorOptions(options.threads, options.settings, root))
          .run();
      transport.reset();
      --clients;
      clients.notify_all();
    };
    try {
      std::thread(std::move(talk)).detach();
    } catch (const std::system_error&) { // no thread is to be had: this client is sent away
      --clients;
    }
  }
  while (unsigned left = clients)
    clients.wait(left);
  return fine;
}

} // namespace gluond::cli
