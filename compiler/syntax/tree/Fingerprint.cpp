#include "syntax/tree/Fingerprint.h"

#include "syntax/tree/Children.h"

#include <llvm/Support/xxhash.h>

namespace gluond::syntax {

uint64_t fingerprint(const Stmt* stmt, const text::SourceText& source) {
  return llvm::xxh3_64bits(source.slice(rangeWithDecorators(*stmt)));
}

} // namespace gluond::syntax
