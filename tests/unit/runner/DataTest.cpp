// Element types, .npy files, fills, comparison, statistics, framing.
#include "runner/data/Npy.h"
#include "runner/data/Results.h"
#include "runner/process/Statistics.h"
#include "runner/protocol/Framing.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace gluond::runner {
namespace {

double through(const char* type, double value) {
  const Dtype* dtype = findDtype(type);
  char bytes[8] = {};
  writeElement(*dtype, value, bytes);
  return readElement(*dtype, bytes);
}

TEST(Dtype, everyBitPatternOfSmallTypesIsReadAndWrittenBack) {
  for (const char* name : {"fp8e4nv", "fp8e5", "fp8e4b8", "fp8e5b16", "fp16", "bf16"}) {
    const Dtype* dtype = findDtype(name);
    ASSERT_NE(dtype, nullptr);
    for (uint32_t bits = 0; bits < 1u << (8 * dtype->bytes); ++bits) {
      double value = readElement(*dtype, &bits);
      uint32_t again = 0;
      writeElement(*dtype, value, &again);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(readElement(*dtype, &again))) << name << " " << bits;
      else
        ASSERT_EQ(again, bits) << name;
    }
  }
}

TEST(Dtype, roundsToNearestEvenAndSaturatesAsTheTypeDoes) {
  EXPECT_EQ(through("fp16", 65504), 65504);
  EXPECT_EQ(through("fp16", 65520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(through("fp16", 2049), 2048); // half way: to even
  EXPECT_EQ(through("fp16", 2051), 2052);
  EXPECT_EQ(through("fp16", std::ldexp(1, -24)), std::ldexp(1, -24)); // the least subnormal
  EXPECT_EQ(through("fp16", std::ldexp(1, -26)), 0);
  EXPECT_EQ(through("bf16", 1.00390625), 1);
  EXPECT_EQ(through("bf16", 3.5e38), std::numeric_limits<double>::infinity());
  EXPECT_EQ(through("fp8e4nv", 448), 448);
  EXPECT_EQ(through("fp8e4nv", 1000), 448); // there is no infinity
  EXPECT_EQ(through("fp8e5", 57344), 57344);
  EXPECT_EQ(through("fp8e5", 1e6), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(through("fp8e4b8", NAN)));
  EXPECT_EQ(through("fp32", 3.4028235e38), std::numeric_limits<float>::max());
  EXPECT_EQ(through("fp32", -1e300), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(through("fp32", NAN)));
  EXPECT_EQ(through("i8", 127.9), 127);
  EXPECT_EQ(through("i8", 130), -126);
  EXPECT_EQ(through("u1", 7), 1);
  EXPECT_EQ(findDtype("float8_e4m3fn"), findDtype("fp8e4nv"));
  EXPECT_EQ(findDtype("fp4"), nullptr);
}

TEST(Npy, whatIsWrittenIsRead) {
  const Dtype& type = *findDtype("fp32");
  float values[6] = {1, 2, 3, 4, 5, 6};
  std::string file = writeNpy(type, {2, 3}, {reinterpret_cast<char*>(values), sizeof values});
  EXPECT_EQ((file.size() - sizeof values) % 64, 0u);
  auto read = readNpy(file);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->shape, (std::vector<int64_t>{2, 3}));
  std::vector<int64_t> shape = {2, 3}, wrong = {3, 2};
  EXPECT_EQ(elementsOf(*read, type, &shape)->size(), sizeof values);
  EXPECT_EQ(elementsOf(*read, type, &wrong).error(),
            "the file's shape is (2, 3), but the argument has (3, 2)");
  std::string half = *elementsOf(*read, *findDtype("fp16"), nullptr);
  EXPECT_EQ(readElement(*findDtype("fp16"), half.data() + 10), 6);
}

TEST(Npy, typesThatNumpyLacksAreWidened) {
  const Dtype& type = *findDtype("bf16");
  uint16_t bits[2] = {0x3fc0, 0xc000}; // 1.5, -2
  std::string file = writeNpy(type, {2}, {reinterpret_cast<char*>(bits), 4});
  EXPECT_NE(file.find("'<f4'"), std::string::npos);
  EXPECT_EQ(*elementsOf(*readNpy(file), type, nullptr),
            std::string(reinterpret_cast<char*>(bits), 4));
  // Raw bits do as well.
  std::string raw = writeNpy(*findDtype("u16"), {2}, {reinterpret_cast<char*>(bits), 4});
  EXPECT_EQ(*elementsOf(*readNpy(raw), type, nullptr),
            std::string(reinterpret_cast<char*>(bits), 4));
}

TEST(Npy, fortranOrderIsTurned) {
  std::string header = "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += {static_cast<char>(header.size()), 0};
  file += header;
  int values[6] = {1, 4, 2, 5, 3, 6};
  file.append(reinterpret_cast<char*>(values), sizeof values);
  std::string elements = *elementsOf(*readNpy(file), *findDtype("i32"), nullptr);
  int sorted[6];
  std::memcpy(sorted, elements.data(), sizeof sorted);
  EXPECT_EQ(std::vector<int>(sorted, sorted + 6), (std::vector<int>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, brokenFilesAreRefused) {
  std::string file = writeNpy(*findDtype("fp32"), {4}, std::string(16, '\0'));
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_FALSE(readNpy(std::string_view(file).substr(0, length))) << length;
  for (size_t i = 0; i < file.size(); ++i) {
    std::string broken = file;
    broken[i] = static_cast<char>(broken[i] ^ 0x15);
    (void)readNpy(broken); // survives
  }
}

Tensor tensorOf(std::vector<int64_t> shape, std::vector<int64_t> strides, const char* fill,
                double low = 0, double high = 1) {
  Tensor tensor;
  tensor.dtype = "fp32";
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  tensor.fill.kind = fill;
  tensor.fill.low = low;
  tensor.fill.high = high;
  return tensor;
}

TEST(TensorData, stridesPlaceTheElements) {
  Tensor tensor = tensorOf({2, 3}, {1, 4}, "iota");
  auto shape = shapeOf(tensor);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->storage, 10u);
  EXPECT_FALSE(shape->isDense);
  std::string storage = *fill(*shape, tensor.fill, {});
  float values[10];
  std::memcpy(values, storage.data(), sizeof values);
  EXPECT_EQ(std::vector<float>(values, values + 10),
            (std::vector<float>{0, 3, 0, 0, 1, 4, 0, 0, 2, 5}));
  float gathered[6];
  std::memcpy(gathered, gather(*shape, storage).data(), sizeof gathered);
  EXPECT_EQ(std::vector<float>(gathered, gathered + 6), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(TensorData, fillsAreWhatTheySay) {
  Tensor tensor = tensorOf({100, 1000}, {1000, 1}, "normal", 3, 2);
  auto shape = *shapeOf(tensor);
  std::string normal = *fill(shape, tensor.fill, {});
  TensorSummary summary = summarize(shape, normal);
  EXPECT_NEAR(summary.mean, 3, 0.05);
  EXPECT_LT(summary.most, 3 + 2 * 3.5);
  EXPECT_EQ(*fill(shape, tensor.fill, {}), normal) << "the same seed gives the same";
  tensor.fill.seed = 1;
  EXPECT_NE(*fill(shape, tensor.fill, {}), normal);
  tensor.fill.kind = "uniform";
  tensor.fill.low = -1;
  tensor.fill.high = 1;
  summary = summarize(shape, *fill(shape, tensor.fill, {}));
  EXPECT_GE(summary.least, -1);
  EXPECT_LT(summary.most, 1);
  EXPECT_NEAR(summary.mean, 0, 0.02);
  tensor.fill.kind = "constant";
  tensor.fill.low = 7;
  summary = summarize(shape, *fill(shape, tensor.fill, {}));
  EXPECT_EQ(summary.least, 7);
  EXPECT_EQ(summary.most, 7);
  tensor.fill.kind = "secret";
  EXPECT_EQ(fill(shape, tensor.fill, {}).error(), "unknown fill 'secret'");
}

TEST(TensorData, impossibleTensorsAreRefused) {
  EXPECT_FALSE(shapeOf(tensorOf({2}, {1, 1}, "iota")));
  EXPECT_FALSE(shapeOf(tensorOf({-1}, {1}, "iota")));
  EXPECT_FALSE(shapeOf(tensorOf({2}, {-1}, "iota")));
  EXPECT_FALSE(shapeOf(tensorOf({int64_t{1} << 40, int64_t{1} << 40}, {1, 1}, "iota")));
  EXPECT_FALSE(shapeOf(tensorOf({int64_t{1} << 40}, {int64_t{1} << 40}, "iota")));
  EXPECT_EQ(shapeOf(tensorOf({0, 5}, {5, 1}, "iota"))->storage, 0u);
  EXPECT_EQ(shapeOf(tensorOf({}, {}, "iota"))->storage, 1u);
}

// More elements than are looked at together, whatever their type.
TEST(TensorData, aSummaryCountsEveryElement) {
  for (const char* type : {"fp16", "bf16", "fp32", "fp64", "i8", "u16", "i64", "fp8e5"}) {
    constexpr int64_t count = 5000;
    TensorShape shape = *shapeOf(Tensor{type, {count}, {1}, 0, {}});
    std::string bytes(count * shape.dtype->bytes, '\0');
    auto set = [&](size_t i, double value) {
      writeElement(*shape.dtype, value, bytes.data() + i * shape.dtype->bytes);
    };
    for (size_t i = 0; i < count; i += 2)
      set(i, 2);
    set(4999, 7);
    set(1, 1);
    uint64_t strange = 0;
    if (shape.dtype->kind == Dtype::Kind::Float) {
      set(600, NAN);
      set(700, HUGE_VAL);
      strange = 1;
    }
    TensorSummary summary = summarize(shape, bytes);
    EXPECT_EQ(summary.nans, strange) << type;
    EXPECT_EQ(summary.infinities, strange) << type;
    EXPECT_EQ(summary.zeros, 2498u) << type;
    EXPECT_EQ(summary.least, 0) << type;
    EXPECT_EQ(summary.most, 7) << type;
    double sum = 5008 - 4.0 * static_cast<double>(strange);
    EXPECT_EQ(summary.mean, sum / static_cast<double>(count - 2 * strange)) << type;
  }
}

// JSON has neither NaN nor infinity: a result with them arrives whole.
TEST(TensorData, aSummaryIsJsonWhateverTheElementsAre) {
  double values[4] = {NAN, HUGE_VAL, 1.7e308, 1.7e308};
  std::string_view bytes(reinterpret_cast<const char*>(values), sizeof values);
  TensorShape shape = *shapeOf(Tensor{"fp64", {4}, {1}, 0, {}});
  auto back =
      json::decode<TensorSummary>(Json::parse(json::encode(summarize(shape, bytes)).dump()));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->first, (std::vector<Json>{"nan", "inf", 1.7e308, 1.7e308}));
  EXPECT_EQ(back->nans, 1u);
  double opposite[4] = {NAN, HUGE_VAL, -1.7e308, 1.7e308};
  std::string_view other(reinterpret_cast<const char*>(opposite), sizeof opposite);
  auto compared = compare(*findDtype("fp64"), {4}, bytes, other, 0, 0);
  EXPECT_TRUE(json::decode<CompareResult>(Json::parse(json::encode(compared).dump())));
}

TEST(Compare, firstDifferenceIsAnIndex) {
  float a[6] = {1, 2, 3, 4, 5, NAN}, b[6] = {1, 2, 3, 4.00001f, 6, NAN};
  auto text = [](float* values) { return std::string(reinterpret_cast<char*>(values), 24); };
  CompareResult result = compare(*findDtype("fp32"), {2, 3}, text(a), text(b), 1e-5, 0);
  EXPECT_FALSE(result.isEqual);
  EXPECT_EQ(result.differing, 1u);
  EXPECT_EQ(result.first->index, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(result.first->result, 5.0);
  EXPECT_EQ(result.first->reference, 6.0);
  EXPECT_EQ(result.mostAbsolute, 1);
  b[4] = 5;
  EXPECT_TRUE(compare(*findDtype("fp32"), {2, 3}, text(a), text(b), 1e-5, 0).isEqual);
  b[5] = 0; // a NaN where there should be none
  result = compare(*findDtype("fp32"), {2, 3}, text(a), text(b), 1e-5, 0);
  EXPECT_EQ(result.first->result, "nan");
  EXPECT_EQ(result.mostAbsolute, 4.00001f - 4);
  EXPECT_EQ(result.notFinite, 1u); // which the largest difference does not show
}

TEST(Statistics, quantilesAndPrecision) {
  std::vector<double> values;
  for (int i = 100; i >= 0; --i)
    values.push_back(i);
  Times times = statisticsOf(values);
  EXPECT_EQ(times.median, 50);
  EXPECT_EQ(times.q05, 5);
  EXPECT_EQ(times.q80, 80);
  EXPECT_DOUBLE_EQ(times.spread, 1.2);
  EXPECT_NEAR(times.precision, 0.195, 0.01);
  EXPECT_EQ(statisticsOf({}).runs, 0u);
  EXPECT_EQ(statisticsOf({5}).precision, 0);
  EXPECT_EQ(statisticsOf({5, 5, 5}).spread, 0);
}

TEST(Framing, framesComeInAnyPieces) {
  std::string stream =
      "Last login: Tue\n" + frameHeader(2, 3) + "{}abc" + "noise" + frameHeader(4, 0) + "null";
  for (size_t piece = 1; piece < stream.size(); ++piece) {
    FrameDecoder decoder;
    std::vector<Frame> frames;
    Frame frame;
    for (size_t at = 0; at < stream.size(); at += piece) {
      decoder.feed(std::string_view(stream).substr(at, piece));
      while (decoder.next(frame) == FrameDecoder::State::Frame)
        frames.push_back(frame);
    }
    ASSERT_EQ(frames.size(), 2u) << piece;
    EXPECT_EQ(frames[0].json + frames[0].binary, "{}abc");
    EXPECT_EQ(frames[1].json, "null");
    EXPECT_EQ(decoder.noise(), "Last login: Tue\nnoise");
  }
}

TEST(Framing, impossibleLengthsBreakTheStream) {
  for (const char* header :
       {"Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 5x\r\n\r\n",
        "Content-Length: 1\r\nBinary-Length: 99999999999999\r\n\r\n"}) {
    FrameDecoder decoder;
    Frame frame;
    decoder.feed(header);
    EXPECT_EQ(decoder.next(frame), FrameDecoder::State::Broken) << header;
    EXPECT_FALSE(decoder.problem().empty());
  }
  FrameDecoder decoder;
  Frame frame;
  decoder.feed("Content-Length: 5" + std::string(10000, 'x'));
  EXPECT_EQ(decoder.next(frame), FrameDecoder::State::Broken);
}

} // namespace
} // namespace gluond::runner
