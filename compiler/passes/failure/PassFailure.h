// Why a pass failed: data for a diagnostic, never text on stderr.
#pragma once

#include <mlir/IR/Attributes.h>
#include <mlir/IR/Location.h>
#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace gluond::passes {

enum class FailureKind : uint8_t {
  LayoutConflict,      // both `first` and `second` are required for an auto or coalesced layout
  LayoutUndetermined,  // nothing determines an auto or coalesced layout
  LayoutAcrossCall,    // an auto or coalesced layout in the signature of a function that is kept
  InconsistentTwoCtas, // some matmuls use two CTAs and some one
  WarpPipeline,        // stages that form no pipeline
  Unsupported,         // something that Triton itself cannot compile (it aborts)
  Invalid,             // an op no longer verifies; the message is the verifier's
  OtherTarget,         // only another target has the op; the message names it
  Cancelled,           // the result is not needed any more; nothing is reported
};

struct FailureNote {
  mlir::Location location;
  std::string message;
};

struct PassFailure {
  FailureKind kind;
  mlir::Location location;       // of the wrong op
  std::string message;           // in Triton's words, without "op name: error"
  mlir::Attribute first, second; // for LayoutConflict: the encodings, in Triton's order
  std::vector<FailureNote> notes;
  llvm::StringRef pass;                 // the step that failed; filled in by the pipeline
  std::vector<PassFailure> others = {}; // failures of the same step that do not depend on this one
};

using Result = tl::expected<void, PassFailure>;

} // namespace gluond::passes
