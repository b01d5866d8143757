#include "files/WriteFile.h"

#include "support/TempFolder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace gluond::files {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Ways {
  const char* name;
  tl::expected<void, std::string> (*write)(const std::string& folder, const std::string& name);
};
const Ways ways[] = {
    {"replace", [](const std::string& folder,
                   const std::string& name) { return replaceFile(folder, name, "new\n"); }},
    {"overwrite", [](const std::string& folder,
                     const std::string& name) { return overwriteFile(folder, name, "new\n"); }},
    {"append", [](const std::string& folder,
                  const std::string& name) { return appendToFile(folder, name, "new\n", 1000); }},
};

TEST(WriteFile, makesFoldersAndFiles) {
  for (const Ways& way : ways) {
    TempFolder project;
    ASSERT_TRUE(way.write(project.path(), "a/b/c.txt")) << way.name;
    EXPECT_EQ(content(project.path("a/b/c.txt")), "new\n") << way.name;
    project.write("old.txt", "old\n");
    ASSERT_TRUE(way.write(project.path(), "old.txt")) << way.name;
    EXPECT_EQ(content(project.path("old.txt")),
              way.name == std::string("append") ? "old\nnew\n" : "new\n");
    size_t files = 0;
    for ([[maybe_unused]] const auto& each : fs::directory_iterator(project.path()))
      ++files;
    EXPECT_EQ(files, 2u) << "something is left behind by " << way.name;
  }
}

TEST(WriteFile, goesThroughNoLinkAndIntoNothingElse) {
  for (const Ways& way : ways) {
    TempFolder project, home;
    std::string profile = home.write("profile", "mine\n");
    fs::create_symlink(profile, project.path("file"));
    fs::create_symlink(home.path("new"), project.path("dangling"));
    fs::create_directory_symlink(home.path(), project.path("folder"));
    fs::create_directories(project.path("is/a/folder"));
    project.write("is/a/file", "");
    mkfifo(project.path("pipe").c_str(), 0600);
    for (const char* name :
         {"file", "dangling", "folder/profile", "folder/new", "folder/x/new", "is/a/folder",
          "is/a/file/x", "pipe", "../x", "a/../../x", "", "a/", ".", "..", "/tmp/x"})
      EXPECT_FALSE(way.write(project.path(), name)) << way.name << " " << name;
    EXPECT_EQ(content(profile), "mine\n");
    EXPECT_FALSE(fs::exists(home.path("new")));
    EXPECT_FALSE(way.write(project.path("none"), "a")) << way.name;
  }
}

TEST(WriteFile, pathsOfTheUserLeadThroughNoLinkOfTheProject) {
  TempFolder project, home;
  std::string here = fs::current_path().string();
  std::string profile = home.write("profile", "mine\n");
  fs::create_symlink(profile, project.path("file"));
  fs::create_directory_symlink(home.path(), project.path("folder"));
  fs::create_directory_symlink(project.path(), home.path("project"));
  auto write = [](const std::string& path) {
    NamedPath named = namedPath(path);
    return overwriteFile(named.folder, named.name, "new\n").has_value();
  };
  fs::current_path(project.path());
  for (const char* path :
       {"file", "./file", "sub/../file", "folder/profile", "folder/new", "folder"})
    EXPECT_FALSE(write(path)) << path;
  for (const char* path : {"new", "sub/new", "./a/b", "a/../c"})
    EXPECT_TRUE(write(path)) << path;
  EXPECT_TRUE(write(project.path("absolute/new")));
  EXPECT_FALSE(write(project.path("folder/new")));
  for (const char* path : {"", ".", ".."})
    EXPECT_TRUE(namedPath(path).name.empty()) << path;
  fs::current_path(here);
  EXPECT_FALSE(write(project.path("file")));
  EXPECT_TRUE(write(project.path("elsewhere/new")));
  // The user's own links lead to the project.
  EXPECT_TRUE(write(home.path("project/again")));
  NamedPath out = namedPath(home.path("project/out"));
  EXPECT_TRUE(makeFolder(out.folder, out.name));
  EXPECT_TRUE(fs::is_directory(project.path("out")));
  out = namedPath(project.path("folder"));
  EXPECT_FALSE(makeFolder(out.folder, out.name));
  EXPECT_EQ(content(profile), "mine\n");
  EXPECT_FALSE(fs::exists(home.path("new")));
}

TEST(WriteFile, historyDoesNotGrowForEver) {
  TempFolder project;
  ASSERT_TRUE(appendToFile(project.path(), "a", std::string(900, 'x'), 1000));
  EXPECT_FALSE(appendToFile(project.path(), "a", std::string(200, 'x'), 1000));
  EXPECT_EQ(content(project.path("a")).size(), 900u);
}

TEST(WriteFile, permissionsStay) {
  TempFolder project;
  std::string file = project.write("a", "old");
  ::chmod(file.c_str(), 0640);
  ASSERT_TRUE(replaceFile(project.path(), "a", "new"));
  struct stat status{};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

} // namespace
} // namespace gluond::files
