#include "Context.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace gluond::language {
namespace {

TEST(Builtin, EveryRowIsComplete) {
  for (const Builtin& row : builtins()) {
    SCOPED_TRACE(row.name.str() + " in " + row.where.str());
    EXPECT_FALSE(row.doc.empty());
    llvm::StringRef doc = row.doc;
    EXPECT_TRUE(doc.ends_with(".")) << row.doc.str();
    bool called = row.kind == BuiltinKind::Rule || row.kind == BuiltinKind::Native ||
                  row.kind == BuiltinKind::Prelude || row.kind == BuiltinKind::Layout;
    if (called) EXPECT_TRUE(row.hasParameters());
    if (row.kind == BuiltinKind::Native || row.kind == BuiltinKind::Layout) EXPECT_TRUE(row.native);
    if (row.kind == BuiltinKind::Prelude || row.kind == BuiltinKind::Removed)
      EXPECT_FALSE(row.text.empty());
    if (row.kind == BuiltinKind::Removed) {
      llvm::StringRef module = row.where.split(' ').first;
      for (const BuiltinModule& candidate : builtinModules())
        if (candidate.alias == module)
          EXPECT_NE(findBuiltin(candidate.id, row.text), nullptr)
              << "a replacement that is not there";
    }
    // Each parameter that the text documents exists.
    llvm::SmallVector<llvm::StringRef, 8> lines;
    llvm::StringRef(row.doc).split(lines, '\n');
    for (llvm::StringRef line : llvm::drop_begin(lines)) {
      if (!line.consume_front("- ")) continue;
      llvm::SmallVector<llvm::StringRef, 2> names;
      line.split(':').first.split(names, ", ");
      for (llvm::StringRef name : names)
        EXPECT_TRUE(llvm::any_of(row.parameters, [&](const Parameter& p) {
          return name == llvm::StringRef(p.name);
        })) << name.str();
    }
  }
}

TEST(Builtin, FindsByModuleAndName) {
  auto* module = findModule("triton.experimental.gluon.language");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(findBuiltin(module->id, "load")->id, BuiltinId::gl_load);
  EXPECT_EQ(findBuiltin(module->id, "loads"), nullptr);
  auto* nvidia = findSubmodule(*module, "nvidia");
  ASSERT_NE(nvidia, nullptr);
  auto* blackwell = findSubmodule(*nvidia, "blackwell");
  ASSERT_NE(blackwell, nullptr);
  auto* mbarrier = findSubmodule(*blackwell, "mbarrier");
  ASSERT_NE(mbarrier, nullptr);
  EXPECT_EQ(findBuiltin(mbarrier->id, "expect")->id, BuiltinId::hopper_mbarrier_expect);
  EXPECT_EQ(findSubmodule(*module, "nvidi"), nullptr);
  EXPECT_EQ(findModule("triton.experimental.gluon.language.tensor"), nullptr);
}

TEST(Builtin, ReadsSignatures) {
  constexpr auto& parameters =
      signature<"(pointer, mask=None, *args, flag=False, text=\"a, b\", n=-12, **rest)">;
  static_assert(parameters.size() == 7);
  EXPECT_EQ(parameters[0].defaultKind, DefaultKind::Required);
  EXPECT_EQ(parameters[1].defaultKind, DefaultKind::None);
  EXPECT_EQ(parameters[2].kind, ParameterKind::VarArgs);
  EXPECT_EQ(parameters[3].kind, ParameterKind::KeywordOnly);
  EXPECT_EQ(parameters[4].defaultText, "\"a, b\"");
  EXPECT_EQ(parameters[5].integer, -12);
  EXPECT_EQ(parameters[6].kind, ParameterKind::KwArgs);
  static_assert(signature<"()">.empty());
  static_assert(signature<"(mbarrier, *, count=1)">.size() == 2);
}

TEST(Builtin, BindsAsPythonDoes) {
  TestContext context;
  const Builtin& row = builtin(BuiltinId::gl_convert_layout);
  BoundArguments bound;
  std::string error;
  auto bind = [&](std::initializer_list<Value> positional,
                  std::initializer_list<KeywordArgument> keywords) {
    return bindArguments(row, Values(positional), keywords, context.interner(), context.heap(),
                         bound, error);
  };
  Name layout = context.name("layout"), other = context.name("other");
  Value one = Value::integer(1), two = Value::integer(2);
  ASSERT_TRUE(bind({one}, {{layout, two}}));
  EXPECT_EQ(bound.values[1].asInt(), 2);
  EXPECT_FALSE(bound.values[2].asBool());
  EXPECT_EQ(bound.from[2], BoundArguments::fromDefault);
  EXPECT_FALSE(bind({one}, {}));
  EXPECT_EQ(error, "convert_layout() missing 1 required positional argument: 'layout'");
  EXPECT_FALSE(bind({one, two}, {{layout, two}}));
  EXPECT_EQ(error, "convert_layout() got multiple values for argument 'layout'");
  EXPECT_FALSE(bind({one, two}, {{other, two}}));
  EXPECT_EQ(error, "convert_layout() got an unexpected keyword argument 'other'");
  EXPECT_FALSE(bind({one, two, one, two}, {}));
  EXPECT_EQ(error, "convert_layout() takes 3 positional arguments but 4 were given");
}

// Names of the surface that are not rows, each with its reason.
const std::set<std::string> exempt = {};

TEST(Builtin, CoversTheSurface) {
  std::ifstream file(std::string(GLUOND_SHARED_DIR) + "/gluon/surface-3.9.0.json");
  if (!file) GTEST_SKIP() << "no surface-3.9.0.json beside the repository";
  auto surface = nlohmann::json::parse(file);
  unsigned missing = 0;
  for (auto& entry : surface) {
    std::string module = entry["module"], name = entry["name"];
    if (exempt.count(module + "." + name)) continue;
    auto* found = findModule(module);
    const Builtin* row = found ? findBuiltin(found->id, name) : nullptr;
    if (!row) {
      ++missing;
      ADD_FAILURE() << module << "." << name << " (" << entry["kind"] << ") is no row";
      continue;
    }
    // A row's parameters are Triton's, in order, by name.
    if (entry["kind"] != "builtin" || !entry["signature"].is_string() ||
        row->kind == BuiltinKind::Removed)
      continue;
    std::string text = entry["signature"];
    llvm::SmallVector<std::string, 8> wanted;
    int depth = 0;
    std::string piece;
    size_t end = text.rfind(") ->");
    end = end == std::string::npos ? text.size() - 1 : end;
    for (size_t i = 1; i <= end; ++i) {
      char c = i < end ? text[i] : ',';
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c != ',' || depth) {
        piece += c;
        continue;
      }
      llvm::StringRef name = llvm::StringRef(piece).trim().split('=').first.split(':').first.trim();
      name = name.ltrim('*');
      if (!name.empty() && name != "_semantic" && name != "_generator" && name != "/")
        wanted.push_back(name.str());
      piece.clear();
    }
    llvm::SmallVector<std::string, 8> have;
    for (const Parameter& parameter : row->parameters)
      have.push_back(std::string(parameter.name));
    EXPECT_THAT(have, testing::ElementsAreArray(wanted)) << module << "." << name << " " << text;
  }
  EXPECT_EQ(missing, 0u);
}

TEST(Builtin, CoversTheMethodsOfTheSurface) {
  std::ifstream file(std::string(GLUOND_SHARED_DIR) + "/gluon/surface-3.9.0.json");
  if (!file) GTEST_SKIP() << "no surface-3.9.0.json beside the repository";
  for (auto& entry : nlohmann::json::parse(file)) {
    if (!entry.contains("methods") || !entry["methods"].is_array() || entry["methods"].empty())
      continue;
    std::string cls = entry["name"];
    const BuiltinModule* module = nullptr;
    for (const BuiltinModule& candidate : builtinModules())
      if (candidate.isClass && candidate.alias == cls) module = &candidate;
    ASSERT_NE(module, nullptr) << cls;
    for (auto& method : entry["methods"])
      EXPECT_NE(findBuiltin(module->id, std::string(method)), nullptr) << cls << "." << method;
  }
}

} // namespace
} // namespace gluond::language
