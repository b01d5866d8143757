#include "driver/analysis/LastFindings.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::driver {

using diagnostics::Diagnostic;
using text::Offset;
using text::Range;

namespace {

// The places of one text in another that differs from it in one stretch.
class Moved {
public:
  Moved(llvm::StringRef from, llvm::StringRef to) {
    size_t most = std::min(from.size(), to.size()), front = 0, back = 0;
    while (front < most && from[front] == to[front])
      ++front;
    while (back < most - front && from[from.size() - 1 - back] == to[to.size() - 1 - back])
      ++back;
    changed_ = {static_cast<Offset>(front), static_cast<Offset>(from.size() - back)};
    by_ = static_cast<Offset>(to.size()) - static_cast<Offset>(from.size());
  }
  // Returns false if the place is within what changed, or around it.
  bool move(Range& range) const {
    if (range.end < changed_.begin) return true;
    if (range.begin <= changed_.end) return false;
    range = {range.begin + by_, range.end + by_};
    return true;
  }

private:
  Range changed_;
  Offset by_; // modulo 2^32
};

} // namespace

void LastFindings::keep(const std::string& variant, diagnostics::FileId file, llvm::StringRef text,
                        std::vector<Diagnostic> findings) {
  std::lock_guard lock(mutex_);
  kept_.remove_if([&](const Kept& each) { return each.variant == variant; });
  kept_.push_front({variant, file, text.str(), std::move(findings)});
  if (kept_.size() > most) kept_.pop_back();
}

void LastFindings::drop(llvm::StringRef path) {
  std::lock_guard lock(mutex_);
  kept_.remove_if([&](const Kept& each) {
    llvm::StringRef variant = each.variant;
    return variant.consume_front(path) && variant.starts_with("\n");
  });
}

std::optional<std::vector<Diagnostic>> LastFindings::at(const std::string& variant,
                                                        llvm::StringRef text) {
  std::lock_guard lock(mutex_);
  auto it = llvm::find_if(kept_, [&](const Kept& each) { return each.variant == variant; });
  if (it == kept_.end()) return std::nullopt;
  Moved moved(it->text, text);
  auto moveHere = [&](diagnostics::Location& location) {
    return location.file != it->file || moved.move(location.range);
  };
  std::vector<Diagnostic> found;
  for (Diagnostic each : it->findings) {
    if (each.location.file != it->file || !moved.move(each.location.range)) continue;
    llvm::erase_if(each.related, [&](auto& related) { return !moveHere(related.location); });
    llvm::erase_if(each.fixes, [&](diagnostics::Fix& fix) {
      return !llvm::all_of(fix.edits, [&](text::Edit& edit) { return moved.move(edit.range); });
    });
    found.push_back(std::move(each));
  }
  return found;
}

} // namespace gluond::driver
