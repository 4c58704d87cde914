// The tree of framework calls merged by path.
#include "test_steps.h"

using namespace recsys_stages_test;
using recsys_stages::ir_tree;

namespace {

Value run_tree(Calls& calls, Table step_table, const char* args = "{}") {
  Host host;
  host.add(0, calls.take());
  host.add(0, std::move(step_table));
  return host.run(ir_tree, args);
}

// One step of 1000 us: two forwards with three addmm, a scalar read of 60 us, 30 us of backward beside it.
void two_forwards(Calls& calls) {
  calls.add("ProfilerStep#4", kMain, 1000, 1000);
  calls.add("model.forward", kMain, 1100, 500);
  calls.add("aten::addmm", kMain, 1110, 100);
  calls.add("inner", kMain, 1120, 50);
  calls.add("aten::addmm", kMain, 1210, 200);
  calls.add("inner", kMain, 1220, 20);
  calls.add("aten::relu", kMain, 1450, 20);
  calls.add("aten::item", kMain, 1700, 60);
  calls.add("AddmmBackward0", kBackward, 1720, 30);
  calls.add("model.forward", kMain, 1800, 50);
  calls.add("aten::addmm", kMain, 1810, 10);
}

Value child(const Value& node, std::string_view name) {
  for (size_t i = 0; i < node["children"].size(); ++i) {
    if (node["children"].at(i)["name"].text() == name) return node["children"].at(i);
  }
  return {};
}

void check_node(const Value& node, double total, double self, int64_t count, double max, const char* stage) {
  INFO(node["name"].text().value_or("absent"));
  CHECK(node["total_us"].number() == total);
  CHECK(node["self_us"].number() == self);
  CHECK(node["count"].integer() == count);
  CHECK(node["avg_us"].number() == Approx(total / static_cast<double>(count)));
  CHECK(node["max_us"].number() == max);
  CHECK(node["stage"].text() == stage);
}

}  // namespace

TEST_CASE("calls are merged by path and sorted by total; a call's self is what its children leave") {
  Calls calls;
  two_forwards(calls);
  const Value answer = run_tree(calls, steps({{4, 1000, 1000}}));
  REQUIRE(answer["tree"].size() == 1);
  const Value root = answer["tree"].at(0);
  CHECK(root["name"].text() == "ProfilerStep#4");
  CHECK(root["total_us"].number() == 1000.0);
  CHECK(root["self_us"].number() == 390.0);  // 1000 - 550 - 60: what other threads do is not in it
  CHECK(root["stage"].is_absent());
  REQUIRE(root["children"].size() == 3);
  CHECK(root["children"].at(0)["name"].text() == "model.forward");
  CHECK(root["children"].at(1)["name"].text() == "aten::item");
  CHECK(root["children"].at(2)["name"].text() == "AddmmBackward0");
  check_node(root["children"].at(0), 550, 220, 2, 500, "forward");
  check_node(child(root["children"].at(0), "aten::addmm"), 310, 240, 3, 200, "forward");
  check_node(child(child(root["children"].at(0), "aten::addmm"), "inner"), 70, 70, 2, 50, "forward");
  check_node(child(root["children"].at(0), "aten::relu"), 20, 20, 1, 20, "forward");
  check_node(root["children"].at(1), 60, 60, 1, 60, "unclassified");
  check_node(root["children"].at(2), 30, 30, 1, 30, "backward");
  CHECK(root["children"].at(2)["off_main"].boolean() == true);
  CHECK(root["children"].at(0)["off_main"].is_absent());
  CHECK(answer["bottlenecks"].integer() == 5);  // the root, forward, addmm, its inner, item
}

TEST_CASE("what the limits cut is counted in a child of its own") {
  Calls calls;
  two_forwards(calls);
  Value root = run_tree(calls, steps({{4, 1000, 1000}}), R"({"max_depth": 1})")["tree"].at(0);
  const Value forward = child(root, "model.forward");
  REQUIRE(forward["children"].size() == 1);
  CHECK(forward["children"].at(0)["name"].text() == "other");
  CHECK(forward["children"].at(0)["count"].integer() == 4);
  CHECK(forward["children"].at(0)["total_us"].number() == 330.0);
  CHECK(forward["self_us"].number() == 220.0);

  Calls again;
  two_forwards(again);
  root = run_tree(again, steps({{4, 1000, 1000}}), R"({"min_ratio": 0.06})")["tree"].at(0);
  REQUIRE(root["children"].size() == 3);
  CHECK(child(root, "aten::item")["total_us"].number() == 60.0);  // exactly the limit
  CHECK(child(root, "other")["total_us"].number() == 30.0);
  CHECK(child(child(root, "model.forward"), "other")["count"].integer() == 1);
  CHECK_FALSE(child(child(child(root, "model.forward"), "aten::addmm"), "inner").is_absent());
}

