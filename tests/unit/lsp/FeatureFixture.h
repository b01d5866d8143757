// A server with one open document, and requests about places in it.
#pragma once

#include "TestServer.h"
#include "support/MarkedSource.h"

namespace gluond::lsp {

inline constexpr const char* uri = "file:///w/a.py";

class FeatureFixture : public testing::Test {
protected:
  // Most texts here have nothing to do with Gluon.
  static constexpr const char* plainPython =
      R"({"capabilities":{},"initializationOptions":{"plainPython":true}})";
  FeatureFixture() { client.initialize(plainPython); }

  // Opens the marked source and keeps it for the helpers below.
  void open(llvm::StringRef marked) {
    source = MarkedSource(marked);
    text.emplace(source.text);
    client.open(uri, source.text);
  }
  Json at(text::Offset offset) const {
    text::Position p = text->position(offset);
    return {{"textDocument", {{"uri", uri}}},
            {"position", {{"line", p.line}, {"character", p.character}}}};
  }
  Json range(const std::string& name) const {
    text::Range r = source.range(name);
    return {{"start", at(r.begin)["position"]}, {"end", at(r.end)["position"]}};
  }
  Json request(const char* method, const Json& params) {
    return client.request(method, dumpJson(params));
  }
  Json document() const { return {{"textDocument", {{"uri", uri}}}}; }

  TestServer client;
  MarkedSource source{""};
  std::optional<text::SourceText> text;
};

} // namespace gluond::lsp
