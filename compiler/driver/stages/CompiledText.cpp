#include "driver/stages/CompiledText.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Endian.h>

namespace gluond::driver {

namespace {

class Writer {
public:
  void operator()(uint64_t number) {
    char bytes[8];
    llvm::support::endian::write64le(bytes, number);
    text.append(bytes, sizeof bytes);
  }
  void operator()(llvm::StringRef part) {
    (*this)(part.size());
    text += part;
  }
  std::string text;
};

// Reads what Writer wrote; once the data is too short, `ok` is false and everything is 0.
class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : rest_(bytes) {}
  uint64_t number() {
    llvm::StringRef bytes = take(8);
    return bytes.empty() ? 0 : llvm::support::endian::read64le(bytes.data());
  }
  std::string text() { return take(number()).str(); }
  bool atEnd() const { return ok_ && rest_.empty(); }
  bool ok() const { return ok_; }

private:
  llvm::StringRef take(uint64_t size) {
    ok_ &= size <= rest_.size();
    if (!ok_) return {};
    llvm::StringRef taken = rest_.take_front(size);
    rest_ = rest_.drop_front(size);
    return taken;
  }
  llvm::StringRef rest_;
  bool ok_ = true;
};

// Calls `each` with every number of the facts, to write or to read it.
void forEachNumber(auto& compiled, auto each) {
  auto& facts = compiled.facts;
  each(facts.warps);
  each(facts.ctas);
  each(facts.sharedBytes);
  each(facts.tensorColumns);
  each(facts.globalScratchBytes);
  each(facts.globalScratchAlignment);
  each(facts.maxRegisters);
}
void forEachNumberOf(auto& assembled, auto each) {
  each(assembled.registers);
  each(assembled.spillBytes);
  each(assembled.stackBytes);
  each(assembled.accumulatorRegisters);
  each(assembled.scalarRegisters);
  each(assembled.wavesPerUnit);
}

} // namespace

std::string toBytes(const Compiled& compiled) {
  Writer write;
  write(compiled.llir);
  write(compiled.text);
  llvm::StringMap<uint64_t> files;
  std::vector<llvm::StringRef> names;
  for (const CompiledLine& line : compiled.lines)
    if (auto [at, isNew] = files.try_emplace(line.file, names.size()); isNew)
      names.push_back(at->first());
  write(names.size());
  for (llvm::StringRef name : names)
    write(name);
  write(compiled.lines.size());
  for (const CompiledLine& line : compiled.lines) {
    write(line.line);
    write(files[line.file]);
    write(line.sourceLine);
  }
  write(compiled.facts.name);
  auto number = [&](auto value) { write(static_cast<uint64_t>(value)); };
  forEachNumber(compiled, number);
  write(compiled.assembled.has_value());
  if (compiled.assembled) forEachNumberOf(*compiled.assembled, number);
  return std::move(write.text);
}

std::optional<Compiled> fromBytes(llvm::StringRef bytes) {
  Reader read(bytes);
  Compiled compiled;
  compiled.llir = read.text();
  compiled.text = read.text();
  std::vector<std::string> names;
  for (uint64_t left = read.number(); left && read.ok(); --left)
    names.push_back(read.text());
  for (uint64_t left = read.number(); left && read.ok(); --left) {
    auto line = static_cast<uint32_t>(read.number());
    uint64_t file = read.number();
    if (file >= names.size()) return std::nullopt;
    compiled.lines.push_back({line, names[file], static_cast<uint32_t>(read.number())});
  }
  compiled.facts.name = read.text();
  auto number = [&](auto& value) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(read.number());
  };
  forEachNumber(compiled, number);
  if (read.number()) forEachNumberOf(compiled.assembled.emplace(), number);
  if (!read.atEnd()) return std::nullopt;
  return compiled;
}

} // namespace gluond::driver
