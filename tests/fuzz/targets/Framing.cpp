// Bytes that should be frames: of the language server's client, of a GPU process and its client.
// How the bytes are cut into reads must not matter.
#include "runner/protocol/Framing.h"

#include "../Random.h"
#include "../Target.h"
#include "lsp/protocol/Json.h"
#include "lsp/transport/FramedTransport.h"
#include "runner/protocol/Messages.h"

#include <llvm/Support/xxhash.h>
#include <nlohmann/json.hpp>

namespace gluond::fuzz {

using llvm::StringRef;

namespace {

class Pieces : public lsp::ByteStream {
public:
  Pieces(StringRef bytes, size_t most) : bytes_(bytes), most_(most) {}
  size_t read(char* buffer, size_t size) override {
    StringRef piece = bytes_.take_front(std::min(size, most_));
    std::copy(piece.begin(), piece.end(), buffer);
    bytes_ = bytes_.drop_front(piece.size());
    return piece.size();
  }
  bool write(std::string_view) override { return true; }

private:
  StringRef bytes_;
  size_t most_;
};

std::string messagesOf(StringRef input, size_t piece) {
  Pieces stream(input, piece);
  lsp::FramedTransport transport(stream);
  std::string all;
  for (size_t count = 0;; ++count) {
    lsp::Incoming incoming = transport.read();
    if (incoming.kind == lsp::Incoming::Kind::Closed) return all;
    expect(count <= input.size(), "more messages than bytes");
    bool isMessage = incoming.kind == lsp::Incoming::Kind::Message;
    all += isMessage ? "message " + incoming.text + "\n" : "malformed\n";
    if (isMessage && !lsp::parseJson(incoming.text)) transport.resynchronize();
  }
}

// A request or a reply, whatever it says it is.
void read(const runner::Frame& frame) {
  auto document = lsp::parseJson(frame.json);
  if (!document || !document->is_object()) return;
  for (const char* member : {"params", "result"}) {
    if (!document->contains(member)) continue;
    const json::Json& content = (*document)[member];
    (void)json::decode<runner::InitializeParams>(content);
    (void)json::decode<runner::InitializeResult>(content);
    (void)json::decode<runner::LoadParams>(content);
    (void)json::decode<runner::LoadResult>(content);
    (void)json::decode<runner::RunParams>(content);
    (void)json::decode<runner::RunResult>(content);
    (void)json::decode<runner::TimeParams>(content);
    (void)json::decode<runner::TimeResult>(content);
    (void)json::decode<runner::CompareParams>(content);
    (void)json::decode<runner::CompareResult>(content);
  }
}

std::string framesOf(StringRef input, Random& random) {
  runner::FrameDecoder decoder;
  std::string all;
  while (!input.empty()) {
    StringRef piece = input.take_front(1 + random.below(64));
    decoder.feed(piece);
    input = input.drop_front(piece.size());
    runner::Frame frame;
    runner::FrameDecoder::State state;
    while ((state = decoder.next(frame)) == runner::FrameDecoder::State::Frame) {
      all += frame.json + "\n" + frame.binary + "\n";
      read(frame);
    }
    if (state == runner::FrameDecoder::State::Broken) return all + "broken";
  }
  return all;
}

} // namespace

void framing(StringRef input) {
  expect(messagesOf(input, 1) == messagesOf(input, 4096),
         "messages depend on how their bytes arrive");
}

void frames(StringRef input) {
  Random one(1), two(llvm::xxh3_64bits(input));
  expect(framesOf(input, one) == framesOf(input, two), "frames depend on how their bytes arrive");
}

} // namespace gluond::fuzz
