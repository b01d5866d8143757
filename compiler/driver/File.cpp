#include "driver/File.h"

#include <llvm/Support/xxhash.h>

namespace gluond::driver {

File::File(std::string path, std::optional<int32_t> version, text::SourceText text)
    : path_(std::move(path)), version_(version), text_(std::move(text)) {}

File::File(const std::shared_ptr<const File>& before, std::optional<int32_t> version,
           std::vector<text::Edit> edits, text::SourceText text)
    : path_(before->path_), version_(version), text_(std::move(text)) {}

File::~File() = default;

uint64_t File::contentHash() const {
  return llvm::xxh3_64bits(text_.text());
}

} // namespace gluond::driver
