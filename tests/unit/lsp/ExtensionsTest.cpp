// docs/lsp-extensions.md must describe every method, and in its section every field, of
// lsp/protocol/Extensions.h.
#include "lsp/protocol/Extensions.h"

#include "lsp/protocol/TypeScript.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace gluond::lsp {
namespace {

std::string readFile(const char* path) {
  std::ifstream in(std::string(GLUOND_SOURCE_DIR "/") + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The text from the heading that holds `title` to the next heading of that level.
std::string sectionOf(const std::string& document, const std::string& title) {
  size_t begin = document.find("\n## `" + title + "`");
  if (begin == std::string::npos) return {};
  return document.substr(begin, document.find("\n## ", begin + 1) - begin);
}

template <typename T> void expectFields(const std::string& section, const char* method) {
  if constexpr (codec::isVector<T>::value) {
    expectFields<typename T::value_type>(section, method);
  } else if constexpr (codec::isOptional<T>::value) {
    if constexpr (Described<typename T::value_type> ||
                  codec::isVector<typename T::value_type>::value)
      expectFields<typename T::value_type>(section, method);
  } else if constexpr (Described<T> && !std::is_same_v<T, Diagnostic> &&
                       !std::is_same_v<T, Range> && !std::is_same_v<T, Position> &&
                       !std::is_same_v<T, Location> && !std::is_same_v<T, TextDocumentIdentifier> &&
                       !std::is_same_v<T, WorkspaceEdit>) {
    for (const std::string& name : fieldNames<T>())
      EXPECT_NE(section.find("`" + name + "`"), std::string::npos)
          << "docs/lsp-extensions.md, " << method << ": `" << name << "` is not described";
    auto each = [&]<typename S, typename M>(Field<S, M>) { expectFields<M>(section, method); };
    std::apply([&](auto... fields) { (each(fields), ...); }, T::fields());
  }
}

TEST(Extensions, everyMethodAndFieldIsDocumented) {
  std::string document = readFile("docs/lsp-extensions.md");
  ASSERT_FALSE(document.empty());
  forEachExtension([&]<typename Params, typename Result>(const char* method, Params*, Result*) {
    std::string section = sectionOf(document, method);
    ASSERT_FALSE(section.empty()) << "docs/lsp-extensions.md has no section for " << method;
    expectFields<Params>(section, method);
    expectFields<Result>(section, method);
  });
}

TEST(Extensions, typesOfTheVisualizerAreCurrent) {
  EXPECT_EQ(readFile("visualizer/src/protocol.ts"), typeScript())
      << "run: build/bin/protocol_types > visualizer/src/protocol.ts";
}

} // namespace
} // namespace gluond::lsp
