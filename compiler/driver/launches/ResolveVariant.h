// Turns a variant into codegen's Specialization, with its arguments as types and values. Internal
// to driver/.
#pragma once

#include "driver/launches/Kernels.h"

namespace gluond::codegen {
class CodegenContext;
struct Specialization;
} // namespace gluond::codegen

namespace gluond::driver {

// Its results live as long as the resolver.
class VariantResolver {
public:
  VariantResolver(const Snapshot& snapshot, const EvaluatedFile& program,
                  codegen::CodegenContext& context);
  ~VariantResolver();
  // The error is about the record or launch.
  tl::expected<codegen::Specialization, diagnostics::Diagnostic> resolve(const Variant& variant);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace gluond::driver
