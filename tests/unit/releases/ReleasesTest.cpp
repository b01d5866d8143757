#include "releases/ApiChanges.h"
#include "releases/Rules.h"

#include <llvm/ADT/Twine.h>

#include <gtest/gtest.h>

namespace gluond::releases {
namespace {

TEST(Release, IsReadFromVersions) {
  EXPECT_EQ(parse("3.8"), Release::Triton38);
  EXPECT_EQ(parse("3.7.1"), Release::Triton37);
  EXPECT_EQ(parse("3.6.0+git1234"), Release::Triton36);
  EXPECT_EQ(parse("3.10"), std::nullopt);
  EXPECT_EQ(parse("3"), std::nullopt);
  EXPECT_EQ(parse("new"), std::nullopt);
  EXPECT_EQ(closest("3.4.0"), oldest);
  EXPECT_EQ(closest("4.0"), newest);
  EXPECT_EQ(closest("nightly"), std::nullopt);
  EXPECT_EQ(version(Release::Triton37), "3.7.1");
}

TEST(Release, IsTheNewestOneThatARequirementAllows) {
  struct Row {
    llvm::StringLiteral text;
    std::optional<Release> wanted;
  };
  for (const Row& row : {
           Row{"triton==3.8.0", Release::Triton38},
           Row{"triton == 3.7.*", Release::Triton37},
           Row{"triton>=3.6,<3.8", Release::Triton37},
           Row{"triton>=3.6", Release::Triton39},
           Row{"triton~=3.7.0", Release::Triton37},
           Row{"triton~=3.7", Release::Triton39},
           Row{"triton<=3.6.0; sys_platform == 'linux'", Release::Triton36},
           Row{"triton[build]!=3.9.*  # not yet", Release::Triton38},
           Row{"triton (>=3.7,!=3.9.0)", Release::Triton39},
           Row{"triton==3.3.1", Release::Triton36},
           Row{"triton>3.9", Release::Triton39},
           Row{"triton", std::nullopt},
           Row{"triton-windows==3.6.0", std::nullopt},
           Row{"tritonclient==2.0", std::nullopt},
           Row{"torch==2.9", std::nullopt},
           Row{"triton @ git+https://example.org/triton", std::nullopt},
       })
    EXPECT_EQ(required(row.text), row.wanted) << row.text.str();
}

constexpr llvm::StringLiteral gl = "triton.experimental.gluon.language";

TEST(ApiChanges, NamesComeAndGo) {
  EXPECT_EQ(has(Release::Triton36, gl, "barrier"), false);
  EXPECT_EQ(has(Release::Triton37, gl, "barrier"), true);
  EXPECT_EQ(has(Release::Triton36, gl, "thread_barrier"), true);
  EXPECT_EQ(has(Release::Triton37, gl, "thread_barrier"), false);
  EXPECT_EQ(has(Release::Triton36, gl, "load"), std::nullopt) << "all releases have it";
  EXPECT_EQ(has(Release::Triton37, "shared_memory_descriptor", "reinterpret"), false);
  EXPECT_FALSE(lifeOfModule((llvm::Twine(gl) + ".nvidia.rubin").str())->holds(Release::Triton37));
  EXPECT_TRUE(lifeOfModule((llvm::Twine(gl) + ".nvidia.rubin").str())->holds(Release::Triton38));
  EXPECT_EQ(textOf(*lifeOf(gl, "barrier")), "it exists since Triton 3.7");
  EXPECT_EQ(textOf(*lifeOf(gl, "thread_barrier")), "only Triton 3.6 has it");
  EXPECT_EQ(textOf(*lifeOf((llvm::Twine(gl) + ".nvidia.hopper.cluster").str(), "arrive")),
            "it exists from Triton 3.7 to 3.8");
}

TEST(ApiChanges, SignaturesAreThoseOfTheNextReleaseThatChangedThem) {
  std::string mbarrier = (llvm::Twine(gl) + ".nvidia.hopper.mbarrier").str();
  EXPECT_EQ(signatureIn(Release::Triton36, mbarrier, "expect"), "(mbarrier, bytes, pred=True)");
  EXPECT_EQ(signatureIn(Release::Triton37, mbarrier, "expect"),
            "(mbarrier, bytes_per_cta=None, pred=True)");
  EXPECT_EQ(signatureIn(Release::Triton38, mbarrier, "expect"),
            "(mbarrier, bytes_per_cta=None, pred=True)");
  EXPECT_EQ(signatureIn(Release::Triton39, mbarrier, "expect"), "");
}

TEST(Rules, HoldInEarlierReleasesOnly) {
  for (const RuleRow& row : rules()) {
    EXPECT_LE(row.first, row.last) << row.text.str();
    EXPECT_LT(row.last, newest) << row.text.str();
    EXPECT_TRUE(holds(row.rule, row.first) && holds(row.rule, row.last)) << row.text.str();
    EXPECT_FALSE(holds(row.rule, newest)) << row.text.str();
  }
  EXPECT_TRUE(holds(Rule::NoNamedExpressions, Release::Triton37));
  EXPECT_FALSE(holds(Rule::NoNamedExpressions, Release::Triton38));
}

TEST(ApiChanges, OldNamesHaveSuccessorsThatExist) {
  for (const Successor& row : successors()) {
    EXPECT_NE(row.name, row.replacement);
    EXPECT_TRUE(has(newest, row.owner, row.replacement).value_or(true)) << row.replacement.str();
  }
  EXPECT_EQ(successorOf(gl, "thread_barrier")->replacement, "barrier");
  EXPECT_EQ(predecessorOf(Release::Triton36, gl, "barrier")->name, "thread_barrier");
  EXPECT_EQ(predecessorOf(Release::Triton37, gl, "barrier"), nullptr);
}

} // namespace
} // namespace gluond::releases
