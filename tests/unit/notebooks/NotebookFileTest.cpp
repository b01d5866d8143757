#include "driver/notebooks/NotebookFile.h"

#include <gmock/gmock.h>

namespace gluond::driver {
namespace {

// A notebook as nbformat writes it: text, a cell of two lines, another language, a cell of one
// line.
constexpr const char* written = R"({
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# x = 1"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [{"text": ["1e-05, \u00e9, 0.10"]}],
   "source": [
    "%load_ext gluond\n",
    "a = '\u00e9'  # é"
   ]
  },
  {
   "cell_type": "code",
   "source": "%%bash\nls"
  },
  {
   "cell_type": "code",
   "source": "b = 2"
  },
  {
   "cell_type": "code",
   "source": []
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
)";

NotebookFile notebook() {
  auto file = NotebookFile::read(written);
  EXPECT_TRUE(file) << file.error();
  return *file;
}

text::Edit at(const NotebookFile& file, llvm::StringRef found, const char* put) {
  size_t begin = llvm::StringRef(file.python()).find(found);
  EXPECT_NE(begin, llvm::StringRef::npos);
  auto offset = static_cast<text::Offset>(begin);
  return {{offset, offset + static_cast<text::Offset>(found.size())}, put};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(NotebookFile, PythonCellsAreOneProgram) {
  EXPECT_EQ(notebook().python(), "pass\na = 'é'  # é\n\n\nb = 2\n\n");
}

TEST(NotebookFile, LinesAreThoseOfCellsAndOfTheFile) {
  NotebookFile file = notebook();
  auto expect = [&](uint32_t line, size_t cell, uint32_t lineOfCell, uint32_t fileLine) {
    auto place = file.placeOf(line);
    EXPECT_EQ(place.cell, cell) << line;
    EXPECT_EQ(place.line, lineOfCell) << line;
    EXPECT_EQ(place.fileLine, fileLine) << line;
  };
  expect(0, 2, 0, 12);
  expect(1, 2, 1, 13);
  expect(3, 3, 1, 18);
  expect(4, 4, 0, 22);
  expect(5, 5, 0, 0); // an empty cell has no line in the file
  expect(100, 5, 0, 0);
}

TEST(NotebookFile, EditsLeaveTheRestAsItIs) {
  NotebookFile file = notebook();
  auto edited = file.withEdits({at(file, "a = ", "c = ")});
  ASSERT_TRUE(edited);
  // The file has both forms of the letter; a line that changes is written in the shorter one.
  EXPECT_EQ(edited->json().str(), replaced(written, R"("a = '\u00e9'  # é")", R"("c = 'é'  # é")"));
  EXPECT_EQ(edited->python(), replaced(file.python(), "a = ", "c = "));
}

TEST(NotebookFile, LinesCanBeAddedAndRemoved) {
  NotebookFile file = notebook();
  auto added = file.withEdits({at(file, "a = ", "import x\na = "), at(file, "b = 2", "b = 3")});
  ASSERT_TRUE(added);
  EXPECT_EQ(added->json().str(),
            replaced(replaced(written, "    \"a = ", "    \"import x\\n\",\n    \"a = "), "b = 2",
                     "b = 3"));
  auto removed = file.withEdits({at(file, "a = 'é'  # é\n", "")});
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->json().str(), replaced(written, "\\n\",\n    \"a = '\\u00e9'  # é\"",
                                            "\"")); // the last line has no break
  EXPECT_EQ(removed->python(), "pass\n\n\nb = 2\n\n");
}

TEST(NotebookFile, TextAfterTheLastLineIsInTheLastCell) {
  NotebookFile file = notebook();
  auto end = static_cast<text::Offset>(file.python().size());
  auto edited = file.withEdits({text::Edit{{end, end}, "d = 4\n"}});
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->json().str(),
            replaced(written, R"("source": [])", "\"source\": [\n    \"d = 4\"\n   ]"));
}

TEST(NotebookFile, AnEditOfTwoCellsIsRefused) {
  NotebookFile file = notebook();
  auto whole = static_cast<text::Offset>(file.python().size());
  auto edited = file.withEdits({text::Edit{{0, whole - 3}, ""}});
  ASSERT_FALSE(edited);
  EXPECT_EQ(edited.error(), "an edit spans two cells");
}

TEST(NotebookFile, OtherFilesAreRefusedInWords) {
  auto why = [](const char* json) {
    auto file = NotebookFile::read(json);
    return file ? "" : file.error();
  };
  EXPECT_EQ(why("{"), "is no notebook: it is not valid JSON");
  EXPECT_EQ(why("[]"), "is no notebook: it has no list `cells`");
  EXPECT_EQ(why(R"({"cells": 3})"), "is no notebook: it has no list `cells`");
  EXPECT_THAT(why(R"({"worksheets": [], "nbformat": 3})"), testing::HasSubstr("nbformat 3"));
  EXPECT_EQ(why(R"({"cells": [], "metadata": {"language_info": {"name": "julia"}}})"),
            "is a notebook of julia, and gluond reads Python");
  // Cells of other forms are left out.
  auto odd = NotebookFile::read(
      R"({"cells": [1, {}, {"cell_type": "code"}, {"cell_type": "code", "source": 3},
          {"cell_type": "code", "source": [1, null, "x = 1"]}], "metadata": []})");
  ASSERT_TRUE(odd) << odd.error();
  EXPECT_EQ(odd->python(), "x = 1\n");
  auto edited = odd->withEdits({text::Edit{{4, 5}, "2"}});
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->python(), "x = 2\n");
  auto none = NotebookFile::read(R"({"cells": []})");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->python(), "");
  EXPECT_EQ(none->placeOf(0).cell, 0u);
  EXPECT_FALSE(none->withEdits({text::Edit{{0, 0}, "x"}}));
}

} // namespace
} // namespace gluond::driver
