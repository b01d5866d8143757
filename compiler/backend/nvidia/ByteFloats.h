// Makes floats of bytes by arithmetic instead of conversions.
//
// A conversion of a byte takes a unit that handles 16 threads in a cycle of a multiprocessor, which
// is less than the bytes that memory brings in that time. A byte in the lowest bits of a large
// power of two (0x4b0000uu is 2^23 + u, 0x64uu is 1024 + u in fp16) is a float already: what is
// added to it is subtracted again, which is exact. Signed bytes are moved up by 128 first.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class ByteFloats : public llvm::PassInfoMixin<ByteFloats> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
