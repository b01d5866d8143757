#include "driver/workspace/Workspace.h"

#include "files/ReadFile.h"
#include "support/TempFolder.h"
#include "syntax/SyntaxTree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace gluond::driver {
namespace {

TEST(Workspace, snapshotsDoNotChange) {
  Workspace workspace(Settings{});
  workspace.open("/a.py", 1, "x = 1\n");
  auto before = workspace.snapshot();
  EXPECT_EQ(before, workspace.snapshot()); // nothing changed: the same one
  EXPECT_TRUE(workspace.change("/a.py", 2, text::SourceText("x = 2\n")));
  EXPECT_FALSE(workspace.change("/b.py", 2, text::SourceText("")));
  EXPECT_EQ(before->file("/a.py")->text().text(), "x = 1\n");
  EXPECT_EQ(workspace.snapshot()->file("/a.py")->text().text(), "x = 2\n");
  EXPECT_EQ(workspace.snapshot()->file("/a.py")->id(), before->file("/a.py")->id());
  workspace.close("/a.py");
  EXPECT_FALSE(workspace.snapshot()->file("/a.py"));
  EXPECT_TRUE(before->file("/a.py"));
}

TEST(Workspace, diskIsReadAgainWhenItChanged) {
  TempFolder folder;
  std::string path = folder.write("a.py", "x = 1\n");
  Workspace workspace(Settings{});
  auto first = workspace.snapshot()->file(path);
  ASSERT_TRUE(first);
  EXPECT_FALSE(first->version());
  workspace.diskChanged();
  EXPECT_EQ(workspace.snapshot()->file(path), first); // untouched: what was computed for it stays
  folder.write("a.py", "x = 22\n");
  EXPECT_EQ(workspace.snapshot()->file(path), first);
  workspace.diskChanged();
  EXPECT_EQ(workspace.snapshot()->file(path)->text().text(), "x = 22\n");
  workspace.open(path, 7, "unsaved");
  EXPECT_EQ(workspace.snapshot()->file(path)->text().text(), "unsaved");
}

// Changes within one step of the file system's clock, to as many bytes.
TEST(Workspace, diskIsReadAgainWhereItsTimeDoesNotTell) {
  TempFolder folder;
  timespec times[2]{};
  ::clock_gettime(CLOCK_REALTIME, &times[0]);
  times[1] = times[0];
  auto write = [&](const char* text) {
    std::string path = folder.write("a.py", text);
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    return path;
  };
  std::string path = write("x = 1\n");
  Workspace workspace(Settings{});
  ASSERT_EQ(workspace.snapshot()->file(path)->text().text(), "x = 1\n");
  write("x = 2\n");
  workspace.diskChanged();
  EXPECT_EQ(workspace.snapshot()->file(path)->text().text(), "x = 2\n");
}

TEST(Workspace, idsNamePaths) {
  Workspace workspace(Settings{});
  workspace.open("/a.py", 1, "");
  workspace.open("/b.py", 1, "");
  auto snapshot = workspace.snapshot();
  EXPECT_EQ(snapshot->path(snapshot->file("/a.py")->id()), "/a.py");
  EXPECT_EQ(snapshot->path(snapshot->file("/b.py")->id()), "/b.py");
  EXPECT_EQ(snapshot->path({999}), "");
}

TEST(File, anOvertakenVersionHandsItsTreeOn) {
  Interner names;
  auto first = std::make_shared<File>("/a.py", diagnostics::FileId{0}, 1,
                                      text::SourceText("def f():\n  return 1\n"));
  ASSERT_TRUE(first->tree(names, {}));
  auto second = std::make_shared<File>(*first, 2,
                                       text::SourceText("def f():\n  return 12\n")); // never parsed
  auto third = std::make_shared<File>(*second, 3, text::SourceText("def f():\n  return 123\n"));
  auto tree = third->tree(names, {});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->source().text(), "def f():\n  return 123\n");
  CancellationSource cancelled;
  cancelled.cancel();
  EXPECT_FALSE(second->tree(names, cancelled.token()));
}

TEST(ReadFile, saysWhy) {
  TempFolder folder;
  EXPECT_EQ(files::readFile(folder.path("none"), 10).error(),
            "cannot read '" + folder.path("none") + "': No such file or directory");
  EXPECT_NE(files::readFile(folder.path(), 10).error().find("it is a directory"),
            std::string::npos);
  EXPECT_NE(files::readFile(folder.write("big", std::string(3 << 20, 'x')), 1 << 20)
                .error()
                .find("larger than 1 MiB"),
            std::string::npos);
  EXPECT_NE(files::readFile("/dev/zero", 1 << 20).error().find("not a regular file"),
            std::string::npos);
  EXPECT_EQ(*files::readFile(folder.write("bytes", std::string("\0\xff\r\n", 4)), 10),
            std::string("\0\xff\r\n", 4));
}

} // namespace
} // namespace gluond::driver
