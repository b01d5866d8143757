// Why a pass could not go on: data for a diagnostic, never text on stderr.
#pragma once

#include <mlir/IR/Attributes.h>
#include <mlir/IR/Location.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::passes {

enum class FailureKind : uint8_t {
  LayoutConflict,      // an auto or coalesced layout is called for as `first` and as `second`
  LayoutUndetermined,  // nothing decides an auto or coalesced layout
  LayoutAcrossCall,    // an auto or coalesced layout in the signature of a function that stays
  InconsistentTwoCtas, // some matmuls use two CTAs and some one
  WarpPipeline,        // stages that make no pipeline
  Unsupported,         // what Triton itself cannot compile (it aborts)
  Invalid,             // an op no longer verifies; the message is the verifier's
  Cancelled,           // somebody no longer wants the result; there is nothing to say
};

struct FailureNote {
  mlir::Location location;
  std::string message;
};

struct Failure {
  FailureKind kind;
  mlir::Location location;       // of the op at fault
  std::string message;           // in Triton's words, without "op name: error"
  mlir::Attribute first, second; // LayoutConflict: the encodings, ordered as Triton reports them
  std::vector<FailureNote> notes;
  llvm::StringRef pass;             // the step that failed; filled in by the pipeline
  std::vector<Failure> others = {}; // of the same step and independent of this one
};

using Result = tl::expected<void, Failure>;

} // namespace gluond::passes
