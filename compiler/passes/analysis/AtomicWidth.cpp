#include "passes/analysis/AtomicWidth.h"

#include "chips/Vendor.h"

namespace gluond::passes {

static constexpr AtomicWidth loop = {2, 1};
static constexpr AtomicWidth loopOverPairs = {3, 2};

// LLVM makes the loops. One of them swaps a word, so that two neighbouring halves need only one.
static AtomicWidth ofAmd(bool isSum, mlir::Type element, chips::AmdGeneration generation) {
  using enum chips::AmdGeneration;
  if (isSum && (element.isF16() || element.isBF16()))
    return generation == Rdna3 ? loopOverPairs : AtomicWidth{2, 2}; // pairs only
  if (isSum && element.isF64() && (generation == Rdna3 || generation == Rdna4)) return loop;
  return tt::bitWidth(element) < 32 ? loop : AtomicWidth{};
}

// Only sums of floats are combined: up to 16 bytes of fp32, fp16 or bf16 on chips with vector sums,
// pairs of fp16 on others. Compare-and-swap takes 16 bits, too.
static AtomicWidth ofNvidia(std::optional<tt::RMWOp> kind, mlir::Type element,
                            chips::Features features) {
  if (kind != tt::RMWOp::FADD) return kind && tt::bitWidth(element) < 32 ? loop : AtomicWidth{};
  bool hasVectors = features.has(chips::Feature::VectorSums);
  if (element.isF16()) return {1, hasVectors ? 8u : 2u};
  if (element.isBF16()) return hasVectors ? AtomicWidth{1, 8} : loop;
  return {1, hasVectors && element.isF32() ? 4u : 1u};
}

AtomicWidth atomicWidth(std::optional<tt::RMWOp> kind, mlir::Type element, llvm::StringRef target) {
  const chips::Chip* chip = chips::closestChip(target);
  if (auto generation = chip ? chips::amdGenerationOf(*chip) : std::nullopt)
    return ofAmd(kind == tt::RMWOp::FADD, element, *generation);
  return ofNvidia(kind, element, chips::featuresOf(target));
}

} // namespace gluond::passes
