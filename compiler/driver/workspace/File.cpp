#include "driver/workspace/File.h"

#include "driver/notebooks/NotebookFile.h"
#include "syntax/SyntaxTree.h"

#include <llvm/Support/xxhash.h>

#include <algorithm>

namespace gluond::driver {

File::File(std::string path, diagnostics::FileId id, std::optional<int32_t> version,
           text::SourceText text)
    : path_(std::move(path)), id_(id), version_(version),
      text_(std::make_shared<text::SourceText>(std::move(text))) {}

File::File(const File& before, std::optional<int32_t> version, text::SourceText text)
    : path_(before.path_), id_(before.id_), version_(version),
      text_(std::make_shared<text::SourceText>(std::move(text))), heldBefore_(before.heldBytes()) {
  previous_ = before.tree_.peek();
  if (!previous_) { // superseded before it was parsed: pass on its starting point
    std::lock_guard lock(before.mutex_);
    previous_ = before.previous_;
    heldBefore_ = std::max(heldBefore_, before.heldBefore_);
  }
}

File::File(std::string path, diagnostics::FileId id, std::optional<int32_t> version,
           std::shared_ptr<const NotebookFile> notebook)
    : File(std::move(path), id, version, text::SourceText(notebook->python())) {
  notebook_ = std::move(notebook);
}

File::File(const File& before, std::optional<int32_t> version,
           std::shared_ptr<const NotebookFile> notebook)
    : File(before, version, text::SourceText(notebook->python())) {
  notebook_ = std::move(notebook);
}

File::~File() = default;

uint64_t File::hash() const {
  struct Hash {
    uint64_t value;
  };
  // Computed once: it is requested for each finding of a file.
  return derived<Hash>([&] { return std::make_shared<Hash>(llvm::xxh3_64bits(text_->text())); })
      ->value;
}

llvm::StringRef File::stored() const {
  return notebook_ ? notebook_->json() : text_->text();
}

std::shared_ptr<Allowance> File::allowance(Allowance::Limits limits) const {
  std::lock_guard lock(allowanceMutex_);
  // Work at the same time shares one allowance, which is whole again when the last of it has ended.
  bool isUnused = allowance_ && allowance_.use_count() == 1 && !allowance_->isSpent();
  if (!allowance_ || isUnused || allowance_->limits() != limits)
    release(std::make_shared<Allowance>(limits));
  return allowance_;
}

void File::release(std::shared_ptr<Allowance> next) const {
  if (allowance_) {
    heldBytes_ += allowance_->heldBytes();
    longestWork_ = std::max(longestWork_, allowance_->cpu());
  }
  allowance_ = std::move(next);
}

size_t File::heldBytes() const {
  std::lock_guard lock(allowanceMutex_);
  int64_t held = heldBytes_ + (allowance_ ? allowance_->heldBytes() : 0);
  return static_cast<size_t>(std::max(held, int64_t{0}));
}

std::chrono::nanoseconds File::longestWork() const {
  std::lock_guard lock(allowanceMutex_);
  return allowance_ ? std::max(longestWork_, allowance_->cpu()) : longestWork_;
}

void File::forgive(const std::shared_ptr<Allowance>& allowance) const {
  std::lock_guard lock(allowanceMutex_);
  bool isLast = allowance.use_count() == 2; // the caller's and this file's
  if (allowance_ == allowance && isLast && !allowance->isSpent()) release(nullptr);
}

void File::renewAllowance() const {
  std::lock_guard lock(allowanceMutex_);
  release(nullptr);
}

std::shared_ptr<const syntax::SyntaxTree> File::tree(Interner& names,
                                                     CancellationToken token) const {
  return tree_.get(token, [&]() -> std::shared_ptr<const syntax::SyntaxTree> {
    if (token.isCancelled()) return nullptr;
    std::shared_ptr<const syntax::SyntaxTree> previous;
    {
      std::lock_guard lock(mutex_);
      previous = previous_;
    }
    auto tree = previous ? syntax::SyntaxTree::reparse(*previous, text_, token)
                         : syntax::SyntaxTree::parse(text_, id_, names, token);
    if (!tree) return nullptr;
    std::lock_guard lock(mutex_);
    previous_ = nullptr;
    return tree;
  });
}

} // namespace gluond::driver
