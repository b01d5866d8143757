// Parses run-time values as a user writes them: `--arg n=4096`, `--arg x=random:f16[4096,4096]`,
// `--arg x=data.npy`, `--grid 128,1`.
//
//   NUMBER, true, false        a number
//   PATH.npy                   a tensor with the shape and contents of the file
//   [FILL][:][DTYPE][SHAPE]    a tensor; parts that are left out are unchanged
//     FILL: random, normal[(mean,deviation)], uniform(low,high), iota, zeros, ones, constant(x)
//     DTYPE: f16, bf16, f32, f8e4m3, i32, ...; the one that the kernel is compiled for: an assumed
//            one becomes it (GivenTypes.h)
//     SHAPE: [4096,4096], with strides after a semicolon: [4096,4096;1,4096]
#pragma once

#include "driver/launches/HostLaunch.h"

#include <tl/expected.hpp>

namespace gluond::driver {

// Applies "NAME=VALUE" to the launch. The error is a sentence.
tl::expected<void, std::string> applyArgument(HostLaunch& launch, llvm::StringRef text);
// Returns the DTYPE of a tensor's text as Triton calls it ("fp16"), or "" if it has none.
llvm::StringRef dtypeIn(llvm::StringRef text);
// Parses "128", "128,2" or "128x2x1".
tl::expected<std::array<int64_t, 3>, std::string> parseGrid(llvm::StringRef text);
// Parses "3" or "3,0,0".
tl::expected<std::array<int64_t, 3>, std::string> parseProgramId(llvm::StringRef text);

} // namespace gluond::driver
