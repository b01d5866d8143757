// What a cloned project may have in the place of a file: nothing outside it is opened, and nothing
// is waited for.
#include "files/OpenBeneath.h"

#include "files/ReadFile.h"
#include "support/TempFolder.h"

#include <atomic>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <thread>

namespace gluond::files {
namespace {

namespace fs = std::filesystem;
constexpr size_t most = size_t{16} << 20;

class Beneath : public testing::Test {
protected:
  void SetUp() override {
    root = project.path();
    outside.write("secret.py", "SECRET");
    project.write("a.py", "A");
    project.write("pkg/b.py", "B");
  }
  // What is read of a file; the reason in angles where it is not.
  std::string read(const std::string& name) {
    auto text = readFileBeneath({root}, name.starts_with("/") ? name : root + "/" + name, most);
    return text ? *text : "<" + text.error() + ">";
  }
  bool isRefused(const std::string& name) {
    std::string text = read(name);
    EXPECT_EQ(text.find("SECRET"), std::string::npos) << name;
    return text.starts_with("<");
  }

  TempFolder project, outside;
  std::string root;
};

TEST_F(Beneath, whatIsInsideIsRead) {
  EXPECT_EQ(read("a.py"), "A");
  EXPECT_EQ(read("pkg/b.py"), "B");
  EXPECT_EQ(read("pkg/../a.py"), "A");
  EXPECT_EQ(read("pkg//./b.py"), "B");
  EXPECT_TRUE(isRefused("none.py"));
  EXPECT_TRUE(isRefused("a.py/b.py"));
  EXPECT_TRUE(isRefused("pkg"));
  EXPECT_TRUE(isRefused(std::string("a.py\0b", 6)));
  EXPECT_FALSE(readFile(root + std::string("/a.py\0b", 7), most));
}

TEST_F(Beneath, linksInsideAreFollowed) {
  fs::create_symlink("a.py", project.path("near.py"));
  fs::create_symlink(root + "/a.py", project.path("absolute.py"));
  fs::create_directory_symlink("pkg", project.path("folder"));
  fs::create_symlink("../a.py", project.path("pkg/up.py"));
  for (const char* name : {"near.py", "absolute.py", "pkg/up.py"})
    EXPECT_EQ(read(name), "A") << name;
  EXPECT_EQ(read("folder/b.py"), "B");
}

TEST_F(Beneath, linksOutAreNot) {
  fs::create_symlink(outside.path("secret.py"), project.path("file.py"));
  fs::create_directory_symlink(outside.path(), project.path("folder"));
  fs::create_symlink("../" + fs::path(outside.path()).parent_path().filename().string() +
                         "/secret.py",
                     project.path("relative.py"));
  fs::create_symlink("file.py", project.path("twice.py"));
  fs::create_symlink("/proc/self/environ", project.path("environment.py"));
  fs::create_symlink("/proc/self/cwd", project.path("magic"));
  fs::create_symlink("/dev/stdin", project.path("stdin.py"));
  fs::create_symlink("loop.py", project.path("loop.py"));
  for (const char* name : {"file.py", "folder/secret.py", "relative.py", "twice.py",
                           "environment.py", "magic/a.py", "stdin.py", "loop.py"})
    EXPECT_TRUE(isRefused(name)) << name;
  EXPECT_TRUE(isRefused("../" + outside.path("secret.py")));
  EXPECT_TRUE(isRefused(outside.path("secret.py")));
  // The user's own word leads anywhere.
  EXPECT_EQ(readFile(project.path("file.py"), most), "SECRET");
}

TEST_F(Beneath, aFolderOfTheWorkspaceMayBeALinkAndLinksMayLeadToAnother) {
  fs::create_directory_symlink(outside.path(), project.path("linked"));
  EXPECT_EQ(readFileBeneath({project.path("linked")}, project.path("linked/secret.py"), most),
            "SECRET");
  EXPECT_EQ(readFileBeneath({root, outside.path()}, project.path("linked/secret.py"), most),
            "SECRET");
  EXPECT_FALSE(readFileBeneath({root}, project.path("linked/secret.py"), most));
  EXPECT_FALSE(readFileBeneath({}, project.path("a.py"), most));
  // By whole names: "/x/project" is not around "/x/project2/a".
  EXPECT_TRUE(folderAround({"/x/project"}, "/x/project2/a").empty());
  EXPECT_EQ(folderAround({"/x/y", "/x"}, "/x/y/a"), "/x");
  EXPECT_EQ(folderAround({"/"}, "/a"), "/");
}

TEST_F(Beneath, onlyRegularFilesAndNobodyWaits) {
  ASSERT_EQ(mkfifo(project.path("pipe.py").c_str(), 0600), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  std::string path = project.path("socket.py");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const char* name : {"pipe.py", "socket.py"}) {
    EXPECT_TRUE(isRefused(name)) << name;
    EXPECT_FALSE(readFile(project.path(name), most)) << name;
  }
  ::close(socket);
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/tty"})
    EXPECT_FALSE(readFile(device, most)) << device;
  if (::geteuid() == 0 &&
      ::mknod(project.path("device.py").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0) // /dev/zero
    EXPECT_TRUE(isRefused("device.py"));
}

TEST_F(Beneath, sizesAreLookedAtBeforeReading) {
  std::string sparse = project.write("sparse.py", "");
  if (::truncate(sparse.c_str(), off_t{10} << 40) != 0)
    ASSERT_EQ(::truncate(sparse.c_str(), off_t{1} << 40), 0);
  EXPECT_NE(read("sparse.py").find("larger than 16 MiB"), std::string::npos) << read("sparse.py");
  EXPECT_EQ(readFile(project.path("a.py"), 1), "A");
  EXPECT_FALSE(readFile(project.path("a.py"), 0));
  // One that says nothing of its size is read as far as that goes.
  auto status = readFile("/proc/self/status", most);
  ASSERT_TRUE(status);
  EXPECT_NE(status->find("Pid:"), std::string::npos);
  EXPECT_FALSE(readFile("/proc/self/status", 10));
}

// Both ways of resolving know the same.
TEST_F(Beneath, stepsDoWhatTheKernelDoes) {
  fs::create_directory_symlink(outside.path(), project.path("folder"));
  fs::create_symlink("a.py", project.path("near.py"));
  Descriptor folder(::open(root.c_str(), O_PATH | O_DIRECTORY));
  for (PathResolution resolution : {PathResolution::Kernel, PathResolution::Steps}) {
    auto opens = [&](const char* name) {
      return bool(openWithoutLinks(folder.get(), name, O_RDONLY, 0, resolution));
    };
    EXPECT_TRUE(opens("a.py"));
    EXPECT_TRUE(opens("pkg/b.py"));
    for (const char* name : {"folder/secret.py", "near.py", "../x", "/etc/passwd", "pkg/../a.py",
                             "pkg//b.py", "./a.py", "a.py/", "none"})
      EXPECT_FALSE(opens(name)) << name;
  }
}

// A folder that turns into a link out of the project and back, as fast as can be.
TEST_F(Beneath, nothingIsReadOutsideWhileFoldersChange) {
  outside.write("b.py", "SECRET");
  fs::create_directory_symlink(outside.path(), project.path("link"));
  std::atomic<bool> isOver{false};
  std::thread other([&] {
    std::string a = project.path("pkg"), b = project.path("link"), aside = project.path("aside");
    while (!isOver) {
      (void)::rename(a.c_str(), aside.c_str());
      (void)::rename(b.c_str(), a.c_str());
      (void)::rename(a.c_str(), b.c_str());
      (void)::rename(aside.c_str(), a.c_str());
    }
  });
  for (int i = 0; i < 3000; ++i)
    EXPECT_NE(read("pkg/b.py"), "SECRET");
  isOver = true;
  other.join();
}

} // namespace
} // namespace gluond::files
