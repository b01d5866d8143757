// A kernel as text of stage `ttgir`, and its memory: what tests of the simulator run.
#pragma once

#include "ir/Context.h"
#include "simulate/Simulate.h"
#include "simulate/values/Formats.h"

#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

namespace gluond::simulate {

class KernelTest : public testing::Test {
protected:
  // 0, 1, 2, ...
  static std::vector<float> counting(size_t count) {
    std::vector<float> all(count);
    std::iota(all.begin(), all.end(), 0.0f);
    return all;
  }
  // A tensor in global memory.
  template <typename T> Value tensor(std::string name, std::vector<T> contents) {
    std::vector<std::byte>& bytes = tensors_.emplace_back(contents.size() * sizeof(T));
    std::memcpy(bytes.data(), contents.data(), bytes.size());
    return Scalar{memory.add(std::move(name), bytes), Element::I64};
  }
  template <typename T> std::vector<T> contents(size_t index) const {
    std::vector<T> all(tensors_[index].size() / sizeof(T));
    std::memcpy(all.data(), tensors_[index].data(), tensors_[index].size());
    return all;
  }
  static Value i32(int32_t value) { return Scalar{static_cast<uint32_t>(value), Element::I32}; }

  // Runs the body of a kernel: "%x: !tt.ptr<f32>, %n: i32" and its ops.
  Outcome run(const std::string& parameters, const std::string& body, std::vector<Value> arguments,
              ProgramId grid = {1, 1, 1}) {
    return runModule(R"(
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#swizzled = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#swizzledT = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#half = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 32}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel()" +
                         parameters + ") {\n" + body + "\n    tt.return\n  }\n}\n",
                     std::move(arguments), grid);
  }
  Outcome runModule(const std::string& text, std::vector<Value> arguments,
                    ProgramId grid = {1, 1, 1}) {
    module = ir::parseModule(text, *context);
    EXPECT_TRUE(module) << text;
    if (!module) return {};
    auto program = translate(*module);
    EXPECT_TRUE(program) << program.error();
    if (!program) return {};
    Setting setting{grid, std::move(arguments)};
    return simulate::run(**program, setting, memory, options);
  }
  static std::vector<std::string> codes(const Outcome& outcome) {
    std::vector<std::string> all;
    for (const Finding& finding : outcome.findings)
      all.push_back(diagnostics::row(finding.id).slug.str());
    return all;
  }

  std::unique_ptr<mlir::MLIRContext> context = ir::createContext();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  GlobalMemory memory;
  Options options;

private:
  std::deque<std::vector<std::byte>> tensors_;
};

} // namespace gluond::simulate
