#include "files/Walk.h"

#include "support/TempFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace gluond::files {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::UnorderedElementsAre;

Walked walkAll(const std::string& root, const WalkLimits& limits = {},
               const CancellationToken& token = {}) {
  return walk(
      root, [](llvm::StringRef) { return true; },
      [](llvm::StringRef name) { return name.ends_with(".py"); }, token, limits);
}

TEST(Walk, filesAndLinksButNothingBehindLinks) {
  TempFolder project, outside;
  outside.write("secret.py", "");
  project.write("a.py", "");
  project.write("pkg/b.py", "");
  project.write("pkg/notes.txt", "");
  fs::create_directory_symlink(outside.path(), project.path("out"));
  fs::create_directory_symlink(".", project.path("pkg/loop"));
  fs::create_directory_symlink("..", project.path("pkg/up"));
  fs::create_symlink(outside.path("secret.py"), project.path("link.py"));
  mkfifo(project.path("pipe.py").c_str(), 0600);
  Walked walked = walkAll(project.path());
  EXPECT_THAT(walked.files, UnorderedElementsAre("a.py", "link.py", "pkg/b.py"));
  EXPECT_TRUE(walked.isWhole);
  EXPECT_NE(walkAll(project.path("none")).problem, "");
  EXPECT_NE(walkAll(project.path("a.py")).problem, "");
}

TEST(Walk, namesAreWhatTheyAre) {
  TempFolder project;
  for (const char* name :
       {"two\nlines.py", "\x1b[31mred.py", "\xff\xfe.py", "-o.py", " .py", "\\.py"})
    project.write(name, "");
  Walked walked = walkAll(project.path());
  EXPECT_EQ(walked.files.size(), 6u);
  EXPECT_THAT(walked.files, Contains("two\nlines.py"));
  EXPECT_THAT(walked.files, Contains("\xff\xfe.py"));
}

TEST(Walk, isBounded) {
  TempFolder project;
  for (int i = 0; i < 300; ++i)
    project.write(std::to_string(i % 10) + "/" + std::to_string(i) + ".py", "");
  EXPECT_EQ(walkAll(project.path()).files.size(), 300u);
  EXPECT_EQ(walkAll(project.path(), {.files = 20}).files.size(), 20u);
  EXPECT_FALSE(walkAll(project.path(), {.files = 20}).isWhole);
  EXPECT_LT(walkAll(project.path(), {.folders = 3}).files.size(), 100u);
  EXPECT_LE(walkAll(project.path(), {.entries = 50}).files.size(), 50u);
  EXPECT_TRUE(walkAll(project.path(), {.depth = 0}).files.empty());
  EXPECT_FALSE(walkAll(project.path(), {.depth = 0}).isWhole);
  EXPECT_TRUE(walkAll(project.path(), {.time = std::chrono::milliseconds(-1)}).files.empty());
  CancellationSource source;
  source.cancel();
  EXPECT_TRUE(walkAll(project.path(), {}, source.token()).files.empty());
}

TEST(Walk, deepTreesEnd) {
  TempFolder project;
  fs::path at = project.path();
  for (int i = 0; i < 100; ++i)
    at /= "d";
  fs::create_directories(at);
  std::ofstream(at / "a.py") << "";
  project.write("b.py", "");
  Walked walked = walkAll(project.path());
  EXPECT_THAT(walked.files, UnorderedElementsAre("b.py"));
  EXPECT_FALSE(walked.isWhole);
}

} // namespace
} // namespace gluond::files
