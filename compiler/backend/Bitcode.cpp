#include "backend/Bitcode.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::backend {

std::string toBitcode(const llvm::Module& module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/true);
  return bytes;
}

tl::expected<std::unique_ptr<llvm::Module>, std::string> fromBitcode(llvm::StringRef bytes,
                                                                     llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "kernel"), context);
  if (!module) return tl::make_unexpected(llvm::toString(module.takeError()));
  return std::move(*module);
}

} // namespace gluond::backend
