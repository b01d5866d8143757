#include "files/GitIgnore.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace gluond::files {
namespace {

namespace fs = std::filesystem;

TEST(GitIgnore, globs) {
  for (auto [pattern, name] : {std::pair("*.py", "a.py"),
                               {"a*c", "abbc"},
                               {"**/x", "x"},
                               {"**/x", "a/b/x"},
                               {"a/**", "a/b/c"},
                               {"a/**/z", "a/z"},
                               {"a/**/z", "a/b/c/z"},
                               {"[a-c]?", "bz"},
                               {"[!a-c]", "d"},
                               {"\\*", "*"},
                               {"a*b*c", "aXbXbXc"},
                               {"**/*_pb2.py", "d/x_pb2.py"}})
    EXPECT_TRUE(matchesGlob(pattern, name)) << pattern << " " << name;
  for (auto [pattern, name] : {std::pair("*.py", "a/b.py"),
                               {"a?c", "a/c"},
                               {"**/x", "ax"},
                               {"a/**/z", "a/bz"},
                               {"[a-c]", "d"},
                               {"[!a-c]", "a"},
                               {"\\*", "a"},
                               {"", "a"},
                               {"a", ""},
                               {"x/*", "x/y/z"}})
    EXPECT_FALSE(matchesGlob(pattern, name)) << pattern << " " << name;
  // No pattern takes long.
  EXPECT_FALSE(matchesGlob("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
  EXPECT_FALSE(matchesGlob("**a**a**a**a**a**b", std::string(5000, 'a')));
}

class Repository : public testing::Test {
protected:
  fs::path root_ = fs::temp_directory_path() / ("gluond-gitignore-" + std::to_string(::getpid()));
  void SetUp() override { fs::create_directories(root_ / ".git" / "info"); }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
};

TEST_F(Repository, rulesOfFoldersAndOfTheRepository) {
  write(".git/info/exclude", "private*\n");
  write(".gitignore", "# a comment\nbuild/\n*.gen.py\n!keep.gen.py\n/top\nsub/deep\nspaced\\ \n");
  write("sub/.gitignore", "local\n!/private_here\n*.txt\n");
  GitIgnore git(root_.string());
  EXPECT_TRUE(git.ignores("build", true));
  EXPECT_FALSE(git.ignores("build", false));
  EXPECT_TRUE(git.ignores("sub/build", true));
  EXPECT_TRUE(git.ignores("a.gen.py", false));
  EXPECT_FALSE(git.ignores("keep.gen.py", false));
  EXPECT_TRUE(git.ignores("top", true));
  EXPECT_FALSE(git.ignores("sub/top", true));
  EXPECT_TRUE(git.ignores("sub/deep", true));
  EXPECT_TRUE(git.ignores("private.py", false));
  EXPECT_FALSE(git.ignores("sub/private_here", false));
  EXPECT_TRUE(git.ignores("sub/local", false));
  EXPECT_FALSE(git.ignores("local", false));
  // Of a folder in the repository.
  GitIgnore inner((root_ / "sub").string());
  EXPECT_TRUE(inner.ignores("local", false));
  EXPECT_TRUE(inner.ignores("deep", true));
  EXPECT_TRUE(inner.ignores("x/a.gen.py", false));
}

// As in git. Such rules, and ones that are longer than a path, may be a megabyte long.
TEST_F(Repository, rulesThatMatchNothing) {
  write(".gitignore", "*[ab\n[ab\n*" + std::string(5000, '?') + "\n*b.py\n");
  GitIgnore git(root_.string());
  EXPECT_FALSE(git.ignores("a", false));
  EXPECT_FALSE(git.ignores("[ab", false));
  EXPECT_FALSE(git.ignores(std::string(5000, 'c'), false));
  EXPECT_TRUE(git.ignores("b.py", false));
}

TEST_F(Repository, withoutARepositoryNothingIsIgnored) {
  fs::remove_all(root_ / ".git");
  write(".gitignore", "*\n");
  EXPECT_FALSE(GitIgnore(root_.string()).ignores("a.py", false));
}

TEST(Glob, aPatternMayBeWrong) {
  for (const char* right :
       {"a", "*.py", "**/x", "[ab]", "[!a]", "[]]", "[]a-c]x", "\\[", "a]", "{a"})
    EXPECT_EQ(whyNoGlob(right), std::nullopt) << right;
  for (const char* wrong : {"", "[", "x[ab", "[]", "[!]", "[a]["})
    EXPECT_NE(whyNoGlob(wrong), std::nullopt) << wrong;
}

} // namespace
} // namespace gluond::files
