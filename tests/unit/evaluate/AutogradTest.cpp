// Launches in the `backward` of torch.autograd's Functions.
#include "LaunchProgram.h"

namespace gluond::evaluate {
namespace {

using testing::ElementsAre;

const std::string scaled = R"(
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        kernel[(1,)](x, factor)
        return torch.empty_like(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        kernel[(1,)](grad, 10 * ctx.factor + grad.shape[0] + (100 if grad.stride(0) == 0 else 0))
        return grad, None

x = torch.empty(4, 2, device="cuda")
)";

TEST(Autograd, BackwardHasTheContextOfForward) {
  EXPECT_THAT(LaunchProgram(scaled + "Scaled.apply(x, 1)\n").launches(), ElementsAre("1"));
  EXPECT_THAT(LaunchProgram(scaled + "y = Scaled.apply(x, 1)\ny.backward(x)\n").launches(),
              ElementsAre("1", "14"));
}

// The last Function comes first, each once, and only those that the tensor was computed with.
TEST(Autograd, BackwardFollowsWhatATensorWasComputedWith) {
  const char* text = "a = Scaled.apply(x, 1)\nb = Scaled.apply(x, 2)\nc = Scaled.apply(a, 3)\n"
                     "d = ((c * 2 + a).float() / 3).mean()\nd.backward()\nd.backward()\n";
  EXPECT_THAT(LaunchProgram(scaled + text).launches(), ElementsAre("1", "2", "3", "34", "14"));
  EXPECT_THAT(LaunchProgram(scaled + "Scaled.apply(x, 1)\nx.backward(x)\n").launches(),
              ElementsAre("1"));
}

// All elements of a sum's gradient are the same number in memory.
TEST(Autograd, GradientsOfSums) {
  EXPECT_THAT(LaunchProgram(scaled + "Scaled.apply(x, 1).sum().backward()\n").launches(),
              ElementsAre("1", "114"));
  EXPECT_THAT(
      LaunchProgram(scaled + "torch.autograd.grad(Scaled.apply(x, 1), [x], [x])\n").launches(),
      ElementsAre("1", "14"));
}

TEST(Autograd, ContextsThatAreSetUpApart) {
  const char* text = R"(
class Apart(torch.autograd.Function):
    @staticmethod
    def forward(x, n):
        return x.clone(), x.sum()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.n = inputs[1] + len(output)

    @staticmethod
    def backward(ctx, first, second):
        if ctx.needs_input_grad[0] and not ctx.needs_input_grad[1]:
            kernel[(1,)](first, ctx.n + second.dim())

y, total = Apart.apply(torch.empty(8, device="cuda"), 3)
y.backward(torch.empty(8, device="cuda"))
)";
  EXPECT_THAT(LaunchProgram(text).launches(), ElementsAre("5"));
}

// An attribute that `forward` did not set is an error of the program.
TEST(Autograd, AttributesOfTheContext) {
  const char* text = R"(
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return ctx.scale * grad

try:
    Wrong.apply(torch.empty(8, device="cuda")).backward()
except AttributeError:
    kernel[(1,)](torch.empty(8, device="cuda"), 7)
)";
  EXPECT_THAT(LaunchProgram(text).launches(), ElementsAre("7"));
}

} // namespace
} // namespace gluond::evaluate
