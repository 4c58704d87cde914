#include "tests/bench/trace_generator.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace stepwise::bench {
namespace {

constexpr int64_t kOriginNs = 1'736'408'883'600'000'000;
constexpr uint64_t kHostPid = 3'096'504, kCannPid = 3'170'820'320, kDevicePid = 3'170'820'512, kHcclPid = 3'170'820'576,
                   kPmuPid = 3'170'820'768, kQosPid = 3'170'820'800, kOverlapPid = 3'170'820'832;
constexpr int64_t kOpNs = 80'000;  // one operator every 80 us
constexpr uint64_t kOpsPerStep = 400;
constexpr uint64_t kBytesPerOp = 2'750;  // all events that belong to one operator, measured

// A fixed sequence that looks random (splitmix64).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) fail();
    text_.reserve(kFlushBytes * 2);
  }
  ~Writer() {
    if (file_ != nullptr) std::fclose(file_);
  }

  template <class... Args>
  void event(const char* format, Args... args) {
    text_ += events_++ == 0 ? "[" : ", ";
    char line[4096];
    const int length = std::snprintf(line, sizeof line, format, args...);
    if (length < 0 || static_cast<size_t>(length) >= sizeof line) fail();
    text_.append(line, static_cast<size_t>(length));
    if (text_.size() >= kFlushBytes) flush();
  }
  GeneratedTrace finish() {
    text_ += "]";
    flush();
    if (std::fclose(file_) != 0) fail();
    file_ = nullptr;
    return {bytes_, events_};
  }

 private:
  static constexpr size_t kFlushBytes = 1 << 20;
  [[noreturn]] static void fail() {
    std::perror("writing the generated trace");
    std::exit(1);
  }
  void flush() {
    if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) fail();
    bytes_ += text_.size();
    text_.clear();
  }
  std::FILE* file_;
  std::string text_;
  uint64_t bytes_ = 0, events_ = 0;
};

struct Stamp {
  char text[32];
};
Stamp stamp(int64_t ns) {
  Stamp s;
  std::snprintf(s.text, sizeof s.text, "%lld.%03lld", static_cast<long long>((kOriginNs + ns) / 1000),
                static_cast<long long>((kOriginNs + ns) % 1000));
  return s;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const char* base : {"addmm", "convolution", "relu_", "max_pool2d", "linear", "copy_", "empty", "view", "mul",
                           "div", "add_", "sum", "mm", "threshold_backward", "native_batch_norm"}) {
    for (const char* prefix : {"aten::", "npu::npu_", "autograd::engine::evaluate_function: "}) {
      names.push_back(std::string(prefix) + base);
    }
  }
  return names;
}

std::string call_stack(uint64_t which) {
  std::string stack;
  for (uint64_t frame = 0; frame < 12; ++frame) {
    if (frame != 0) stack += ";\\r\\n";
    stack += "/opt/python/lib/python3.9/site-packages/torch/nn/modules/module_" +
             std::to_string(mix(which * 16 + frame) % 90) + ".py(" + std::to_string(mix(which + frame) % 1900) +
             "): _call_impl";
  }
  return stack;
}

