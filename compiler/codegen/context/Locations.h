// MLIR locations of syntax nodes: file, first and last line and column, all 1-based as in MLIR.
// Created on first use, a page of nodes at a time, because most nodes of a file belong to kernels
// that are not compiled.
#pragma once

#include "codegen/context/SourceFiles.h"
#include "syntax/tree/Ast.h"

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Location.h>

#include <array>
#include <memory>
#include <vector>

namespace gluond::codegen {

class FileLocations {
public:
  FileLocations(mlir::MLIRContext& context, const SourceFile& file, llvm::StringRef path);

  mlir::Location of(const syntax::Node* node) {
    auto& page = pages_[node->id / pageSize];
    if (!page) page = std::make_unique<Page>();
    mlir::LocationAttr& location = (*page)[node->id % pageSize];
    if (!location) location = make(node->range);
    return location;
  }
  const SourceFile& file() const { return file_; }
  // The range that a location of this file denotes.
  text::Range range(mlir::FileLineColRange location) const;

private:
  static constexpr uint32_t pageSize = 256;
  using Page = std::array<mlir::LocationAttr, pageSize>;
  mlir::LocationAttr make(text::Range range) const;

  SourceFile file_;
  mlir::StringAttr path_;
  std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace gluond::codegen
