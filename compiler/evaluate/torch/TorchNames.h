// Which names torch's modules and tensors have. The results of most are not modelled.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::evaluate {

// Of "torch", "torch.Tensor", "torch.cuda", "torch.nn.functional", "parameters of factories" or
// "kinds of devices"; empty for any other owner.
llvm::ArrayRef<llvm::StringRef> torchNames(llvm::StringRef owner);
bool torchHas(llvm::StringRef owner, llvm::StringRef name);
// Those of so many characters.
llvm::ArrayRef<llvm::StringRef> torchNamesOfLength(llvm::StringRef owner, size_t length);

// Whether the name is missing, and a typing error for one that is there: a letter too many or too
// few, or two neighbors swapped. Other versions of torch may have other names.
bool isMisspeltInTorch(llvm::StringRef owner, llvm::StringRef name);

} // namespace gluond::evaluate