void write_host(Writer& out, uint64_t ops) {
  const std::vector<std::string> names = operator_names();
  std::vector<std::string> stacks;
  for (uint64_t i = 0; i < 60; ++i) stacks.push_back(call_stack(i));
  for (uint64_t i = 0; i < ops; ++i) {
    // Operators are written as they end: an inner one stands before the outer one.
    const bool outer = i % 2 == 1;
    const int64_t start = static_cast<int64_t>(outer ? i - 1 : i) * kOpNs + (outer ? 0 : 1'500);
    const double dur =
        outer ? 120.0 + static_cast<double>(mix(i) % 2000) / 100 : 0.5 + static_cast<double>(mix(i) % 4000) / 100;
    const uint64_t tid = i % 5 < 3 ? kHostPid : kHostPid + 8571;
    const char* name = names[mix(i % kOpsPerStep) % names.size()].c_str();
    if (i % 3 == 0) {
      out.event(
          "{\"ph\": \"X\", \"name\": \"%s\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": %.2f, \"cat\": "
          "\"cpu_op\", "
          "\"args\": {\"Sequence number\": %lld, \"Fwd thread id\": 0, \"Input Dims\": "
          "\"%llu,%llu;\\r\\n16;\\r\\n;\\r\\n\", "
          "\"Input type\": \"float;\\r\\nfloat;\\r\\nScalar;\\r\\n\", \"Call stack\": \"%s\"}}",
          name, kHostPid, tid, stamp(start).text, dur, static_cast<long long>(i % kOpsPerStep) - 1, 8ull << (i % 7),
          16ull << (i % 5), stacks[i % kOpsPerStep % stacks.size()].c_str());
    } else {
      out.event(
          "{\"ph\": \"X\", \"name\": \"%s\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": %.2f, \"cat\": "
          "\"cpu_op\", "
          "\"args\": {\"Sequence number\": -1, \"Fwd thread id\": 0, \"Input Dims\": \"%llu,3;\\r\\n;\\r\\n\", "
          "\"Input type\": \"float;\\r\\nScalar\"}}",
          name, kHostPid, tid, stamp(start).text, dur, 8ull << (i % 7));
    }
    if (i % kOpsPerStep == kOpsPerStep - 1) {
      const int64_t step_start = static_cast<int64_t>(i + 1 - kOpsPerStep) * kOpNs - 500;
      out.event(
          "{\"ph\": \"X\", \"name\": \"ProfilerStep#%llu\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": "
          "%.2f, "
          "\"cat\": \"cpu_op\", \"args\": {\"Sequence number\": -1, \"Fwd thread id\": 0}}",
          static_cast<unsigned long long>(i / kOpsPerStep), kHostPid, kHostPid, stamp(step_start).text,
          static_cast<double>(kOpsPerStep * kOpNs) / 1000);
    }
  }
  for (uint64_t i = 0; i < ops; i += 5) {
    const int64_t start = static_cast<int64_t>(i) * kOpNs + 6'000;
    const char* name = names[mix(i % kOpsPerStep) % names.size()].c_str();
    out.event(
        "{\"ph\": \"X\", \"name\": \"Enqueue@%s\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": 11.3, "
        "\"cat\": "
        "\"enqueue\", \"args\": {\"correlation_id\": %llu}}",
        name, kHostPid, kHostPid, stamp(start).text, i);
    out.event(
        "{\"ph\": \"s\", \"bp\": \"e\", \"name\": \"enqueue_to_dequeue\", \"id\": %llu, \"pid\": %llu, \"tid\": %llu, "
        "\"ts\": \"%s\", \"cat\": \"async_task_queue\"}",
        i, kHostPid, kHostPid, stamp(start).text);
    out.event(
        "{\"ph\": \"X\", \"name\": \"Dequeue@%s\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": 66.54, "
        "\"cat\": "
        "\"dequeue\", \"args\": {\"correlation_id\": %llu}}",
        name, kHostPid, kHostPid + 3'533, stamp(start + 45'240).text, i);
    out.event(
        "{\"ph\": \"f\", \"bp\": \"e\", \"name\": \"enqueue_to_dequeue\", \"id\": %llu, \"pid\": %llu, \"tid\": %llu, "
        "\"ts\": \"%s\", \"cat\": \"async_task_queue\"}",
        i, kHostPid, kHostPid + 3'533, stamp(start + 45'240).text);
  }
  out.event("{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %llu, \"tid\": 0, \"args\": {\"name\": \"Python\"}}",
            kHostPid);
  for (uint64_t i = 0; i < ops + ops / 2; ++i) {
    const bool outer = i % 3 == 2;
    const int64_t start = static_cast<int64_t>(outer ? i - 2 : i) * kOpNs * 2 / 3 + (outer ? 0 : 2'000);
    const uint64_t which = mix(i % (kOpsPerStep * 3 / 2));
    out.event(
        "{\"ph\": \"X\", \"name\": \"torch/nn/modules/module_%llu.py(%llu): forward_%llu\", \"pid\": %llu, \"tid\": "
        "%llu, "
        "\"ts\": \"%s\", \"dur\": %.2f, \"cat\": \"python_function\", \"args\": {\"Python id\": %llu, \"Python parent "
        "id\": %llu}}",
        which % 40, which % 900, which % 7, kHostPid, kHostPid, stamp(start).text, outer ? 158.0 : 33.07, i + 1, i);
  }
}

