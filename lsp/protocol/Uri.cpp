#include "lsp/protocol/Uri.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/xxhash.h>

#include <climits>
#include <utility>

namespace gluond::lsp {

// No file has a longer path, and whoever looks at the folders above a path takes time and memory
// for each of them: such a document has a short name that is no path.
static std::string bounded(std::string path, llvm::StringRef uri) {
  constexpr size_t longest = PATH_MAX;
  return path.size() <= longest ? path : "long-uri-" + llvm::utohexstr(llvm::xxh3_64bits(uri));
}

std::string pathFromUri(llvm::StringRef uri) {
  llvm::StringRef rest = uri;
  if (!rest.consume_front("file://")) return bounded(uri.str(), uri);
  if (!rest.starts_with("/")) { // an authority: "localhost"
    size_t slash = rest.find('/');
    if (slash == llvm::StringRef::npos) return bounded(uri.str(), uri);
    rest = rest.drop_front(slash);
  }
  std::string path;
  path.reserve(rest.size());
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size() && llvm::isHexDigit(rest[i + 1]) &&
        llvm::isHexDigit(rest[i + 2])) {
      path += static_cast<char>(llvm::hexFromNibbles(rest[i + 1], rest[i + 2]));
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return bounded(std::move(path), uri);
}

std::string uriFromPath(llvm::StringRef path) {
  if (!path.starts_with("/")) return path.str();
  std::string uri = "file://";
  for (char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c)) {
      uri += c;
    } else {
      uri += '%';
      uri += llvm::hexdigit(static_cast<unsigned char>(c) >> 4);
      uri += llvm::hexdigit(static_cast<unsigned char>(c) & 15);
    }
  }
  return uri;
}

} // namespace gluond::lsp
