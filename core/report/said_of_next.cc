// Why an answer names another call.
#include "core/report/said.h"

namespace stepwise::report {
namespace {

// clang-format off
constexpr SaidPattern kPatterns[] = {
    {"gives {0}", "给出 {0}"},
    {"where the step's time goes", "单步时间花在何处"},
    {"which structures the graph repeats", "图中有哪些重复结构"},
    {"which tables this profile has: query_sql answers from them", "该 Profiling 有哪些表：可用 query_sql 查询"},
    {"the execution mode is undetermined: it says what to declare", "执行模式无法判断：该分析会说明需声明什么"},
    {"that run instead", "改看该次运行"},
    {"which operators cost most", "哪些算子耗时最多"},
    {"computing is {0} of the step: what could hide communication", "计算占单步的 {0}：哪些计算可用于掩盖通信"},
    {"computing is {0}: which operators make it up", "计算占{0:said}：由哪些算子构成"},
    {"communication that nothing hides is {0}: where, and which operations", "未掩盖通信占{0:said}：出现在何处，是哪些操作"},
    {"the device ran nothing in {0}: which host calls meanwhile, and from where; it was idle for {1} while the host waited, most in {2}", "设备空闲占{0:said}：其间 Host 在执行哪些调用，由何处发起；Host 等待期间设备空闲 {1}，最多在 {2}"},
    {"the device ran nothing in {0}: which host calls meanwhile, and from where", "设备空闲占{0:said}：其间 Host 在执行哪些调用，由何处发起"},
    {"copies that nothing hides are {0}: which host calls meanwhile, and from where; it was idle for {1} while the host waited, most in {2}", "未掩盖拷贝占{0:said}：其间 Host 在执行哪些调用，由何处发起；Host 等待期间设备空闲 {1}，最多在 {2}"},
    {"copies that nothing hides are {0}: which host calls meanwhile, and from where", "未掩盖拷贝占{0:said}：其间 Host 在执行哪些调用，由何处发起"},
    {"bubble_us is {0} of the step, waiting for another pipeline stage: what each stage computes", "流水线气泡占单步的 {0}，在等待其他流水级：各级分别在计算什么"},
    {"the slowest step, {0} against a mean of {1}: what is longer there", "最慢的一步，{0}，平均为 {1}：该步多用的时间在何处"},
    {"the slowest step, {0} against a median of {1}: which stage is longer there", "最慢的一步，{0}，中位数为 {1}：该步哪个阶段更长"},
    {"these figures are of the whole run: step {0} by itself", "以上为全程数据：单独查看第 {0} 步"},
    {"these figures are of the whole trace ({0} step): step {1} by itself", "以上为整个 trace（{0} 步）的数据：单独查看第 {1} 步"},
    {"these figures are of the whole trace ({0} steps): step {1} by itself", "以上为整个 trace（{0} 步）的数据：单独查看第 {1} 步"},
    {"these figures are of the whole trace: step {0} by itself", "以上为整个 trace 的数据：单独查看第 {0} 步"},
    {"the device waits for the host: which of its calls take long, and which are too many", "设备在等待 Host：哪些调用耗时长，哪些次数过多"},
    {"what share of all operators' time these have, shape by shape", "这些算子按 shape 在全部算子耗时中的占比"},
    {"no operator has a problem: which cost most", "没有问题算子：哪些算子耗时最多"},
    {"no operator has a problem of those that could be looked for ({0} could not): which cost most", "可检查的问题中没有问题算子（{0} 类无法检查）：哪些算子耗时最多"},
    {"no operator has the problem `{0}`: which operators cost most", "没有算子存在问题 `{0}`：哪些算子耗时最多"},
    {"this profile cannot tell of the problem `{0}`: which operators cost most", "该 Profiling 无法判断问题 `{0}`：哪些算子耗时最多"},
    {"the host's calls that block, and from where: the device is idle for {0} meanwhile, most in {1}", "阻塞 Host 的调用及其来源：其间设备空闲 {0}，最多在 {1}"},
    {"kernels wait for the host: which of its calls take long", "kernel 在等待 Host：哪些调用耗时长"},
    {"names with \u2026 in them and shapes that end in ... are cut: this gives them whole", "含 \u2026 的名称与以 ... 结尾的 shape 已被截短：此调用给出全文"},
    {"which input shapes `{0}` and the others cost most with", "`{0}` 等算子在哪些输入 shape 下耗时最多"},
    {"what ran around the longest {0}: the device was idle for {1} during such calls", "最长的 {0} 前后在执行什么：此类调用期间设备空闲 {1}"},
    {"whether custom operators synchronise inside", "自定义算子内部是否存在同步"},
    {"whether kernels wait for these launches", "kernel 是否在等待这些下发"},
    {"what the device waits for: other cards, or its own streams", "设备在等待什么：其他卡，或自身的其他流"},
    {"what allocating costs beside the host's other calls", "内存分配相对 Host 其他调用的开销"},
    {"what the device does in the step: computing, communication, free", "单步内设备在做什么：计算、通信、空闲"},
    {"which communication nothing hides, and in which stage", "哪些通信未被掩盖，处于哪个阶段"},
    {"the same step by its stages, in time order", "同一步按时间顺序的各阶段"},
    {"all operators of a repeat, and where each instance stands", "重复子图的全部算子及每个实例的位置"},
    {"`{0}` costs most, {1} of the step: it passes work between pipeline stages, so what each of them computes", "`{0}` 耗时最多，占单步的 {1}：它在流水级间传递数据，查看各级的计算"},
    {"`{0}` costs most, {1} of the step: which rank the others wait for there, and what it did instead", "`{0}` 耗时最多，占单步的 {1}：其他 rank 在等待哪个 rank，它在做什么"},
    {"`{0}` costs most, {1} of the step: whether the ranks can be compared there, and how they differ", "`{0}` 耗时最多，占单步的 {1}：各 rank 能否对比，差异如何"},
    {"rank {0} comes late to group {1}: what did it do instead", "rank {0} 在通信域 {1} 中晚到：它在做什么"},
    {"what its host did while the device had no work", "设备无任务时其 Host 在做什么"},
    {"what its device did", "其设备在做什么"},
    {"figures of all ranks, links, R_wait of groups", "各 rank 与链路的数据、通信域的 R_wait"},
    {"which rank the others wait for, and what it did instead", "其他 rank 在等待哪个 rank，它在做什么"},
    {"the longest pipeline stage sets the pace: what its ranks compute", "最长的流水级决定整体节奏：其 rank 在计算什么"},

    // Of what a share is.
    {"{0} of the step", "单步的 {0}"},
    {"{0} of the whole run", "全程的 {0}"},
    {"{0} of the whole trace ({1} step)", "整个 trace（{1} 步）的 {0}"},
    {"{0} of the whole trace ({1} steps)", "整个 trace（{1} 步）的 {0}"},
    {"{0} of the whole trace", "整个 trace 的 {0}"},
};
// clang-format on

}  // namespace

std::span<const SaidPattern> said_of_next() { return kPatterns; }

}  // namespace stepwise::report
