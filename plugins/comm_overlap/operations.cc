#include "operations.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "collective_types.h"

namespace stepwise::comm_overlap {
namespace {

namespace comm_op = table::comm_op;
namespace comm_link = table::comm_link;
namespace kernel = table::kernel;
using sdk::Call;

void see(Operation& operation, int64_t elapse_ns, int64_t row) {
  if (operation.count++ == 0 || elapse_ns > operation.longest_ns) {
    operation.longest_ns = elapse_ns;
    operation.longest_row = row;
  }
  operation.elapse_ns += elapse_ns;
}

void finish(Operations& out) {
  std::sort(out.list.begin(), out.list.end(), [](const Operation& a, const Operation& b) {
    if (a.elapse_ns != b.elapse_ns) return a.elapse_ns > b.elapse_ns;
    return std::tie(a.name, a.group, a.type) < std::tie(b.name, b.group, b.type);
  });
  for (const Operation& one : out.list) {
    out.all.count += one.count;
    out.all.elapse_ns += one.elapse_ns;
    if (!one.times) continue;
    if (!out.all.times) out.all.times.emplace();
    out.all.times->add(*one.times);
  }
}

// SDMA repeats HCCS, PCIE and SIO, so transports are never added: the one that moved most speaks for the operation, and
// of two that moved the same the more exact one.
std::optional<Traffic> leading(const std::vector<Traffic>& transports) {
  const Traffic* best = nullptr;
  for (const Traffic& one : transports) {
    if (one.bytes <= 0) continue;
    const bool more =
        best == nullptr || one.bytes > best->bytes || (one.bytes == best->bytes && best->transport == "SDMA");
    if (more) best = &one;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

}  // namespace

void Times::add(const Times& other) {
  transit_ns += other.transit_ns;
  wait_ns += other.wait_ns;
  sync_ns += other.sync_ns;
  idle_ns += other.idle_ns;
}

double Times::wait_ratio() const {
  if (wait_ns <= 0) return 0;
  return static_cast<double>(wait_ns) / (static_cast<double>(wait_ns) + static_cast<double>(transit_ns));
}

std::optional<Operations> operations_of_file(Call& call, uint32_t rank, std::optional<int64_t> step) {
  const auto view = call.table(rank, comm_op::kTable);
  if (!view) return std::nullopt;
  const auto name = (*view)[comm_op::name], group = (*view)[comm_op::group_id];
  Operations out;
  out.file = view->source_file();
  std::map<std::pair<int32_t, int32_t>, size_t> index;
  std::map<int64_t, size_t> operation_of;  // by the row of comm_op
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (step && (*view)[comm_op::step].get(row) != step) return;
    const auto [it, added] = index.try_emplace({name.code(row), group.code(row)}, out.list.size());
    if (added) {
      Operation& one = out.list.emplace_back();
      one.name = name[row];
      one.type = std::string((*view)[comm_op::type][row]);
      if (const auto id = group.get(row)) one.group = std::string(*id);
      one.times.emplace();
    }
    Operation& one = out.list[it->second];
    see(one, (*view)[comm_op::elapse_ns][row], (*view)[comm_op::src_pos][row]);
    one.times->add({(*view)[comm_op::transit_ns][row], (*view)[comm_op::wait_ns][row], (*view)[comm_op::sync_ns][row],
                    (*view)[comm_op::idle_ns][row]});
    operation_of[static_cast<int64_t>(row)] = it->second;
  });
  if (const auto links = call.table(rank, comm_link::kTable)) {
    std::vector<std::map<std::string_view, Traffic>> traffic(out.list.size());
    call.for_each_row(links->rows(), [&](uint64_t row) {
      const auto it = operation_of.find((*links)[comm_link::comm_op_id][row]);
      if (it == operation_of.end()) return;
      Traffic& one = traffic[it->second][(*links)[comm_link::transport][row]];
      one.bytes += (*links)[comm_link::bytes][row];
      one.transit_ns += (*links)[comm_link::transit_ns][row];
    });
    for (size_t i = 0; i < out.list.size(); ++i) {
      std::vector<Traffic> transports;
      for (auto& [transport, one] : traffic[i]) {
        one.transport = transport;
        transports.push_back(one);
      }
      out.list[i].traffic = leading(transports);
    }
  }
  finish(out);
  return out;
}

std::optional<Operations> operations_of_kernels(Call& call, uint32_t rank, std::optional<int64_t> step) {
  const auto view = call.table(rank, kernel::kTable);
  if (!view) return std::nullopt;
  const auto name = (*view)[kernel::name], class_ = (*view)[kernel::class_];
  Operations out;
  out.file = view->source_file();
  const CollectiveTypes types(call, rank, *view);
  const auto group = (*view)[kernel::group_id];
  std::map<std::tuple<int32_t, std::optional<std::string>, std::optional<std::string_view>>, size_t> index;
  call.for_each_row(view->rows(), [&](uint64_t row) {
    if (class_[row] != "communication" || (step && (*view)[kernel::step].get(row) != step)) return;
    const auto type = types.of(row);
    const auto id = group.get(row);
    const auto [it, added] = index.try_emplace({name.code(row), type, id}, out.list.size());
    if (added) {
      Operation& one = out.list.emplace_back();
      one.name = name[row];
      one.type = type;
      if (id) one.group = std::string(*id);
    }
    see(out.list[it->second], (*view)[kernel::dur_ns][row], (*view)[kernel::src_pos][row]);
  });
  finish(out);
  return out;
}

}  // namespace stepwise::comm_overlap
