// A client of the real gluond-runner over fake drivers of both vendors, for the tests of this
// folder.
#pragma once

#include "remote/Runner.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gluond::remote {

using namespace runner;
using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

struct Vendor {
  const char *name, *library, *oldLibrary, *device, *faultPrefix;
  const char* environment; // in which the runner finds only this vendor's library
};
inline constexpr Vendor nvidia = {
    "Nvidia",      FAKE_CUDA,     FAKE_OLD_CUDA,
    "NVIDIA H200", "CUDA_ERROR_", "GLUOND_HIP_LIBRARY=/nowhere GLUOND_CUDA_LIBRARY="};
inline constexpr Vendor amd = {"Amd",        FAKE_HIP,
                               FAKE_OLD_HIP, "AMD Instinct MI300X",
                               "hipError",   "GLUOND_CUDA_LIBRARY=/nowhere GLUOND_HIP_LIBRARY="};

inline RunnerOptions onLibrary(const Vendor& vendor, const char* library,
                               const std::string& environment = {}) {
  return {std::string("exec env ") + vendor.environment + library + " " + environment +
              " " RUNNER_PROGRAM,
          20'000, 20'000};
}
inline RunnerOptions onFake(const std::string& environment = {}, const Vendor& vendor = nvidia) {
  return onLibrary(vendor, vendor.library, environment);
}

inline Argument tensor(const char* name, std::vector<int64_t> shape, const char* fill = "iota") {
  Argument argument;
  argument.name = name;
  argument.tensor.emplace();
  argument.tensor->dtype = "fp32";
  argument.tensor->shape = shape;
  argument.tensor->strides.resize(shape.size());
  int64_t next = 1;
  for (size_t i = shape.size(); i-- > 0; next *= shape[i])
    argument.tensor->strides[i] = next;
  argument.tensor->fill.kind = fill;
  return argument;
}
inline Argument number(const char* name, int64_t value, const char* type = "i32") {
  Argument argument;
  argument.name = name;
  argument.type = type;
  argument.value = value;
  return argument;
}

struct Fake {
  explicit Fake(const std::string& environment = {}, const Vendor& vendor = nvidia)
      : runner(onFake(environment, vendor)) {}

  Expected<LoadResult> load(const std::string& kernel, unsigned shared = 0, unsigned threads = 128,
                            unsigned cluster = 1) {
    std::string code = "FAKE " + kernel;
    return runner.load({0, kernel, {0, code.size()}, threads, shared, cluster}, code);
  }
  Expected<Runner::Ran> run(const std::string& kernel, std::vector<Argument> arguments,
                            RunParams params = {}) {
    auto loaded =
        load(kernel, params.launch.sharedBytes, params.launch.threads, params.launch.cluster);
    if (!loaded) return tl::unexpected(loaded.error());
    params.launch.module = loaded->module;
    params.launch.arguments = std::move(arguments);
    return runner.run(params, binary);
  }
  Problem problemOf(const std::string& kernel, std::vector<Argument> arguments = {},
                    RunParams params = {}) {
    auto ran = run(kernel, std::move(arguments), params);
    EXPECT_FALSE(ran) << kernel;
    return ran ? Problem() : ran.error();
  }
  // A launch that works, as the first after something went wrong.
  void expectItWorks() {
    auto ran = run("copy", {tensor("src", {8}), tensor("dst", {8}, "constant")});
    ASSERT_TRUE(ran) << ran.error().message;
    EXPECT_EQ(ran->result.tensors[1].mean, 3.5);
  }

  Runner runner;
  std::string binary;
};

// Every vendor's driver passes these tests; RunnerTest.cpp names the vendors.
class OnEachVendor : public testing::TestWithParam<Vendor> {};

} // namespace gluond::remote
