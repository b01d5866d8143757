#include "driver/cache/DiskCache.h"

#include "driver/workspace/Workspace.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gluond::driver {
namespace {

namespace fs = llvm::sys::fs;

class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("gluond-cache", folder_)); }
  void TearDown() override { (void)fs::remove_directories(folder_); }

  DiskCache cache(uint64_t bytes = uint64_t{64} << 20) const {
    return {folder_.str().str(), bytes};
  }
  static CacheKey key(unsigned number) {
    return CacheKey().add("kernel").add(std::to_string(number));
  }
  // What a right result for the key is.
  static std::string content(unsigned number, size_t size = 2000) {
    std::string text;
    while (text.size() < size)
      text += "result " + std::to_string(number) + '\n';
    return text;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder_, error), end; at != end && !error;
         at.increment(error))
      if (fs::is_regular_file(at->path())) found.push_back(at->path());
    return found;
  }
  // The results; the key of the cache is none.
  std::vector<std::string> keptFiles() const {
    std::vector<std::string> found;
    for (std::string& path : files())
      if (llvm::sys::path::filename(path) != "key") found.push_back(std::move(path));
    return found;
  }
  std::string fileOf(const CacheKey& key) const {
    for (const std::string& path : files())
      if (llvm::StringRef(path).contains(key.text())) return path;
    return {};
  }

  llvm::SmallString<128> folder_;
};

TEST_F(DiskCacheTest, keepsAndFinds) {
  EXPECT_FALSE(cache().find(key(1)));
  cache().keep(key(1), content(1));
  cache().keep(key(2), "");
  EXPECT_EQ(cache().find(key(1)), content(1)); // another value of the same folder
  EXPECT_EQ(cache().find(key(2)), "");
  EXPECT_FALSE(cache().find(key(3)));
  EXPECT_EQ(cache().usage().entries, 2u);
  EXPECT_GT(cache().usage().bytes, content(1).size());
}

TEST_F(DiskCacheTest, partsOfAKeyDoNotRunTogether) {
  EXPECT_NE(CacheKey().add("ab").add("c").text(), CacheKey().add("a").add("bc").text());
  EXPECT_NE(CacheKey().add("ab").text(), CacheKey().add("ab").add("").text());
  EXPECT_EQ(key(7).text(), key(7).text());
}

TEST_F(DiskCacheTest, offIsSilent) {
  DiskCache off;
  off.keep(key(1), "x");
  EXPECT_FALSE(off.find(key(1)));
  EXPECT_EQ(off.usage().entries + off.clear().entries, 0u);
}

TEST_F(DiskCacheTest, whatWasCutShortIsMadeAgain) {
  for (size_t left : {size_t{0}, size_t{5}, size_t{40}, size_t{48}, size_t{1000}}) {
    cache().keep(key(1), content(1));
    ASSERT_EQ(::truncate(fileOf(key(1)).c_str(), static_cast<off_t>(left)), 0);
    EXPECT_FALSE(cache().find(key(1))) << left;
    EXPECT_EQ(fileOf(key(1)), "") << "a damaged file stays";
  }
  cache().keep(key(1), content(1));
  EXPECT_EQ(cache().find(key(1)), content(1));
}

