#include "simulate/machine/Printed.h"

#include <algorithm>

namespace gluond::simulate {

void Printed::add(std::string_view text) {
  if (isFull_) return;
  isFull_ = size_ + text.size() > most;
  append(isFull_ ? "(this program printed more, which is not kept)\n" : text);
}

void Printed::append(std::string_view text) {
  constexpr size_t pieceSize = size_t(1) << 16;
  if (last_) {
    std::string_view own = last_->text, further = own.substr(size_ - last_->begin);
    // A copy that was here before printed the same.
    if (further.starts_with(text)) {
      size_ += text.size();
      return;
    }
    if (further.empty() && own.size() + text.size() <= pieceSize) {
      last_->text += text;
      size_ += text.size();
      return;
    }
  }
  last_ = std::make_shared<Piece>(Piece{std::string(text), size_, std::move(last_)});
  size_ += text.size();
}

std::string Printed::from(size_t at) const {
  std::string result;
  size_t end = size_;
  for (const Piece* piece = last_.get(); piece && end > at; piece = piece->before.get()) {
    size_t first = std::max(at, piece->begin);
    if (first < end) result.insert(0, piece->text, first - piece->begin, end - first);
    end = std::min(end, piece->begin);
  }
  return result;
}

} // namespace gluond::simulate
