#include "ir/tt/ReleaseInForce.h"

#include "ir/tt/Dialect.h"

#include <mlir/IR/DialectInterface.h>

namespace gluond::tt {

using namespace mlir;

namespace {

// A context serves one thread at a time.
struct InForce : DialectInterface::Base<InForce> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InForce)
  explicit InForce(Dialect* dialect) : Base(dialect) {}
  mutable releases::Release release = releases::newest;
};

const InForce* find(MLIRContext* context) {
  auto* dialect = context->getLoadedDialect<TTDialect>();
  return dialect ? dialect->getRegisteredInterface<InForce>() : nullptr;
}

} // namespace

void addReleaseInForce(MLIRContext& context) {
  auto* dialect = context.getOrLoadDialect<TTDialect>();
  dialect->addInterface(std::make_unique<InForce>(dialect));
}

releases::Release releaseInForce(MLIRContext* context) {
  const InForce* found = find(context);
  return found ? found->release : releases::newest;
}

ReleaseScope::ReleaseScope(MLIRContext* context, releases::Release release)
    : context_(context), before_(releaseInForce(context)) {
  if (const InForce* found = find(context_)) found->release = release;
}
ReleaseScope::~ReleaseScope() {
  if (const InForce* found = find(context_)) found->release = before_;
}

} // namespace gluond::tt
