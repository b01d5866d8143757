#include "lsp/transport/FramedTransport.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace gluond::lsp {
namespace {

// Bytes that arrive in pieces of `piece`.
class MemoryStream : public ByteStream {
public:
  MemoryStream(std::string in, size_t piece) : in_(std::move(in)), piece_(piece) {}
  size_t read(char* buffer, size_t size) override {
    size_t count = std::min({size, piece_, in_.size() - at_});
    std::copy_n(in_.data() + at_, count, buffer);
    at_ += count;
    return count;
  }
  bool write(std::string_view bytes) override {
    out += bytes;
    return true;
  }
  std::string out;

private:
  std::string in_;
  size_t at_ = 0, piece_;
};

std::string framed(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

// Everything a client's bytes amount to. A body that does not begin with '{' counts as no JSON.
std::vector<std::string> receive(std::string_view bytes, size_t piece) {
  MemoryStream stream{std::string(bytes), piece};
  FramedTransport transport(stream);
  std::vector<std::string> result;
  for (int i = 0; i < 100; ++i) {
    Incoming incoming = transport.read();
    if (incoming.kind == Incoming::Kind::Closed) return result;
    if (incoming.kind == Incoming::Kind::Malformed) {
      result.push_back("malformed");
      continue;
    }
    bool isJson = incoming.text.starts_with("{") && incoming.text.ends_with("}") &&
                  std::count(incoming.text.begin(), incoming.text.end(), '{') == 1;
    result.push_back(isJson ? incoming.text : "not json");
    if (!isJson) transport.resynchronize();
  }
  return result;
}

using Strings = std::vector<std::string>;

class FramedTransportTest : public testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(pieces, FramedTransportTest, testing::Values(1, 3, 7, 1000));

TEST_P(FramedTransportTest, messages) {
  EXPECT_EQ(receive(framed("{1}") + framed("{22}"), GetParam()), (Strings{"{1}", "{22}"}));
  EXPECT_EQ(receive("content-length:3\r\nContent-Type: x\r\n\r\n{1}" + framed("{2}"), GetParam()),
            (Strings{"{1}", "{2}"}));
  EXPECT_EQ(receive("Content-Length: 3\n\n{1}" + framed("{2}"), GetParam()),
            (Strings{"{1}", "{2}"}));
  EXPECT_EQ(receive("", GetParam()), Strings{});
}

TEST_P(FramedTransportTest, wrongLengthsCostOneMessage) {
  std::string good = framed("{good}");
  // Too short: the rest is garbage before the next header.
  EXPECT_EQ(receive("Content-Length: 3\r\n\r\n{long one}" + good, GetParam()).back(), "{good}");
  // Too long: the next message is swallowed, and found again.
  EXPECT_EQ(receive("Content-Length: 20\r\n\r\n{short}" + good + framed("{more}"), GetParam()),
            (Strings{"not json", "{good}", "{more}"}));
  // Not a number, negative, missing.
  for (const char* header : {"Content-Length: x", "Content-Length: -4", "Content-Size: 4", "hello"})
    EXPECT_EQ(receive(std::string(header) + "\r\n\r\n{bad}" + good, GetParam()).back(), "{good}")
        << header;
}

TEST_P(FramedTransportTest, incredibleLengths) {
  EXPECT_EQ(receive("Content-Length: 99999999999\r\n\r\n{x}" + framed("{good}"), GetParam()).back(),
            "{good}");
  EXPECT_EQ(
      receive("Content-Length: 99999999999999999999999\r\n\r\n{x}" + framed("{good}"), GetParam())
          .back(),
      "{good}");
}

TEST_P(FramedTransportTest, noiseBetweenMessages) {
  std::string noise;
  for (int i = 0; i < 9000; ++i)
    noise += static_cast<char>('a' + i % 26);
  EXPECT_EQ(receive(noise + framed("{good}"), GetParam()).back(), "{good}");
}

TEST_P(FramedTransportTest, clientDiesInsideAMessage) {
  std::string whole = framed("{a message}");
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(receive(whole.substr(0, length), GetParam()), Strings{}) << length;
}

TEST(FramedTransport, writes) {
  MemoryStream stream("", 1);
  FramedTransport(stream).write("{\"a\":1}");
  EXPECT_EQ(stream.out, "Content-Length: 7\r\n\r\n{\"a\":1}");
}

TEST(FdStream, abandonEndsAWriteNobodyReads) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FdStream stream(-1, ends[1]);
  bool wrote = true;
  std::thread writer([&] { wrote = stream.write(std::string(1 << 20, 'x')); });
  stream.abandon();
  writer.join();
  EXPECT_FALSE(wrote);
  close(ends[0]);
  close(ends[1]);
}

TEST(FdStream, isDesertedOnceNobodyReads) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FdStream stream(-1, ends[1]);
  FramedTransport transport(stream);
  EXPECT_FALSE(transport.isDeserted());
  transport.write("{}"); // what nobody has read yet
  EXPECT_FALSE(transport.isDeserted());
  close(ends[0]);
  EXPECT_TRUE(transport.isDeserted());
  close(ends[1]);
}

TEST(FdStream, closedPipeIsTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  FdStream stream(ends[0], -1);
  close(ends[1]);
  char buffer[4];
  EXPECT_EQ(stream.read(buffer, sizeof buffer), 0u);
  close(ends[0]);
}

} // namespace
} // namespace gluond::lsp
