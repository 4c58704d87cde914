// Sentences of evidence, and of the time that figures are of. A pattern stands before those that it is a case of.
#include "core/report/said.h"

namespace stepwise::report {
namespace {

// clang-format off
constexpr SaidPattern kPatterns[] = {
    {"for: {0}", "支持：{0:said}"},
    {"against: {0}", "反对：{0:said}"},
    {"{0}; and {1} more steps", "{0:said}；另有 {1} 步"},

    // summarize_profile
    {"intervals of all device rows, in and outside steps", "全部设备侧记录的时间区间（步内与步外）"},
    {"intervals of the kernels of {0} step(s)", "{0} 步内 kernel 的时间区间"},
    {"step {0}: start and end as the profiler wrote them, computing and communication by its kernels", "第 {0} 步：起止时刻取自 profiler，计算与通信由其 kernel 得出"},
    {"step {0}: computing, communication, free and stage as the profiler wrote them", "第 {0} 步：计算、通信、空闲与 Stage 取自 profiler"},
    {"the run: start and end as the profiler wrote them, computing and communication by its kernels", "全程：起止时刻取自 profiler，计算与通信由其 kernel 得出"},
    {"the run: computing, communication, free and stage as the profiler wrote them", "全程：计算、通信、空闲与 Stage 取自 profiler"},
    {"op_time_us: sum of durations of the rows that do not communicate ({0} in the file)", "op_time_us：非通信行的耗时之和（文件中共 {0} 行）"},
    {"op_time_us: sum of the operator types' total times", "op_time_us：各算子类型总耗时之和"},
    {"dynamic_shape: OP State is dynamic in {0} rows, first here", "dynamic_shape：{0} 行的 OP State 为 dynamic，此为首行"},
    {"fusion: `{0}` is the first fused operator", "fusion：首个融合算子为 `{0}`"},
    {"shapes_vary: {0} calls that compile, in {1} steps; the first repetition is `{2}`", "shapes_vary：{1} 步内有 {0} 次编译调用，首次重复为 `{2}`"},
    {"shapes_vary: `{0}` has other input shapes here than in a step before", "shapes_vary：`{0}` 此处的输入 shape 与之前的步不同"},
    {"{0} from {1} calls", "{0}：由 {1} 次调用得出"},

    {"union of computation on all streams", "各流上计算的并集"},
    {"communication that no computation hides", "未被计算掩盖的通信"},
    {"mostly bubble_us: waits for a pipeline stage", "主要为 bubble_us：等待其他流水级"},
    {"neither computation nor communication", "既无计算也无通信"},
    {"copies beside no computation or communication", "未与计算或通信重叠的拷贝"},
    {"the device ran nothing", "设备没有执行任务"},
    {"no row of the step ran; see other_steps_us", "该步没有任务在执行，见 other_steps_us"},
    {"what the file's own rounding leaves over: it computes stage from absolute times as doubles", "文件自身舍入的余数：其 Stage 由绝对时刻以双精度计算"},
    {"the chip's number of cores is not known", "芯片核数未知"},
    {"computing on the device alone; a step takes wall_avg_us", "仅设备计算；单步耗时见 wall_avg_us"},
    {"sum of operators; how long an iteration takes is not known", "算子耗时之和；迭代耗时未知"},

    // top_operators, problem_operators, host_api, memory
    {"totals: sums over {0} executions", "合计：{0} 次执行之和"},
    {"the longest execution of {0}", "{0} 耗时最长的一次执行"},
    {"the sum of {0}", "{0} 的合计"},
    {"judged: {0} executions of operators", "共检查 {0} 次算子执行"},
    {"most reserved: component {0}", "预留最多的组件：{0}"},
    {"the largest block of `{0}`", "`{0}` 的最大内存块"},
    {"the driver's component {0}", "驱动组件 {0}"},
    {"capacity_bytes: declared by the caller", "capacity_bytes：由调用者声明"},
    {"copies: `{0}`, the longest of them", "拷贝与类型转换：其中最长的 `{0}`"},
    {"synchronisations: `{0}`, the longest of them", "流同步次数：其中最长的 `{0}`"},
    {"synchronisation_time: `{0}`, the longest of them", "流同步耗时：其中最长的 `{0}`"},
    {"launches: `{0}`, the longest of them", "下发：其中最长的 `{0}`"},
    {"device_waits: `{0}`, the longest of them", "设备侧同步等待：其中最长的 `{0}`"},
    {"{0}: longest of `{1}`", "{0:problem}：其中最长的 `{1}`"},
    {"blocking: `{0}`, the longest of them", "阻塞 Host 的调用：其中最长的 `{0}`"},

    // stages
    {"the longest call of {0}: `{1}`, {2}", "{0:stage}阶段最长的调用：`{1}`，{2}"},
    {"unclassified: most time is in `{0}`, the longest here, {1}", "未归类：耗时最多的是 `{0}`，最长的一次在此处，{1}"},
    {"ProfilerStep#{0}: {1} ns of host time", "ProfilerStep#{0}：Host 耗时 {1} ns"},
    {"all calls: {0} ns of host time", "全部调用：Host 耗时 {0} ns"},
    {"fetches ahead: `{0}`", "预取：`{0}`"},
    {"no name speaks of fetching ahead", "没有名称表明存在预取"},

    // communication and ranks
    {"breakdown over {0} window(s), {1} uncovered spans", "{0} 个时间窗口的分解，含 {1} 段未掩盖通信"},
    {"the profiler's own {0}, which differs most from the intervals", "profiler 自身的 {0}，与区间计算结果差异最大"},
    {"rank {0} computes most", "rank {0} 计算最多"},
    {"rank {0} computes least", "rank {0} 计算最少"},
    {"of {0}, rank {1} waits least: it has the shortest communication that nothing hides", "{0:said}中 rank {1} 等待最少：其未掩盖通信最短"},
    {"of {0}, rank {1} waits least", "{0:said}中 rank {1} 等待最少"},
    {"{0}: the shorter stages wait for the longest one", "{0:said}：较短的流水级在等待最长的一级"},
    {"{0} computes {1} ms a step, {2}) {3} ms", "{0} 每步计算 {1} ms，{2}) 为 {3} ms"},

    // graphs
    {"the first of {0} instances begins with {1}", "{0} 个实例中的首个以 {1} 开始"},
    {"times: sums over all executions of the operators' kernels, in and outside steps", "耗时：相应算子 kernel 全部执行之和（步内与步外）"},

    // execution mode and scenario
    {"{0} of {1} device rows have a gradient operator type, the first is `{2}`", "{1} 条设备侧记录中有 {0} 条为梯度算子类型，首个为 `{2}`"},
    {"{0} of {1} device rows have a gradient operator type", "{1} 条设备侧记录中有 {0} 条为梯度算子类型"},
    {"{0} of {1} device rows have a gradient kernel's name, the first is `{2}`", "{1} 条设备侧记录中有 {0} 条为梯度 kernel 名，首个为 `{2}`"},
    {"{0} of {1} device rows have a gradient kernel's name", "{1} 条设备侧记录中有 {0} 条为梯度 kernel 名"},
    {"{0} of {1} operator types are gradient operators, the first is `{2}`", "{1} 个算子类型中有 {0} 个为梯度算子，首个为 `{2}`"},
    {"{0} of {1} operator types are gradient operators", "{1} 个算子类型中有 {0} 个为梯度算子"},
    {"{0} of {1} framework calls and ranges speak of backward or gradients, the first is `{2}`", "{1} 个框架调用与区间中有 {0} 个涉及反向或梯度，首个为 `{2}`"},
    {"{0} of {1} framework calls and ranges speak of backward or gradients", "{1} 个框架调用与区间中有 {0} 个涉及反向或梯度"},
    {"{0} of {1} framework calls speak of backward or gradients, the first is `{2}`", "{1} 个框架调用中有 {0} 个涉及反向或梯度，首个为 `{2}`"},
    {"{0} of {1} framework calls speak of backward or gradients", "{1} 个框架调用中有 {0} 个涉及反向或梯度"},
    {"{0} fused kernels, the first is `{1}`", "{0} 个融合 kernel，首个为 `{1}`"},
    {"{0} calls of ModelExecute", "ModelExecute 调用 {0} 次"},
    {"no call of ModelExecute among the host calls", "Host 调用中没有 ModelExecute"},
    {"{0} replays of a captured graph (`{1}`)", "图重放 {0} 次（`{1}`）"},
    {"{0} kernels are aclnn operators; some may stand beside a graph", "{0} 个 kernel 为 aclnn 算子；图模式旁可能存在此类算子"},
    {"{0} kernels are launched by framework operators", "{0} 个 kernel 由框架算子下发"},
    {"{0} kernels are launched by no framework operator, the first is `{1}`", "{0} 个 kernel 并非由框架算子下发，首个为 `{1}`"},
    {"{0} ranges of compiled code, the first is `{1}`", "{0} 个编译代码区间，首个为 `{1}`"},
    {"{0} device rows have the Model ID of a graph", "{0} 条设备侧记录带有图的 Model ID"},
    {"all {0} compute rows are named aclnn...", "全部 {0} 条计算行的算子名均以 aclnn 开头"},
    {"all {0} device rows have Model ID 4294967295: single operators, no graph", "全部 {0} 条设备侧记录的 Model ID 为 4294967295：单算子执行，无图"},
    {"{0} of {1} compute rows are not named aclnn..., the first is `{2}`", "{1} 条计算行中有 {0} 条不以 aclnn 开头，首个为 `{2}`"},
    {"{0} of {1} compute rows are not named aclnn..., and the file has no Model ID for all", "{1} 条计算行中有 {0} 条不以 aclnn 开头，且文件并非每行都有 Model ID"},
    {"no fused kernel, no ModelExecute, no graph replay", "没有融合 kernel、ModelExecute 与图重放"},
    {"no fused kernel, no graph launch", "没有融合 kernel 与图下发"},
    {"no fused kernel", "没有融合 kernel"},
    {"declared by the caller", "由调用者声明"},
    {"the caller declared {0}, which the profile disproves", "调用者声明为 {0}，但与 Profiling 不符"},
    {"toolchain {0}: declared by the caller", "工具链 {0}：由调用者声明"},
    {"toolchain {0}: the framework is {1}", "工具链 {0}：框架为 {1}"},
    {"{0} launches of a captured graph (`{1}`), {2} of all launches", "已捕获图的下发 {0} 次（`{1}`），占全部下发的 {2}"},
    {"{0} launches of a captured graph (`{1}`)", "已捕获图的下发 {0} 次（`{1}`）"},
    {"{0} launches of one kernel each (the first is `{1}`)", "单 kernel 下发 {0} 次（首个为 `{1}`）"},
    {"{0} of {1} kernels with {2} of the kernels' time run in these graphs", "{1} 个 kernel 中有 {0} 个在这些图中执行，占 kernel 耗时的 {2}"},
    {"{0} of {1} kernels with {2} of the kernels' time are launched one by one by framework operators: an eager part beside the graphs", "{1} 个 kernel 中有 {0} 个由框架算子逐个下发，占 kernel 耗时的 {2}：图之外存在 Eager 部分"},
    {"{0} of {1} kernels with {2} of the kernels' time are launched by no framework operator", "{1} 个 kernel 中有 {0} 个并非由框架算子下发，占 kernel 耗时的 {2}"},
    {"{0} of {1} kernels with {2} of the kernels' time: their launches were not recorded", "{1} 个 kernel 中有 {0} 个未记录到其下发，占 kernel 耗时的 {2}"},
    {"no kernel can be linked to a launch of a graph: how much ran in graphs is not known", "没有 kernel 能关联到图的下发：无法得知图内执行占多少"},
    {"the launches of {0} kernels were not recorded; work queued before recording began is so", "{0} 个 kernel 未记录到其下发；采集开始前已入队的任务即是如此"},
    {"{0} dumped graph: `{1}`", "{0} 个 Dump 图：`{1}`"},
    {"{0} dumped graphs, the first is `{1}`", "{0} 个 Dump 图，首个为 `{1}`"},

    // Windows: what they are of, and from where to where.
    {"mean of {0} steps ({1}), each the device rows that it launched, from the first start to the last end", "{0} 步（{1}）的平均，每步为其下发的设备侧记录，自最早开始至最晚结束"},
    {"mean of {0} steps ({1}), each {2}", "{0} 步（{1}）的平均，每步{2:said}"},
    {"mean of the {0} steps that all ranks have: {1}", "各 rank 共有的 {0} 步的平均：{1}"},
    {"mean over each rank's own steps: they have none in common", "各 rank 自身各步的平均：各 rank 没有共同的步"},
    {"the whole trace (no step of it launched anything): {0}", "整个 trace（没有步下发任务）：{0:said}"},
    {"the whole trace, {0} step ({1}): {2}", "整个 trace，{0} 步（{1}）：{2:said}"},
    {"the whole trace, {0} steps ({1}): {2}", "整个 trace，{0} 步（{1}）：{2:said}"},
    {"all device rows, from the first start to the last end", "全部设备侧记录，自最早开始至最晚结束"},
    {"the device rows that step {0} launched, from the first start to the last end", "第 {0} 步下发的设备侧记录，自最早开始至最晚结束"},
    {"step {0}, the device rows that it launched, from the first start to the last end", "第 {0} 步下发的设备侧记录，自最早开始至最晚结束"},
    {"step {0}, the only one of the run, from its first device work to its end, by the timeline's overlap analysis", "第 {0} 步（全程仅此一步），自首个设备任务至该步结束，依据时间线的 overlap 分析"},
    {"the whole run (it has no step annotation), {0}", "全程（无单步标注），{0:said}"},
    {"the whole run, {0}", "全程，{0:said}"},
    {"all rows of the file, in and outside steps", "文件全部行（步内与步外）"},
    {"the whole run, in and outside steps", "全程（步内与步外）"},
    {"the whole run", "全程"},
    {"the whole of the host's calls (the profile has no step annotation)", "Host 全部调用（无单步标注）"},
    {"in and outside steps", "步内与步外"},
    {"from its first device work to its end, as the profiler decomposed it", "自首个设备任务至该步结束，按 profiler 的分解"},
    {"from the profiler's start to its end, with the kernels that start in it", "自 profiler 记录的起点至终点，含其间开始的 kernel"},
    {"from its first kernel's start to its last kernel's end", "自首个 kernel 开始至最后一个 kernel 结束"},
    {"from its first device work to its last, by the timeline's overlap analysis", "自首个至最后一个设备任务，依据时间线的 overlap 分析"},
    {"from its first device work to the end of what starts in it, by the timeline's overlap analysis", "自首个设备任务至其间开始的任务全部结束，依据时间线的 overlap 分析"},
    {"from its first device work to the end of what starts in it, by its kernels and the host's steps", "自首个设备任务至其间开始的任务全部结束，依据其 kernel 与 Host 的步"},
    {"from its first device work to its end, by the timeline's overlap analysis", "自首个设备任务至结束，依据时间线的 overlap 分析"},
    {"from the first start to the last end of its device rows", "自其设备侧记录最早开始至最晚结束"},
    {"as ProfilerStep on the host", "以 Host 侧 ProfilerStep 为准"},
    {"step {0}, {1}", "第 {0} 步，{1:said}"},
    {"step {0}", "第 {0} 步"},
};
// clang-format on

}  // namespace

std::span<const SaidPattern> said_of_evidence() { return kPatterns; }

}  // namespace stepwise::report
