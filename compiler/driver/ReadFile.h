// Reading files without surprises.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::driver {

// The whole file. The error is a sentence for the user: "cannot read 'x.py': No such file or
// directory". Directories, devices and pipes without an end, and files above `maxBytes` are
// refused.
tl::expected<std::string, std::string> readFile(llvm::StringRef path, size_t maxBytes);

} // namespace gluond::driver
