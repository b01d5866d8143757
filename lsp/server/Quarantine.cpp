#include "lsp/server/Quarantine.h"

#include "lsp/protocol/Codec.h"

#include <llvm/ADT/StringExtras.h>
#include <nlohmann/json.hpp>

namespace gluond::lsp {

namespace {

constexpr const char* method = "$/gluond/quarantine";

struct Params {
  std::string path, hash, why; // the hash in hexadecimal
  GLUOND_FIELDS(field("path", &Params::path), field("hash", &Params::hash),
                field("why", &Params::why))
};

} // namespace

std::string makeQuarantine(const std::string& path, const driver::Quarantined& what) {
  return makeNotification(method, encode(Params{path, llvm::utohexstr(what.hash), what.why}));
}

bool takeQuarantine(const Notification& notification, driver::Workspace& workspace) {
  if (notification.method != method) return false;
  if (auto what = decode<Params>(notification.params))
    workspace.quarantine(what->path,
                         {std::strtoull(what->hash.c_str(), nullptr, 16), std::move(what->why)});
  return true;
}

} // namespace gluond::lsp
