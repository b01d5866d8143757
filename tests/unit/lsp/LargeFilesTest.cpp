// Files with tens of thousands of names, scopes or brackets: what a request costs grows with the
// file, not with its square. Each of these took many seconds when it did.
#include "FeatureFixture.h"
#include "driver/analysis/Worker.h"
#include "language/parameters/ParameterRoles.h"
#include "lsp/features/annotations/Hover.h"
#include "lsp/features/annotations/SemanticTokens.h"
#include "lsp/features/completion/Completion.h"
#include "lsp/features/facts/FactText.h"
#include "lsp/features/navigation/CallHierarchy.h"
#include "lsp/features/navigation/Navigation.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/transport/Transport.h"
#include "support/ThreadClock.h"

#include <gtest/gtest.h>

namespace gluond::lsp {
namespace {

constexpr size_t many = 60'000;

class LargeFilesTest : public testing::Test {
protected:
  LargeFilesTest() : workspace_(driver::Settings{}) {}

  // Opens a program with many copies of a line; "#" in it stands for the number of the copy.
  void open(llvm::StringRef before, llvm::StringRef line, llvm::StringRef after) {
    std::string text = "from triton.experimental import gluon\n"
                       "from triton.experimental.gluon import language as gl\n" +
                       before.str();
    for (size_t i = 0; i < many; ++i)
      for (char each : line)
        text += each == '#' ? std::to_string(i) : std::string(1, each);
    text += after;
    workspace_.open("/p.py", 1, text);
    snapshot_ = workspace_.snapshot();
    resolver_ = std::make_unique<NameResolver>(*snapshot_, worker_, CancellationToken());
    indexed_ = resolver_->indexed(snapshot_->file("/p.py"));
    ASSERT_TRUE(indexed_);
    text_ = std::move(text);
    began_ = threadNanoseconds();
  }
  // Returns where the last `part` of the text ends.
  text::Offset after(llvm::StringRef part) const {
    return static_cast<text::Offset>(llvm::StringRef(text_).rfind(part) + part.size());
  }
  void expectSoon() const {
    constexpr int64_t mostSeconds = 20; // under sanitizers, on a busy machine
    EXPECT_LT((threadNanoseconds() - began_) / 1'000'000'000, mostSeconds);
  }

  driver::Workspace workspace_;
  std::shared_ptr<const driver::Snapshot> snapshot_;
  driver::Worker worker_;
  std::unique_ptr<NameResolver> resolver_;
  const IndexedFile* indexed_ = nullptr;
  std::string text_;
  int64_t began_ = threadNanoseconds(); // of the test, or of what follows `open`
};

// Each call hands its arguments on to the parameters of what it calls.
TEST_F(LargeFilesTest, RolesOfManyParametersInManyCalls) {
  std::string wide = "def g(a";
  for (size_t i = 0; i < 20'000; ++i)
    wide += ", a" + std::to_string(i);
  open(wide + "):\n    gl.store(a, 1)\ndef k(p):\n", "    g(p)\n", "");
  auto* kernel = llvm::cast<syntax::FunctionDef>(indexed_->tree->body().back());
  language::ParameterRoles roles(*indexed_->tree);
  EXPECT_EQ(roles.of(*kernel, kernel->parameters[0].name.name), language::ParameterRole::Pointer);
  expectSoon();
}

// Whether a kernel reads a name is asked for at each place of the name.
TEST_F(LargeFilesTest, HoverOfANameOfManyStatements) {
  open("", "x = #\nx = #\n", "y = x\n");
  hoverAt(*resolver_, *indexed_, after("y = x"), false);
  expectSoon();
}

// A fence is longer than any in the text, and an editor is not sent megabytes.
TEST_F(LargeFilesTest, HoversOfLongTexts) {
  std::string marks(1 << 20, '`');
  EXPECT_LT(code(marks).size(), 4 * mostShown);
  EXPECT_EQ(code("a ```` b"), "`````python\na ```` b\n`````\n");
  EXPECT_LT(plainInMarkdown(std::string(1 << 20, '[')).size(), 3 * mostShown);
  EXPECT_EQ(shortened("a\xe2\x82\xac\xe2\x82\xac", 6), "a\xe2\x82\xac...");
  expectSoon();
}

// Which statement a name is in is not asked for at each name.
TEST_F(LargeFilesTest, TokensOfNamesThatOneStatementBinds) {
  open("try: pass\n", "except A as e#: pass\n", "x += 1\n");
  auto tokens = tokensIn(*resolver_, *indexed_, {0, after("x += 1")}, 2 * many);
  EXPECT_GE(tokens.size(), many);
  expectSoon();
}

// Each class lists what it inherits: of a long chain, not all of it.
TEST_F(LargeFilesTest, ChainsOfClassesTakeLittleMemory) {
  constexpr size_t classes = 4'000;
  std::string chain = "class C0:\n    x0 = 0\n";
  for (size_t i = 1; i < classes; ++i) {
    std::string here = std::to_string(i), before = std::to_string(i - 1);
    chain += "class C" + here + "(C" + before + "):\n    x" + here + " = C" + before + ".x0\n";
  }
  open(chain, "", "");
  size_t listed = 0;
  for (const syntax::Stmt* stmt : indexed_->tree->body())
    if (auto* cls = llvm::dyn_cast<syntax::ClassDef>(stmt))
      listed += resolver_->membersOf(*indexed_, *cls).size();
  EXPECT_GT(listed, classes + 50'000);
  EXPECT_LT(listed, 200'000u);
}

TEST_F(LargeFilesTest, RenamesWhatManyFunctionsUse) {
  open("shared = 1\n", "def f#(a#): return shared\n", "");
  auto edits = renameAt(*resolver_, *indexed_, after("return shared"), "other");
  ASSERT_TRUE(edits);
  EXPECT_EQ(edits->front().edits.size(), many + 1);
  EXPECT_FALSE(renameAt(*resolver_, *indexed_, after("return shared"), "a7"));
  expectSoon();
}

TEST_F(LargeFilesTest, FindsManyCallers) {
  open("def f(): pass\n", "def g#(): f()\n", "");
  text::Offset name = after("def f") - 1;
  EXPECT_EQ(callsTo(*resolver_, *indexed_, {name, name + 1}).size(), many);
  expectSoon();
}

TEST_F(LargeFilesTest, FindsTheLastOfManyBindings) {
  open("x = 1\n", "x = x\n", "");
  auto definition = definitionAt(*resolver_, *indexed_, after("x = x"));
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->places.size(), 2u);
  expectSoon();
}

TEST_F(LargeFilesTest, CompletesInManyBrackets) {
  open("@gluon.jit\ndef k(p):\n    x = ", "a[", "'");
  completionsAt(*resolver_, *indexed_, after("'"), {});
  expectSoon();
}

TEST_F(LargeFilesTest, CompletesLayoutsAmongManyNames) {
  open("", "g# = #\n", "@gluon.jit\ndef k(p):\n    x = gl.arange(0, 128, layout=)\n");
  EXPECT_FALSE(completionsAt(*resolver_, *indexed_, after("layout="), {}).items.empty());
  expectSoon();
}

TEST_F(LargeFilesTest, CompletesACallOfManyArguments) {
  std::string call = "b): pass\nf(";
  for (size_t i = 0; i < many; ++i)
    call += "a" + std::to_string(i) + "=1, ";
  open("def f(", "a#, ", call + ")");
  Completions found = completionsAt(*resolver_, *indexed_, after("=1, "), {.plainPython = true});
  EXPECT_TRUE(llvm::any_of(found.items, [](const Completion& each) { return each.label == "b="; }));
  expectSoon();
}

// Answers as large as a large file took seconds and a gigabyte, and those of more than 64 MB never
// arrived.
class AnswerSizesTest : public FeatureFixture {
protected:
  // Opens a program with copies of a line; "#" in it stands for the number of the copy.
  void openMany(size_t copies, llvm::StringRef line, llvm::StringRef last = "") {
    std::string program = "from triton.experimental import gluon\n";
    for (size_t i = 0; i < copies; ++i)
      for (char each : line)
        program += each == '#' ? std::to_string(i) : std::string(1, each);
    open(program + last.str());
  }
};

TEST_F(AnswerSizesTest, TheWorstFindingsAreShownAndTheOthersCounted) {
  constexpr size_t kernels = mostDiagnostics + 100;
  openMany(kernels, "@gluon.jit\ndef k#(p): pass\n", "@gluon.jit\ndef last(p): missing\n");
  Json all = client.next("textDocument/publishDiagnostics")["diagnostics"];
  ASSERT_EQ(all.size(), mostDiagnostics + 1);
  EXPECT_EQ(all.front()["code"], "undefined-name"); // it is the last one in the text
  EXPECT_EQ(all.back()["message"],
            "102 more findings of this file are left out; `gluond check` lists all");
  Json lenses = request("textDocument/codeLens", document());
  EXPECT_LT(lenses.size(), mostKernelsWithLenses * 8);
  EXPECT_GT(lenses.size(), mostKernelsWithLenses * 2);
  Json listed = request("gluond/specializations", document())["kernels"];
  EXPECT_EQ(listed.size(), mostSpecializations);
}

TEST_F(AnswerSizesTest, TheSelectedSpecializationsAreAmongThoseListed) {
  std::string launches = "from triton.experimental.gluon import language as gl\n"
                         "@gluon.jit\ndef last(p, n: gl.constexpr): pass\n";
  for (size_t i = 0; i < mostSpecializations + 10; ++i)
    launches += "last[(1,)](0, " + std::to_string(i) + ")\n";
  openMany(3, "@gluon.jit\ndef k#(p): pass\n", launches);
  Json listed = request("gluond/specializations", document())["kernels"];
  ASSERT_EQ(listed.size(), 4u);
  size_t all = 0, selected = 0;
  for (const Json& kernel : listed)
    for (const Json& each : kernel["specializations"]) {
      ++all;
      selected += each["selected"].get<bool>();
    }
  EXPECT_EQ(selected, 4u);
  EXPECT_LE(all, mostSpecializations);
}

TEST_F(AnswerSizesTest, ListsOfPlacesEnd) {
  openMany(mostSymbols + 100, "a# = gluon\n");
  EXPECT_EQ(request("textDocument/documentSymbol", document()).size(), mostSymbols);
  auto lastName = static_cast<text::Offset>(source.text.size() - 2);
  EXPECT_EQ(request("textDocument/documentHighlight", at(lastName)).size(), mostHighlights);
  openMany(mostTokens, "gluon\n");
  Json tokens = request("textDocument/semanticTokens/full", document());
  EXPECT_EQ(tokens["data"].size(), mostTokens * 5);
  openMany(mostFolds + 10, "if gluon:\n  gluon\n");
  EXPECT_EQ(request("textDocument/foldingRange", document()).size(), mostFolds);
}

TEST_F(AnswerSizesTest, ListsOfUsesEnd) {
  openMany(mostRenamed, "x\n", "x = 1\nx\n");
  auto lastName = static_cast<text::Offset>(source.text.size() - 2);
  EXPECT_EQ(request("textDocument/references", at(lastName)).size(), mostReferences);
  Json params = at(lastName);
  params["newName"] = "y";
  EXPECT_EQ(client.request("textDocument/rename", dumpJson(params))["error"]["message"],
            "the name has 20002 places, and at most 20000 can be renamed at once");
  openMany(mostRenamed - 1, "x\n", "x = 1\n");
  params = at(static_cast<text::Offset>(source.text.size() - 6));
  params["newName"] = "y";
  Json changes = request("textDocument/rename", params)["changes"];
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes.front().size(), mostRenamed);
}

TEST_F(AnswerSizesTest, ListsOfCallsEnd) {
  openMany(mostCalls + 100, "def g#(): last()\n", "def last():\n    g1()\n    g2()\n");
  auto name = static_cast<text::Offset>(source.text.find("def last") + 4);
  Json item = request("textDocument/prepareCallHierarchy", at(name))[0];
  EXPECT_EQ(request("callHierarchy/incomingCalls", {{"item", item}}).size(), mostCalls);
  EXPECT_EQ(request("callHierarchy/outgoingCalls", {{"item", item}}).size(), 2u);
  // One caller, many calls.
  std::string calls = "def last(): pass\ndef g():\n";
  for (size_t i = 0; i < mostCalls + 100; ++i)
    calls += "    last()\n";
  openMany(0, "", calls);
  name = static_cast<text::Offset>(source.text.find("def last") + 4);
  item = request("textDocument/prepareCallHierarchy", at(name))[0];
  Json callers = request("callHierarchy/incomingCalls", {{"item", item}});
  ASSERT_EQ(callers.size(), 1u);
  EXPECT_EQ(callers[0]["fromRanges"].size(), mostCalls);
}

TEST_F(AnswerSizesTest, OfTooManyCompletionsThereAreMoreAfterTheNextLetter) {
  auto completions = [&](llvm::StringRef typed) {
    openMany(3 * mostCompletions, "name# = gluon\n",
             ("zzz_special = gluon\n@gluon.jit\ndef k(p):\n    x = " + typed + "\n").str());
    return request("textDocument/completion",
                   at(static_cast<text::Offset>(source.text.size() - 1)));
  };
  Json list = completions("");
  EXPECT_TRUE(list["isIncomplete"].get<bool>());
  EXPECT_EQ(list["items"].size(), mostCompletions);
  list = completions("zsp");
  EXPECT_FALSE(list["isIncomplete"].get<bool>());
  ASSERT_EQ(list["items"].size(), 1u);
  EXPECT_EQ(list["items"][0]["label"], "zzz_special");
}

TEST(AnswerSizes, AnAnswerTooLargeForAMessageIsAnError) {
  Router router = makeRouter();
  router.request<Nothing, Json>(
      "test/large", +[](const Nothing&, const RequestContext&) {
        return Answer<Json>(std::string(maxMessageBytes + 1, 'x'));
      });
  TestServer client(std::move(router));
  client.initialize();
  EXPECT_EQ(client.request("test/large", "{}")["error"]["message"],
            "the answer has 64 MB; the limit is 64");
}

} // namespace
} // namespace gluond::lsp