TEST_F(DiskCacheTest, whatWasDamagedIsMadeAgain) {
  for (std::streamoff at : {0, 9, 20, 30, 100, 1500}) {
    cache().keep(key(1), content(1));
    std::fstream file(fileOf(key(1)), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    char flipped = static_cast<char>(~file.get());
    file.seekp(at);
    file.put(flipped);
    file.close();
    EXPECT_FALSE(cache().find(key(1))) << at;
  }
}

TEST_F(DiskCacheTest, anotherKeysFileIsNoResult) {
  cache().keep(key(1), content(1));
  cache().keep(key(2), content(2));
  ASSERT_FALSE(fs::copy_file(fileOf(key(1)), fileOf(key(2))));
  EXPECT_FALSE(cache().find(key(2)));
  EXPECT_EQ(cache().find(key(1)), content(1));
}

// Whoever can write a file there knows its format, and not the key.
TEST_F(DiskCacheTest, whatAnotherKeySealedIsNoResult) {
  cache().keep(key(1), content(1));
  llvm::SmallString<128> other;
  ASSERT_FALSE(fs::createUniqueDirectory("gluond-cache", other));
  DiskCache(other.str().str(), uint64_t{64} << 20).keep(key(1), "forged");
  std::string forged = (other + fileOf(key(1)).substr(folder_.size())).str();
  ASSERT_TRUE(fs::exists(forged));
  ASSERT_FALSE(fs::copy_file(forged, fileOf(key(1))));
  EXPECT_FALSE(cache().find(key(1)));
  EXPECT_EQ(fileOf(key(1)), "") << "a forged file stays";
  (void)fs::remove_directories(other);
}

TEST_F(DiskCacheTest, aFolderThatOthersWriteToIsNotUsed) {
  cache().keep(key(1), content(1));
  EXPECT_EQ(cache().problem(), "");
  std::string results = cache().folder().str();
  ASSERT_EQ(::chmod(results.c_str(), 0777), 0);
  EXPECT_FALSE(cache().find(key(1)));
  EXPECT_NE(cache().problem().find("others may write"), std::string::npos) << cache().problem();
  cache().keep(key(2), content(2));
  EXPECT_EQ(keptFiles().size(), 1u);
  ASSERT_EQ(::chmod(results.c_str(), 0700), 0);
  EXPECT_EQ(cache().find(key(1)), content(1));
  // Nor one whose key others know, or that is another's.
  ASSERT_EQ(::chmod((results + "/key").c_str(), 0644), 0);
  EXPECT_FALSE(cache().find(key(1)));
  EXPECT_NE(cache().problem(), "");
  ASSERT_EQ(::chmod((results + "/key").c_str(), 0600), 0);
  EXPECT_EQ(cache().find(key(1)), content(1));
  if (::geteuid() != 0) return; // only root gives files away
  ASSERT_EQ(::chown(results.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(cache().find(key(1)));
  EXPECT_NE(cache().problem().find("another user"), std::string::npos);
}

TEST_F(DiskCacheTest, linksInItAreNotFollowed) {
  cache().keep(key(1), content(1));
  std::string file = fileOf(key(1)), aside = (folder_ + "/aside").str();
  ASSERT_EQ(::rename(file.c_str(), aside.c_str()), 0);
  ASSERT_EQ(::symlink(aside.c_str(), file.c_str()), 0);
  EXPECT_FALSE(cache().find(key(1)));
  // A pipe is not waited for.
  (void)::unlink(file.c_str());
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(cache().find(key(1)));
}

TEST_F(DiskCacheTest, aRelativePlaceIsNone) {
  Settings settings;
  settings.cacheDirectory = "cache";
  EXPECT_FALSE(cacheOf(settings).isOn());
  EXPECT_NE(cacheOf(settings).problem().find("not an absolute path"), std::string::npos);
  settings.cacheDirectory = "";
  ::setenv("XDG_CACHE_HOME", "caches", 1);
  EXPECT_TRUE(llvm::sys::path::is_absolute(cacheOf(settings).folder()));
  EXPECT_FALSE(cacheOf(settings).folder().contains("caches/"));
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(DiskCacheTest, theLimitHoldsAndTheOldestGoFirst) {
  constexpr uint64_t limit = 64 * 10'000; // four entries of 2 KB in each folder
  for (unsigned i = 0; i < 500; ++i) {
    cache(limit).keep(key(i), content(i));
    std::string path = fileOf(key(i));
    if (path.empty()) continue;
    timespec times[2] = {{1'000'000 + i, 0}, {1'000'000 + i, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
    // Used again and again: read, and so never the oldest.
    EXPECT_EQ(cache(limit).find(key(0)), content(0)) << i;
  }
  EXPECT_LE(cache(limit).usage().bytes, limit);
  EXPECT_GT(cache(limit).usage().entries, 64u);
  EXPECT_EQ(cache(limit).find(key(499)), content(499));
  EXPECT_FALSE(cache(limit).find(key(1)));
}

TEST_F(DiskCacheTest, whatIsLargerThanItsShareIsNotKept) {
  cache(uint64_t{64} * 1000).keep(key(1), content(1, 5000));
  EXPECT_EQ(keptFiles().size(), 0u);
}

TEST_F(DiskCacheTest, whatIsLargerThanItsShareIsNotRead) { // a forgery may seem to have gigabytes
  cache().keep(key(1), content(1, 5000));
  EXPECT_FALSE(cache(uint64_t{64} * 1000).find(key(1)));
  EXPECT_EQ(keptFiles().size(), 0u);
}

TEST_F(DiskCacheTest, processesFillOneCache) {
  constexpr unsigned processes = 4, entries = 300;
  constexpr uint64_t limit = 64 * 8'000; // they evict each other's, too
  std::vector<pid_t> children;
  for (unsigned process = 0; process < processes; ++process) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      int wrong = 0;
      for (unsigned i = 0; i < entries; ++i) {
        unsigned number = (i * 7 + process) % entries;
        auto found = cache(limit).find(key(number));
        if (found && *found != content(number)) wrong = 1;
        if (!found) cache(limit).keep(key(number), content(number));
      }
      ::_exit(wrong);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  unsigned found = 0;
  for (unsigned i = 0; i < entries; ++i)
    if (auto text = cache(limit).find(key(i))) {
      ++found;
      EXPECT_EQ(*text, content(i));
    }
  EXPECT_GT(found, 50u);
  EXPECT_LE(cache(limit).usage().bytes, limit);
  for (const std::string& path : keptFiles())
    EXPECT_TRUE(llvm::StringRef(path).ends_with(".result")) << path;
}

// A disk that fills in the middle of a file: writing fails after some bytes.
TEST_F(DiskCacheTest, aFullDiskLeavesNothingBehind) {
  pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit most{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &most);
    cache().keep(key(1), content(1, 200'000));
    ::_exit(cache().find(key(1)) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(keptFiles().size(), 0u);
}

TEST_F(DiskCacheTest, aFolderThatCannotBeMadeIsNoCache) {
  std::string file = (folder_ + "/file").str();
  std::ofstream(file) << "x";
  DiskCache blocked(file + "/below", uint64_t{1} << 30);
  blocked.keep(key(1), content(1));
  EXPECT_FALSE(blocked.find(key(1)));
  EXPECT_EQ(blocked.usage().entries + blocked.clear().entries, 0u);
}

TEST_F(DiskCacheTest, clearingTakesOnlyItsOwn) {
  cache().keep(key(1), content(1));
  std::string beside = llvm::sys::path::parent_path(fileOf(key(1))).str() + "/notes.txt";
  std::ofstream(beside) << "mine";
  EXPECT_EQ(cache().clear().entries, 1u);
  EXPECT_FALSE(cache().find(key(1)));
  EXPECT_TRUE(fs::exists(beside));
}

TEST_F(DiskCacheTest, whatADeadWriterLeftGoesAfterAWhile) {
  cache().keep(key(1), content(1));
  std::string left = fileOf(key(1));
  left = llvm::StringRef(left).drop_back(7).str() + ".1.0.new"; // .result
  std::ofstream(left) << "half";
  cache().keep(key(1), content(1));
  EXPECT_TRUE(fs::exists(left)) << "somebody may be writing it";
  timespec times[2] = {{1'000'000, 0}, {1'000'000, 0}};
  ::utimensat(AT_FDCWD, left.c_str(), times, 0);
  cache().keep(key(1), content(1));
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(DiskCacheTest, whereItIs) {
  Settings settings;
  settings.cacheDirectory = "/somewhere";
  settings.cacheMegabytes = 3;
  ::unsetenv("GLUOND_CACHE_DIR");
  EXPECT_EQ(cacheOf(settings).folder(), "/somewhere/results");
  EXPECT_EQ(cacheOf(settings).mostBytes(), uint64_t{3} << 20);
  ::setenv("GLUOND_CACHE_DIR", "/elsewhere", 1);
  EXPECT_EQ(cacheOf(settings).folder(), "/elsewhere/results");
  ::setenv("GLUOND_CACHE_DIR", "off", 1);
  EXPECT_FALSE(cacheOf(settings).isOn());
  ::setenv("GLUOND_CACHE_DIR", "/elsewhere", 1);
  settings.cacheDirectory = "off";
  EXPECT_FALSE(cacheOf(settings).isOn());
  ::unsetenv("GLUOND_CACHE_DIR");
  settings.cacheDirectory = "";
  ::setenv("XDG_CACHE_HOME", "/home/me/caches", 1);
  EXPECT_EQ(cacheOf(settings).folder(), "/home/me/caches/gluond/results");
}

} // namespace
} // namespace gluond::driver
