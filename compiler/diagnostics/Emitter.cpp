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
  size_t copied = 0;
  detail::forEachPlaceholder(text,
                             [&](size_t begin, size_t end, size_t argument, std::string_view) {
                               out.append(text, copied, begin - copied);
                               if (argument < arguments.size()) arguments[argument].append(out);
                               copied = end;
                             });
  return out.append(text.substr(copied));
}

InFlight Emitter::emit(Id id, Location location, llvm::ArrayRef<Argument> arguments) {
  ++count_;
  if (out_.size() >= limit_) return InFlight(nullptr);
  out_.push_back({id, row(id).severity, location, format(row(id).message, arguments), {}, {}});
  return InFlight(&out_.back());
}

} // namespace gluond::diagnostics
