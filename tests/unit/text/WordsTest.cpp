#include "text/Words.h"

#include <gtest/gtest.h>

namespace gluond::text {
namespace {

TEST(Words, PartsOfLongerNamesDoNotCount) {
  EXPECT_EQ(countWord("tile = tiles(tile_2, a.tile) # tile", "tile"), 3u);
  EXPECT_EQ(countWord("retile tiles", "tile"), 0u);
  EXPECT_EQ(countWord("", "tile"), 0u);
}

} // namespace
} // namespace gluond::text