void write_counters(Writer& out, uint64_t ops) {
  for (uint64_t i = 0; i < ops * 5; ++i) {
    const Stamp ts = stamp(static_cast<int64_t>(i) * kOpNs / 5 + static_cast<int64_t>(mix(i) % 900));
    if (i % 3 == 0) {
      out.event(
          "{\"name\": \"QoS OTHERS\", \"ts\": \"%s\", \"pid\": %llu, \"tid\": 0, \"args\": {\"value\": %llu}, \"ph\": "
          "\"C\"}",
          ts.text, kQosPid, mix(i) % 3000);
    } else {
      out.event(
          "{\"name\": \"%s\", \"ts\": \"%s\", \"pid\": %llu, \"tid\": 0, \"args\": {\"value\": %llu, \"acc_id\": "
          "%llu}, "
          "\"ph\": \"C\"}",
          i % 3 == 1 ? "read_bandwidth" : "write_bandwidth", ts.text, kPmuPid, mix(i) % 100, i % 16);
    }
  }
}

void write_device(Writer& out, uint64_t ops) {
  for (const auto& [pid, name] : {std::pair{kDevicePid, "Ascend Hardware"},
                                  {kCannPid, "CANN"},
                                  {kHcclPid, "HCCL"},
                                  {kOverlapPid, "Overlap Analysis"},
                                  {kPmuPid, "Acc PMU"},
                                  {kQosPid, "QoS"}}) {
    out.event("{\"name\": \"process_name\", \"pid\": %llu, \"tid\": 0, \"args\": {\"name\": \"%s\"}, \"ph\": \"M\"}",
              pid, name);
  }
  write_counters(out, ops);
  const std::vector<std::string> names = operator_names();
  for (uint64_t i = 0; i < ops * 5 / 8; ++i) {
    const int64_t start = static_cast<int64_t>(i) * kOpNs * 8 / 5 + 30'000;
    const unsigned stream = i % 9 == 0 ? 5 : 2;
    const uint64_t connection = i + 900;
    out.event(
        "{\"name\": \"aclnnKernel%llu_MatMulV2_%llu\", \"pid\": %llu, \"tid\": %u, \"ts\": \"%s\", \"dur\": %.7f, "
        "\"args\": "
        "{\"Model Id\": 4294967295, \"Task Type\": \"AI_CORE\", \"Physic Stream Id\": %u, \"Task Id\": %llu, \"Batch "
        "Id\": 0, "
        "\"Subtask Id\": 4294967295, \"connection_id\": %llu}, \"ph\": \"X\"}",
        mix(i % kOpsPerStep) % 60, mix(i % kOpsPerStep) % 11, kDevicePid, stream, stamp(start).text,
        4.0 + static_cast<double>(mix(i) % 90'000) / 1000.0 + 0.0003125, stream, i % 65'536, connection);
    if (i % 5 < 2) {
      out.event(
          "{\"name\": \"HostToDevice%llu\", \"ph\": \"f\", \"id\": \"%llu\", \"ts\": \"%s\", \"cat\": "
          "\"HostToDevice\", \"pid\": "
          "%llu, \"tid\": %u, \"bp\": \"e\"}",
          connection << 32, connection << 32, stamp(start).text, kDevicePid, stream);
    }
  }
  for (uint64_t i = 0; i < ops * 4 / 5; ++i) {
    const int64_t start = static_cast<int64_t>(i) * kOpNs * 5 / 4 + 9'000;
    const uint64_t connection = i + 900;
    const uint64_t tid = kHostPid + 3'533;
    const char* call = i % 3 == 0   ? "Node@launch"
                       : i % 3 == 1 ? "AscendCL@aclrtMemcpyAsync"
                                    : "Runtime@KernelLaunchWithFlag";
    out.event(
        "{\"name\": \"%s\", \"pid\": %llu, \"tid\": %llu, \"ts\": \"%s\", \"dur\": 37.589999999999996, \"args\": "
        "{\"Thread Id\": "
        "%llu, \"Mode\": \"ACL_RTS\", \"level\": \"acl\", \"id\": \"%s\", \"item_id\": \"0\", \"connection_id\": "
        "%llu}, \"ph\": \"X\"}",
        call, kCannPid, tid, stamp(start).text, tid, call, connection);
    if (i < ops * 5 / 8 && i % 5 < 2) {
      out.event(
          "{\"name\": \"HostToDevice%llu\", \"ph\": \"s\", \"cat\": \"HostToDevice\", \"id\": \"%llu\", \"pid\": %llu, "
          "\"tid\": "
          "%llu, \"ts\": \"%s\"}",
          connection << 32, connection << 32, kCannPid, tid, stamp(start + 2'000).text);
    }
  }
  for (uint64_t i = 0; i < ops * 4 / 9; ++i) {
    const char* kind = i % 3 == 0 ? "Computing" : i % 3 == 1 ? "Communication(Not Overlapped)" : "Free";
    out.event("{\"name\": \"%s\", \"pid\": %llu, \"tid\": %u, \"ts\": \"%s\", \"dur\": 53.841, \"ph\": \"X\"}", kind,
              kOverlapPid, static_cast<unsigned>(i % 3), stamp(static_cast<int64_t>(i) * kOpNs * 9 / 4).text);
  }
  for (uint64_t i = 0; i < ops * 7 / 20; ++i) {
    out.event(
        "{\"name\": \"%s\", \"pid\": %llu, \"tid\": %u, \"ts\": \"%s\", \"dur\": 0.60003125, \"args\": {\"notify_id\": "
        "\"0\", "
        "\"duration estimated(us)\": 0.6002072538860104, \"stream id\": 4, \"task id\": %llu, \"context id\": 0, "
        "\"task type\": "
        "\"Reduce_Inline\", \"src rank\": 0, \"dst rank\": 4294967295, \"transport type\": \"SDMA\", \"size(Byte)\": "
        "4, \"data "
        "type\": \"INT32\", \"link type\": \"ON_CHIP\", \"bandwidth(GB/s)\": 0.006666319462527994, \"model id\": "
        "4294967295}, "
        "\"ph\": \"X\"}",
        i % 2 == 0 ? "Reduce_Inline" : "Notify_Wait", kHcclPid, static_cast<unsigned>(1 + i % 3),
        stamp(static_cast<int64_t>(i) * kOpNs * 20 / 7).text, i % 65'536);
  }
  for (uint64_t i = 0; i < ops * 5 / 8; i += 5) {
    for (const char* end : {"s", "f"}) {
      const bool start_end = *end == 's';
      const int64_t device_start = static_cast<int64_t>(i) * kOpNs * 8 / 5 + 30'000;
      out.event(
          "{\"ph\": \"%s\", \"bp\": \"e\", \"name\": \"torch_to_npu\", \"id\": %llu, \"pid\": %llu, \"tid\": %llu, "
          "\"ts\": "
          "\"%s\", \"cat\": \"async_npu\"}",
          end, static_cast<unsigned long long>(kOriginNs + device_start), start_end ? kHostPid : kDevicePid,
          start_end ? kHostPid : (i % 9 == 0 ? 5ull : 2ull), stamp(device_start - (start_end ? 24'000 : 0)).text);
    }
  }
}

}  // namespace

GeneratedTrace generate_trace(const std::filesystem::path& path, uint64_t bytes) {
  Writer out(path);
  const uint64_t ops = bytes / kBytesPerOp + 1;
  write_host(out, ops);
  write_device(out, ops);
  return out.finish();
}

}  // namespace stepwise::bench
