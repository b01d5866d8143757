// What follows from values that nobody knows: exceptions that may have been raised, loops that may
// have been left, texts with unknown parts. What differs is unknown, what does not stays known, and
// no exception is reported that need not happen.
#include "Session.h"

namespace gluond::evaluate {
namespace {

struct Case {
  const char* program; // after `from nowhere import thing`
  const char* out;     // the repr of its `out`; "?" if it is unknown
};

void expect(llvm::ArrayRef<Case> cases) {
  for (const Case& each : cases) {
    Session session;
    EXPECT_EQ(session.result(std::string("from nowhere import thing\n") + each.program), each.out)
        << each.program;
  }
}

TEST(UnknownTest, ExceptionsThatMayBeRaised) {
  expect({
      {"out = 1\ntry: thing()\nexcept ValueError: out = 2\n", "?"},
      {"out = 1\ntry: thing.a\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: thing[0]\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: thing + 1\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: thing.a = 3\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: assert thing\nexcept AssertionError: out = 2\n", "?"},
      {"def f(): return thing()\nout = 1\ntry: f()\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: pass\nexcept: out = 2\nthing()\n", "1"},
      {"out = 1\ntry: 1 + 1\nexcept: out = 2\n", "1"},
      {"out = 1\ntry: [][0]\nexcept KeyError: out = 2\nexcept IndexError: out = 3\n", "3"},
      {"out = 1\ntry: thing()\nexcept: out = 1\n", "1"},
      {"out = 1\ntry: thing()\nexcept: raise\n", "1"},
      {"def f():\n  try: return thing()\n  except KeyError: return 2\nout = f()\n", "?"},
      {"def f():\n  try: thing()\n  except KeyError: return 2\n  return 2\nout = f()\n", "2"},
      {"out = 1\ntry:\n  try: thing()\n  except KeyError: pass\nexcept: out = 2\n", "?"},
      {"out = 1\ntry: thing()\nexcept: pass\nelse: out = 2\n", "?"},
      {"out = 1\ntry: thing()\nexcept: pass\nfinally: out = 2\n", "2"},
      {"x = []\ntry: thing()\nexcept: x.append(1)\nout = len(x)\n", "?"},
      {"out = 1\ntry: thing()\nexcept ImportError: out = 2\n", "1"},
      {"out = 1\ntry:\n  import other\n  other.f()\nexcept ImportError: out = 2\n", "?"},
      {"def f(): pass\ntry:\n  g = f\n  thing()\nexcept Exception: g = None\nout = g is f\n",
       "True"},
  });
}

TEST(UnknownTest, LoopsThatMayBeLeft) {
  expect({
      {"out = 0\nfor i in range(4):\n  if thing(): break\n  out += 1\n", "?"},
      {"out = 0\nfor i in range(4):\n  if thing(): continue\n  out += 1\n", "?"},
      {"out = 0\nfor i in range(4):\n  if thing(): pass\n  out += 1\n", "4"},
      {"out = 7\nfor i in range(4):\n  if thing(): break\n  x = i\n", "7"},
      {"out = None\nfor c in [1, 2]:\n  if thing(c):\n    out = c\n    break\n", "?"},
      {"out = None\nfor c in [1, 2]:\n  if thing(c): continue\n  out = c\n  break\n", "?"},
      {"out = 0\nfor i in range(3):\n  if thing(): break\nelse: out = 1\n", "?"},
      {"out = 0\nwhile True:\n  if thing(): break\n  out += 1\n", "?"},
      {"out = 0\nwhile True:\n  out += 1\n  try:\n    thing()\n    break\n  except: continue\n",
       "?"},
      {"while True:\n  out = 3\n  if thing(): break\n", "3"},
      {"out = 0\nwhile out < 9:\n  if thing(): break\n  out += 1\nelse: out = 9\n", "?"},
      {"def f(xs):\n  for x in xs:\n    if thing(x): continue\n    return x\nout = f([1, 2])\n",
       "?"},
      {"def f(xs):\n  for x in xs:\n    if thing(x): break\n    return 1\n  return 1\nout = "
       "f([1])\n",
       "1"},
      {"out = []\nfor x in range(2):\n  if thing(): continue\n  out.append(x)\n", "[0, 1]"},
      {"out = 1\nfor a in range(2):\n  for b in range(2):\n    if thing(): break\n    out = 2\n",
       "?"},
  });
}

// Each of these is left before it raises, as far as anybody can tell.
TEST(UnknownTest, WhatMayHaveBeenLeftRaisesNothing) {
  for (const char* program : {
           "n = 0\nfor i in range(3):\n  if thing(): continue\n  n += 1\nif n: raise ValueError\n",
           "n = 0\nfor i in range(3):\n  try:\n    thing()\n    break\n  except: n += 1\n"
           "if n == 3: raise RuntimeError\n",
           "for i in range(3):\n  try:\n    thing()\n    break\n  except: pass\n"
           "else: raise RuntimeError\n",
           "best = None\nfor c in [1, 2]:\n  if thing(c):\n    best = c\n    break\n"
           "if best is None: raise RuntimeError\n",
           "n = 0\nwhile True:\n  if thing(): break\n  n += 1\n  if n > 9: raise TimeoutError\n",
           "for c in [1, 2]:\n  if thing(c): continue\n  raise ValueError(c)\n",
           "def f():\n  for c in [1, 2]:\n    if thing(c): break\n    raise ValueError(c)\nf()\n",
           "n = 0\nfor c in [1]:\n  while n < 5:\n    if thing(): break\n    n += 1\n"
           "assert n < 5\n",
           "log = []\ndef f(): log.append(1)\nthing(f)\nassert log\n",
           "class A:\n  n = 0\n  def f(self): A.n += 1\nthing(A().f)\nassert A.n == 1\n",
       })
    EXPECT_EQ(Session().result(std::string("from nowhere import thing\n") + program + "out = 0\n"),
              "0")
        << program;
}

TEST(UnknownTest, StacksOfContextsThatMayHaveBeenEntered) {
  const std::string with = "import contextlib\nwith contextlib.ExitStack() as s:\n";
  const std::string programs[] = {
      with + "  if thing: s.callback(print, 1)\n  else: s.push(print)\nout = 1\n",
      with + "  for x in thing: s.enter_context(x)\nout = 1\n",
      with + "  s.callback(print)\n  if thing: s.pop_all()\n  s.callback(print)\nout = 1\n",
      "import contextlib\ns = contextlib.ExitStack()\nif thing: s.callback(print, 1)\n"
      "else: s.callback(print, 2)\nif thing: s.close()\ns.close()\nout = 1\n",
  };
  for (const std::string& program : programs)
    expect({{program.c_str(), "1"}});
}

TEST(UnknownTest, Texts) {
  expect({
      {"out = str(thing)\n", "?"},
      {"out = repr([1, thing])\n", "?"},
      {"out = f'{thing}'\n", "?"},
      {"out = f'{thing.a:>4} {1}'\n", "?"},
      {"out = '%s' % thing\n", "?"},
      {"out = '{} {}'.format(1, thing)\n", "?"},
      {"out = 'a' + str(3)\n", "'a3'"},
      {"import torch\nout = str(torch.empty(4))\n", "?"},
      {"import argparse\nout = str(argparse.ArgumentParser())\n", "?"},
      {"x = str(thing)\nout = str(3)\n", "'3'"},
  });
}

TEST(UnknownTest, DevicesOfTorch) {
  auto expectOf = [](llvm::StringRef expression, llvm::StringRef out) {
    Session session;
    EXPECT_EQ(session.result("import torch\nout = " + expression.str() + "\n"), out)
        << expression.str();
  };
  expectOf("str(torch.device('cuda:1'))", "'cuda:1'");
  expectOf("repr(torch.device('cuda', 2))", "\"device(type='cuda', index=2)\"");
  expectOf("torch.device('cuda').index", "None");
  expectOf("torch.device(type='cpu').type", "'cpu'");
  expectOf("torch.device(torch.device('cuda:3')).index", "3");
  expectOf("torch.device('cuda:0') == torch.device('cuda', 0)", "True");
  expectOf("torch.device('cuda') == torch.device('cuda:0')", "False");
  expectOf("torch.empty(4, device='cuda').device.type", "'cuda'");
  expectOf("str(torch.empty(4).device)", "'cpu'");
  expectOf("torch.empty(4, device='cuda').to('cpu').device.type", "'cpu'");
  expectOf("torch.empty(4, device='cuda').to(torch.float16).device.type", "'cuda'");
  expectOf("torch.empty(4).to('cuda').device.type", "'cuda'");
  expectOf("torch.empty(4).to(torch.device('cuda')).is_cuda", "True");
  expectOf("torch.allclose(torch.empty(4), torch.empty(4))", "?");
  expectOf("torch.cuda.device_count()", "?");
}

TEST(UnknownTest, MethodsOfTensorsThatAreNotModelled) {
  auto expectOf = [](llvm::StringRef expression, llvm::StringRef out) {
    Session session;
    EXPECT_EQ(session.result("import torch\nx = torch.empty(8, 4, dtype=torch.uint8)\nout = " +
                             expression.str() + "\n"),
              out)
        << expression.str();
  };
  expectOf("x.repeat_interleave(4, dim=1).dtype", "torch.uint8");
  expectOf("tuple(x.repeat_interleave(4, dim=1).shape)", "(8, 16)");
  expectOf("[x.repeat_interleave(3).shape[0], torch.repeat_interleave(x, 2, 0).shape[0]]",
           "[96, 16]");
  expectOf("x.repeat_interleave(x[0], dim=1).shape[1]", "?");
  expectOf("[tuple(x.tile(2).shape), tuple(torch.tile(x, (3, 1, 2)).shape)]",
           "[(8, 8), (3, 8, 8)]");
  expectOf("tuple(x.index_select(1, torch.empty(3, dtype=torch.int64)).shape)", "(8, 3)");
  expectOf("tuple(torch.gather(x, 1, torch.empty(8, 2, dtype=torch.int64)).shape)", "(8, 2)");
  expectOf("tuple(torch.logspace(-1, 1, 5).shape)", "(5,)");
  expectOf("[torch.finfo(torch.float8_e4m3fn).max, torch.finfo(torch.bfloat16).eps]",
           "[448.0, 0.0078125]");
  expectOf("[torch.iinfo(torch.int8).min, torch.iinfo(torch.int64).max, "
           "torch.iinfo(x.dtype).max]",
           "[-128, 9223372036854775807, 255]");
  expectOf("tuple((x.float() / torch.finfo(torch.float8_e4m3fn).max).shape)", "(8, 4)");
  expectOf("x.bincount().dtype", "torch.int64");
  expectOf("tuple(x.sin_().shape)", "(8, 4)");
  expectOf("x.unique()", "?");
  expectOf("tuple(x.sort(dim=-1).values.shape)", "(8, 4)");
  expectOf("[tuple(y.shape) for y in x.max(dim=1)]", "[(8,), (8,)]");
  expectOf("x.min(1, keepdim=True).indices.dtype", "torch.int64");
  expectOf("tuple(torch.max(x, dim=0)[0].shape)", "(4,)");
  expectOf("x.max().dim()", "0");
  expectOf("tuple(x.max(x).shape)", "(8, 4)");
  expectOf("[(tuple(y.shape), y.dtype) for y in torch.topk(x, 2, dim=-1)]",
           "[((8, 2), torch.uint8), ((8, 2), torch.int64)]");
  expectOf("[tuple(y.shape) for y in x.kthvalue(2)]", "[(8,), (8,)]");
  expectOf("tuple(x.mode(dim=0).values.shape)", "(4,)");
  expectOf("[x.sum().dtype, x.sum(dtype=torch.int32).dtype, x.any().dtype, x.argmax(1).dtype]",
           "[torch.int64, torch.int32, torch.bool, torch.int64]");
  expectOf("[x.cumsum(0).dtype, torch.cumsum(x.half(), 0).dtype]", "[torch.int64, torch.float16]");
  expectOf("[x.eq(0).dtype, torch.isnan(x).dtype, x.argsort().dtype]",
           "[torch.bool, torch.bool, torch.int64]");
  expectOf("[(x / 2).dtype, (x * 2).dtype, (x + x.int()).dtype, (x.half() + x.bfloat16()).dtype]",
           "[torch.float32, torch.uint8, torch.int32, torch.float32]");
  expectOf("(x + torch.tensor(3)).dtype", "torch.uint8");
  expectOf("tuple(torch.clamp(x, max=3).shape)", "(8, 4)");
  expectOf("torch.searchsorted(x, torch.arange(5)).shape[0]", "5");
  expectOf("torch.searchsorted(x, x, out_int32=True).dtype", "torch.int32");
  expectOf("torch.stack([x.unique().sum(), x]).dtype", "?");
  expectOf("torch.stack([x.ravel(), x.ravel()], 1).dtype", "torch.uint8");
  expectOf("x.is_sparse", "?");
  expectOf("x.equal(x)", "?");
}

} // namespace
} // namespace gluond::evaluate
