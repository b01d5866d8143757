#include "diagnostics/Emitter.h"

#include "text/SourceText.h"

namespace gluond::diagnostics {

void Argument::append(std::string& out) const {
  switch (kind_) {
  case ArgumentKind::Text:
    text::appendValidUtf8(out, text_);
    break;
  case ArgumentKind::Integer:
    out += std::to_string(integer_);
    break;
  case ArgumentKind::List:
    for (size_t i = 0; i < list_.size(); ++i) {
      if (i) out += ", ";
      text::appendValidUtf8(out, list_[i]);
    }
    break;
  }
}

std::string format(std::string_view text, llvm::ArrayRef<Argument> arguments) {
  std::string out;
  size_t at = 0;
  for (const Argument& argument : arguments) {
    size_t open = text.find('{', at), close = text.find('}', open);
    if (close == std::string_view::npos) break;
    out.append(text, at, open - at);
    argument.append(out);
    at = close + 1;
  }
  return out.append(text.substr(at));
}

InFlight Emitter::emit(Id id, Location location, llvm::ArrayRef<Argument> arguments) {
  ++count_;
  if (out_.size() >= limit_) return InFlight(nullptr);
  out_.push_back({id, row(id).severity, location, format(row(id).message, arguments), {}, {}});
  return InFlight(&out_.back());
}

} // namespace gluond::diagnostics