TEST_CASE("without limits the tree fits on a page, and its parts add up") {
  Calls calls;
  calls.add("ProfilerStep#1", kMain, 0, 100'000);
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i)
    names.push_back("operator_" + std::to_string(i) + std::string(static_cast<size_t>(i) * 3, 'x'));
  for (int i = 0; i < 60; ++i) calls.add(names[static_cast<size_t>(i)].c_str(), kMain, 10 + i * 1'200, 1'100);
  const Value answer = run_tree(calls, steps({{1, 0, 100'000}}));
  CHECK(answer.to_json().size() < 8'000);
  const Value root = answer["tree"].at(0);
  CHECK(root["children"].size() > 15);
  double total = 0;
  int64_t count = 0;
  for (size_t i = 0; i < root["children"].size(); ++i) {
    total += *root["children"].at(i)["total_us"].number();
    count += *root["children"].at(i)["count"].integer();
    CHECK(root["children"].at(i)["name"].text()->size() <= 103);
  }
  CHECK(total == 66'000.0);
  CHECK(count == 60);
}

TEST_CASE("bottlenecks: 5 % of the step in itself, or a wait above 50 ms or 5 % in the call that waits") {
  const auto item = [](int64_t dur_us) {
    Calls calls;
    calls.add("ProfilerStep#1", kMain, 0, 1000);
    calls.add("load", kMain, 0, dur_us);
    return *child(run_tree(calls, steps({{1, 0, 1000}}))["tree"].at(0), "load")["bottleneck"].boolean();
  };
  CHECK(item(50));
  CHECK_FALSE(item(49));

  const auto wait = [](int64_t dur_us, const char* of) {
    Calls calls;
    calls.add("ProfilerStep#1", kMain, 0, 2'000'000);
    calls.add("load", kMain, 0, 80'000);
    calls.add("aten::copy_", kMain, 10, 70'000);
    Table driver(runtime_api::kTable, "trace_view.json");
    driver.row()
        .set(runtime_api::name, "AscendCL@aclrtSynchronizeStream")
        .set(runtime_api::pid, 99)
        .set(runtime_api::tid, kMain)
        .set(runtime_api::start_ns, 100 * kUs)
        .set(runtime_api::dur_ns, dur_us * kUs);
    Host host;
    host.add(0, calls.take());
    host.add(0, steps({{1, 0, 2'000'000}}));
    host.add(0, std::move(driver));
    const Value load = child(host.run(ir_tree)["tree"].at(0), "load");
    return *(std::string_view(of) == "load" ? load : child(load, of))["bottleneck"].boolean();
  };
  CHECK(wait(50'001, "aten::copy_"));
  CHECK_FALSE(wait(50'000, "aten::copy_"));
  CHECK_FALSE(wait(50'001, "load"));  // only around it
}

TEST_CASE("the tree is of the step that is asked for, else of the one with the median time") {
  const auto root_of = [](const char* args) {
    Calls calls;
    for (const int64_t at : {0, 100, 200}) calls.add("aten::linear", kMain, at, 10);
    return run_tree(calls, steps({{1, 0, 100}, {2, 100, 100}, {3, 200, 501}}), args)["tree"].at(0);
  };
  CHECK(root_of("{}")["name"].text() == "ProfilerStep#2");
  CHECK(root_of(R"({"step": 3})")["name"].text() == "ProfilerStep#3");
  CHECK(root_of(R"({"step": 3})")["self_us"].number() == 491.0);

  Calls calls;
  calls.add("aten::linear", kMain, 0, 10);
  Host host;
  host.add(0, calls.take());
  const Value answer = host.run(ir_tree);
  CHECK(answer["tree"].at(0)["name"].text() == "all calls");
  CHECK(warns(answer, "stages.no_steps"));
  host.run(ir_tree, R"({"step": 1})");
  REQUIRE(host.failure());
  CHECK(host.failure()->code == "step.unknown");

  Calls none;
  CHECK(run_tree(none, steps({{1, 0, 100}}))["status"].text() == "not_applicable");
}

TEST_CASE("with a limit the tree has that many nodes below its root, those with most time") {
  Calls calls;
  two_forwards(calls);
  const Value root = run_tree(calls, steps({{4, 1000, 1000}}), R"({"limit": 2})")["tree"].at(0);
  REQUIRE(root["children"].size() == 2);
  CHECK(child(root, "other")["count"].integer() == 2);
  const Value forward = child(root, "model.forward");
  CHECK(child(forward, "aten::addmm")["total_us"].number() == 310.0);
  CHECK(child(forward, "other")["count"].integer() == 1);
}

TEST_CASE("templates of long names that stand beside each other stay different") {
  const std::string start = "void at::native::" + std::string(120, 'k') + "<", end = ">(int)";
  const std::string one = start + "float, 4" + end, other = start + "double, 4" + end;
  Calls calls;
  calls.add(one.c_str(), kMain, 0, 400);
  calls.add(other.c_str(), kMain, 400, 400);
  const Value root = run_tree(calls, steps({{1, 0, 1000}}))["tree"].at(0);
  REQUIRE(root["children"].size() == 2);
  const auto first = *root["children"].at(0)["name"].text(), second = *root["children"].at(1)["name"].text();
  CHECK(first != second);
  CHECK(first.size() < 110);
}
