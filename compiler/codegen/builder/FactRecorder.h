// Collects ExpressionFacts while a kernel is generated. Each type is described once, so recording
// an expression is a hash lookup.
#pragma once

#include "codegen/context/ExpressionFacts.h"
#include "language/types/Type.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

namespace gluond::codegen {

class IrBuilder;
class FileLocations;
class SourceFiles;

class FactRecorder {
public:
  FactRecorder(ExpressionFacts& facts, const SourceFiles& files) : facts_(facts), files_(files) {}
  void record(IrBuilder& emit, const FileLocations* file, text::Range range, language::Value value);

private:
  uint32_t describe(IrBuilder& emit, language::Value value, unsigned depth = 0);
  TypeFact describeIr(IrBuilder& emit, const language::Type* type) const;
  TypeFact describeObject(IrBuilder& emit, language::Value value, unsigned depth);
  std::optional<uint32_t> view(language::Value value, const FileLocations& file, text::Range range);
  std::optional<diagnostics::Location> place(const language::ModuleObject* module,
                                             text::Range range) const;

  ExpressionFacts& facts_;
  const SourceFiles& files_;
  llvm::DenseMap<const void*, uint32_t> types_;        // by Type or object
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> seen_; // (file, range)
  llvm::DenseMap<const void*, std::string> buffers_;   // how each was mentioned last
};

} // namespace gluond::codegen
