#include "driver/workspace/Imports.h"

#include "driver/program/EvaluatedFile.h"
#include "support/TempFolder.h"

#include <gtest/gtest.h>

namespace gluond::driver {
namespace {

TEST(Imports, besideInRootsAndRelative) {
  TempFolder folder;
  std::string main = folder.write("app/main.py", ""), beside = folder.write("app/beside.py", "");
  std::string package = folder.write("app/pkg/__init__.py", ""),
              deep = folder.write("app/pkg/deep.py", "");
  std::string shared = folder.write("shared.py", ""), inSource = folder.write("src/lib.py", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  auto find = [&](const std::string& from, const char* module, unsigned level) {
    auto file = findImport(*snapshot, from, module, level);
    return file ? file->path() : std::string();
  };
  EXPECT_EQ(find(main, "beside", 0), beside);
  EXPECT_EQ(find(main, "pkg", 0), package);
  EXPECT_EQ(find(main, "pkg.deep", 0), deep);
  EXPECT_EQ(find(main, "shared", 0), shared);
  EXPECT_EQ(find(main, "lib", 0), inSource);
  EXPECT_EQ(find(deep, "beside", 2), beside);
  EXPECT_EQ(find(deep, "", 1), package);
  EXPECT_EQ(find(deep, "deep", 1), deep);
  EXPECT_EQ(find(main, "torch", 0), "");
  EXPECT_EQ(find(main, "pkg.deep.x", 0), "");
  EXPECT_EQ(find("untitled:1", "beside", 0), "");
}

// thirdparty/fast.py wraps the distribution `fast`, which is not there.
TEST(Imports, namesakesOfOtherDistributions) {
  TempFolder folder;
  folder.write("pkg/thirdparty/__init__.py", "");
  folder.write("pkg/__init__.py", "");
  std::string wrapper = folder.write("pkg/thirdparty/fast.py", ""),
              inner = folder.write("pkg/pkg.py", ""), script = folder.write("script.py", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  EXPECT_FALSE(findImport(*snapshot, wrapper, "fast", 0));
  EXPECT_TRUE(findImport(*snapshot, wrapper, "fast", 1));
  ASSERT_TRUE(findImport(*snapshot, inner, "pkg", 0));
  EXPECT_EQ(findImport(*snapshot, inner, "pkg", 0)->path(), folder.path("pkg/__init__.py"));
  EXPECT_TRUE(findImport(*snapshot, script, "script", 0)); // it is __main__
}

// backends/fast/ of the package `app` is no distribution `fast`, which its files import.
TEST(Imports, packagesInPackages) {
  TempFolder folder;
  for (const char* package : {"app", "app/backends", "app/backends/fast", "app/backends/fast/core",
                              "plugin", "plugin/deep"})
    folder.write(std::string(package) + "/__init__.py", "");
  std::string inner = folder.write("app/backends/fast/core/gemm.py", ""),
              beside = folder.write("app/backends/slow.py", ""),
              other = folder.write("app/run/main.py", ""),
              plugin = folder.write("plugin/deep/run.py", "");
  folder.write("plugin/setup.py", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  EXPECT_FALSE(findImport(*snapshot, inner, "fast.core", 0));
  EXPECT_FALSE(findImport(*snapshot, other, "backends.fast", 0));
  EXPECT_TRUE(findImport(*snapshot, beside, "fast.core", 0)); // it may be a script
  EXPECT_TRUE(findImport(*snapshot, inner, "app.backends.fast", 0));
  EXPECT_TRUE(findImport(*snapshot, plugin, "deep.run", 0)); // where setup.py lies
}

// One repository with several distributions, whose tests import each other's packages.
// A program reads it: `sys.modules[__name__.rsplit(".", 1)[0]]`, `kernel.__module__`.
TEST(Imports, namesOfModulesHaveTheirPackages) {
  TempFolder folder;
  for (const char* package : {"src/app", "src/app/ops"})
    folder.write(std::string(package) + "/__init__.py", "");
  folder.write("src/app/ops/near.py", "");
  folder.write("plain/far.py", "");
  folder.write("copy.py", "");
  std::string text = "import app.ops\nfrom . import near\nimport plain.far\n"
                     "assert __name__ == 'app.ops.tile'\n"
                     "class Tile: pass\nassert Tile.__module__.split('.')[1] == 'ops'\n"
                     "assert near.__name__ == 'app.ops.near'\n"
                     "assert app.ops.__name__ == 'app.ops'\n"
                     "assert plain.far.__name__ == 'plain.far'\n";
  std::string tile = folder.write("src/app/ops/tile.py", text);
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  EXPECT_EQ(qualifiedNameOf(*snapshot, tile), "app.ops.tile");
  EXPECT_EQ(qualifiedNameOf(*snapshot, folder.path("src/app/__init__.py")), "app");
  EXPECT_EQ(qualifiedNameOf(*snapshot, folder.path("copy.py")), "copy");
  auto program = EvaluatedFile::of(*snapshot, snapshot->found(tile), "cuda:90", "", {});
  ASSERT_TRUE(program);
  EXPECT_TRUE(program->evaluation().errors().empty());
}

TEST(Imports, otherDistributionsOfTheProject) {
  TempFolder folder;
  folder.write(".git/HEAD", "");
  for (const char* project : {"core", "amd", "old/first", "old/second"})
    folder.write(std::string(project) + "/pyproject.toml", "");
  for (const char* package : {"core/python/kern", "amd/python/kern_amd", "amd/python/kern_amd/ops",
                              "core/helpers", "old/first/kern", "old/second/twice",
                              "old/first/twice", "notes/kern_notes", "core/python/triton"})
    folder.write(std::string(package) + "/__init__.py", "");
  std::string kernels = folder.write("amd/python/kern_amd/ops/argmax.py", ""),
              test = folder.write("core/test/ops/test_argmax.py", ""),
              other = folder.write("old/first/test/test_kern.py", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  auto find = [&](const std::string& from, const char* module) {
    auto file = findImport(*snapshot, from, module, 0);
    return file ? file->path() : std::string();
  };
  EXPECT_EQ(find(test, "kern_amd.ops.argmax"), kernels);
  EXPECT_EQ(find(test, "kern"), folder.path("core/python/kern/__init__.py")); // the nearest one
  EXPECT_EQ(find(other, "kern"), folder.path("old/first/kern/__init__.py"));
  EXPECT_EQ(find(test, "twice"), ""); // either
  EXPECT_EQ(find(test, "ops.argmax"), "");
  EXPECT_EQ(find(test, "kern_notes"), ""); // nothing installs it
  EXPECT_EQ(find(test, "triton"), "");     // a fork is checked as a release of Triton
  EXPECT_EQ(find(test, "kern_amd.ops.argmin"), "");
}

TEST(Imports, filesOfData) {
  TempFolder folder;
  std::string main = folder.write("main.py", ""), data = folder.write("tiles.json", "{}");
  folder.write("tiles.txt", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  auto file = findImport(*snapshot, data, "", 0);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path(), data);
  EXPECT_FALSE(findImport(*snapshot, main, "", 0));
  EXPECT_FALSE(findImport(*snapshot, folder.path("tiles.txt"), "", 0));
  EXPECT_FALSE(findImport(*snapshot, folder.path("missing.json"), "", 0));
  folder.write(".env.json", "{}"), folder.write(".keys/a.json", "{}");
  EXPECT_FALSE(findImport(*snapshot, folder.path(".env.json"), "", 0)) << "hidden: no data";
  EXPECT_FALSE(findImport(*snapshot, folder.path(".keys/a.json"), "", 0));
  settings.isConfined = true; // `gluond serve` and `gluond mcp` read programs only
  EXPECT_FALSE(findImport(*Workspace(settings).snapshot(), data, "", 0));
}

TEST(Imports, aPackageComesBeforeAFileOfItsName) {
  TempFolder folder;
  std::string main = folder.write("main.py", ""), package = folder.write("both/__init__.py", "");
  folder.write("both.py", "");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  EXPECT_EQ(findImport(*snapshot, main, "both", 0)->path(), package);
  EXPECT_EQ(findImport(*snapshot, main, "both", 1)->path(), package);
}

TEST(Imports, endAfterThousandsThatAreMissing) {
  TempFolder folder;
  std::string main = folder.write("main.py", ""), other = folder.write("other.py", "");
  folder.write("early.py", ""), folder.write("late.py", "");
  Workspace workspace(Settings{});
  workspace.open(main, 1, "");
  auto snapshot = workspace.snapshot();
  EXPECT_TRUE(findImport(*snapshot, main, "early", 0));
  for (unsigned i = 0; i < FoundImports::mostMissing; ++i)
    EXPECT_FALSE(findImport(*snapshot, main, "missing" + std::to_string(i), 0));
  EXPECT_FALSE(findImport(*snapshot, main, "late", 0));
  EXPECT_TRUE(findImport(*snapshot, main, "early", 0));
  EXPECT_TRUE(findImport(*snapshot, other, "late", 0));
}

// Each trial of a fix is a snapshot in which another file is open. What imports mean is the same.
TEST(Imports, openingFilesOfTheDiskForgetsNothing) {
  TempFolder folder;
  std::string main = folder.write("main.py", ""), other = folder.write("other.py", "x = 1\n");
  Settings settings;
  settings.roots = {folder.path("")};
  Workspace workspace(settings);
  auto snapshot = workspace.snapshot();
  auto before = findImport(*snapshot, main, "other", 0);
  ASSERT_TRUE(before);
  uint64_t version = snapshot->cache<FoundImports>().version;
  auto edited = snapshot->with(*before, "x = 2\n");
  auto found = findImport(*edited, main, "other", 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text().text(), "x = 2\n");
  EXPECT_EQ(findImport(*snapshot, main, "other", 0), before);
  EXPECT_EQ(snapshot->cache<FoundImports>().version, version);
  EXPECT_NE(stampOfImports(*edited), stampOfImports(*snapshot));
  EXPECT_EQ(stampOfImports(*snapshot), stampOfImports(*snapshot));
  // A document that is not on disk is another module.
  uint64_t stamp = stampOfImports(*snapshot);
  EXPECT_FALSE(findImport(*snapshot, main, "unsaved", 0));
  workspace.open(folder.path("unsaved.py"), 1, "");
  EXPECT_TRUE(findImport(*workspace.snapshot(), main, "unsaved", 0));
  EXPECT_FALSE(findImport(*snapshot, main, "unsaved", 0));
  EXPECT_NE(stampOfImports(*snapshot), stamp);
}

TEST(Imports, openDocumentsWin) {
  TempFolder folder;
  std::string main = folder.write("main.py", "");
  Workspace workspace(Settings{});
  workspace.open(folder.path("unsaved.py"), 1, "x = 1\n");
  auto file = findImport(*workspace.snapshot(), main, "unsaved", 0);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->version(), 1);
}

} // namespace
} // namespace gluond::driver
