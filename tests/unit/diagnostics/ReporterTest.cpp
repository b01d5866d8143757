#include "diagnostics/Reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gluond;
using namespace gluond::diagnostics;

namespace {

struct ReporterTest : testing::Test {
  std::vector<Diagnostic> out;
  Reporter emit{out, FileId{7}};
};

TEST_F(ReporterTest, FillsTheTemplateAndTheFile) {
  emit(Id::DtypeMismatch, text::Range{3, 5}, "store", std::string("fp16"), llvm::StringRef("fp32"));
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].message, "store: expected fp16, but got fp32");
  EXPECT_EQ(out[0].severity, Severity::Error);
  EXPECT_EQ(out[0].location.file, FileId{7});
  EXPECT_EQ(out[0].location.range, (text::Range{3, 5}));
}

TEST_F(ReporterTest, IntegersAndLists) {
  emit(Id::TupleIndexOutOfRange, text::Range{}, 4, size_t{2});
  std::vector<std::string> known{".ca", ".cg"};
  emit(Id::UnknownOption, text::Range{}, "cache modifier", ".xy", known);
  EXPECT_EQ(out[0].message, "index 4 is out of range for a tuple with 2 items");
  EXPECT_EQ(out[1].message, "unknown cache modifier '.xy'; choose one of .ca, .cg");
}

TEST_F(ReporterTest, ANameThatComesTwiceIsOneArgument) {
  EXPECT_EQ(format("{a} and {b:int}, so {a}", {Argument("x"), Argument(2)}), "x and 2, so x");
}

TEST_F(ReporterTest, OneIsFollowedByTheSingular) {
  auto of = [](int number) {
    return format("{n:int} entries of {n:int} bytes, which {n:int} is", {Argument(number)});
  };
  EXPECT_EQ(of(2), "2 entries of 2 bytes, which 2 is");
  EXPECT_EQ(of(1), "1 entry of 1 byte, which 1 is");
  EXPECT_EQ(format("{n} items", {Argument("1")}), "1 items"); // a text
  EXPECT_EQ(format("takes {n:int} positional arguments, but", {Argument(1)}),
            "takes 1 positional argument, but");
  EXPECT_EQ(format("takes {n:int} positional arguments, but", {Argument(2)}),
            "takes 2 positional arguments, but");
}

TEST_F(ReporterTest, KeepsTheArgumentsByName) {
  emit(Id::TargetTooOld, text::Range{1, 2}, "TMA", "an NVIDIA GPU", "hip:gfx942");
  emit(Id::LayoutWarps, text::Range{3, 4}, 8, 4, "L");
  EXPECT_EQ(argument(out[0], {Id::TargetTooOld, "needed"}), "an NVIDIA GPU");
  EXPECT_EQ(argument(out[1], {Id::LayoutWarps, "kernel_warps"}), "4");
  EXPECT_EQ(argument(out[1], {Id::TargetTooOld, "needed"}), "");
}

TEST_F(ReporterTest, RelatedPlacesAndFixes) {
  emit(Id::LayoutMismatch, text::Range{1, 2}, "A", "B")
      .related(NoteId::LayoutFrom, {FileId{1}, {5, 6}}, "A")
      .fix(FixId::InsertConvertLayout, {{{1, 2}, "gl.convert_layout(y, A)"}}, "y", "A")
      .severity(Severity::Warning);
  ASSERT_EQ(out[0].related.size(), 1u);
  EXPECT_EQ(out[0].related[0].message, "this side has layout A");
  EXPECT_EQ(out[0].related[0].location.file, FileId{1});
  ASSERT_EQ(out[0].fixes.size(), 1u);
  EXPECT_EQ(out[0].fixes[0].title.text, "Convert 'y' to A");
  EXPECT_FALSE(out[0].fixes[0].isSafe());
  EXPECT_EQ(out[0].fixes[0].edits[0].text, "gl.convert_layout(y, A)");
  EXPECT_EQ(out[0].severity, Severity::Warning);
}

TEST_F(ReporterTest, WhatUsersWroteComesOutAsUtf8) {
  emit(Id::UndefinedName, text::Range{}, "a\xFF\xC3");
  EXPECT_EQ(out[0].message, "'a\xEF\xBF\xBD\xEF\xBF\xBD' is not defined");
}

TEST_F(ReporterTest, CountsPastItsLimit) {
  Reporter few(out, {}, 2);
  for (int i = 0; i < 5; ++i)
    few(Id::InvalidSyntax, text::Range{}).related(NoteId::CalledFrom, {});
  EXPECT_EQ(out.size(), 2u);
  EXPECT_EQ(few.count(), 5u);
}

} // namespace
