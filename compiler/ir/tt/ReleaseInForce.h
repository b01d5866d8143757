// The release of Triton whose folds and spelling the IR of a context follows: the newest one,
// except within a ReleaseScope.
#pragma once

#include "releases/Rules.h"

#include <mlir/IR/MLIRContext.h>

namespace gluond::tt {

// Lets a context have a release; done once, by createContext().
void addReleaseInForce(mlir::MLIRContext& context);

releases::Release releaseInForce(mlir::MLIRContext* context);
inline bool follows(releases::Rule rule, mlir::MLIRContext* context) {
  return releases::holds(rule, releaseInForce(context));
}

class ReleaseScope {
public:
  ReleaseScope(mlir::MLIRContext* context, releases::Release release);
  ~ReleaseScope();
  ReleaseScope(const ReleaseScope&) = delete;
  ReleaseScope& operator=(const ReleaseScope&) = delete;

private:
  mlir::MLIRContext* context_;
  releases::Release before_;
};

} // namespace gluond::tt
