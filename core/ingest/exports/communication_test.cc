// communication.json: exact numbers, both kinds, and what is not as it should be.
#include <string>

#include "core/ingest/base/cut_json.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl &kOp = table::comm_op::kTable, &kLink = table::comm_link::kTable,
                       &kPacket = table::comm_packet::kTable;

std::string times(const std::string& start) {
  return R"_("Communication Time Info": {"Start Timestamp(us)": )_" + start +
         R"_(, "Elapse Time(ms)": 0.39965999999999996, "Transit Time(ms)": 0.25, "Wait Time(ms)": 0, )_"
         R"_("Synchronization Time(ms)": 0.0, "Idle Time(ms)": 0.149660, "Wait Time Ratio": 0})_";
}
std::string operation(const std::string& name, const std::string& start, const std::string& links) {
  return "\"" + name + "\": {" + times(start) + ", \"Communication Bandwidth Info\": {" + links + "}}";
}
const std::string kHccs =
    R"_("HCCS": {"Transit Size(MB)": 8.388608, "Transit Time(ms)": 0.40092, "Bandwidth(GB/s)": 20.9234, )_"
    R"_("Large Packet Ratio": 0.0, "Size Distribution": {"8.388608": [1, 0.40092]}})_";
const std::string kTotal = R"_("Total Op Info": {"Communication Time Info": {"Elapse Time(ms)": 9}})_";

std::string file(const std::string& collective, const std::string& p2p, const std::string& step = "step13") {
  return "{\"" + step + "\": {\"p2p\": {" + p2p + "}, \"collective\": {" + collective + "}}}";
}

}  // namespace

TEST_CASE("communication: numbers from text to integers, ordered by start") {
  Tables tables = read_text(
      read_communication,
      file(operation("hcom_allReduce__586_0_1@11022204950826225271", "1764246877076690.75", kHccs) + ", " + kTotal,
           operation("hcom_send__822_0@77", "1764246877076689.8", "")));
  REQUIRE(tables.rows(kOp) == 2);
  CHECK(tables.row(kOp, 0, {"step", "name", "type", "kind", "group_id", "start_ns"}) ==
        "13|hcom_send__822_0|send|p2p|77|1764246877076689800");
  CHECK(
      tables.row(kOp, 1,
                 {"name", "type", "kind", "group_id", "start_ns", "elapse_ns", "transit_ns", "wait_ns", "sync_ns",
                  "idle_ns"}) ==
      "hcom_allReduce__586_0_1|allReduce|collective|11022204950826225271|1764246877076690750|399660|250000|0|0|149660");
  REQUIRE(tables.rows(kLink) == 1);
  CHECK(tables.row(kLink, 0,
                   {"comm_op_id", "transport", "bytes", "transit_ns", "bandwidth_gb_s", "large_packet_ratio"}) ==
        "1|HCCS|8388608|400920|20.9234|0");
  REQUIRE(tables.rows(kPacket) == 1);
  CHECK(tables.row(kPacket, 0, {"comm_op_id", "transport", "packet_bytes", "count", "total_ns"}) ==
        "1|HCCS|8388608|1|400920");
  CHECK(tables.losses().empty());
}

TEST_CASE("communication: src_pos is where the operation's key stands") {
  const std::string text = file("", operation("hcom_send__1@2", "1", ""));
  Tables tables = read_text(read_communication, text);
  CHECK(tables.row(kOp, 0, {"src_pos"}) == std::to_string(text.find("\"hcom_send")));
}

TEST_CASE("communication: a run without steps; empty kinds") {
  Tables tables = read_text(read_communication, file(operation("hcom_broadcast__1_0", "5", ""), "", "step"));
  CHECK(tables.row(kOp, 0, {"step", "group_id", "start_ns"}) == "null|null|5000");
  CHECK(tables.losses().empty());
  Tables empty = read_text(read_communication, file("", ""));
  CHECK(empty.has(kOp));
  CHECK(empty.rows(kOp) == 0);
  CHECK(empty.losses().empty());
}

TEST_CASE("communication: a wrong type costs what it belongs to, counted") {
  const std::string good = operation("hcom_send__1@2", "1", kHccs);
  for (const char* wrong : {"\"abc\"", "null", "true", "{}", "[1]", "12abc", "1e400"}) {
    Tables tables = read_text(read_communication, file(good + "," + operation("hcom_x__2@2", wrong, kHccs), ""));
    CHECK(tables.rows(kOp) == 1);
    REQUIRE(tables.losses().size() == 1);
    CHECK(tables.losses()[0].starts_with("json.shape 1"));
  }
  const auto links_of = [&](const std::string& link) {
    Tables tables = read_text(read_communication, file(operation("hcom_x__2@2", "1", link), ""));
    CHECK(tables.rows(kOp) == 1);
    CHECK(tables.losses().size() == 1);
    return tables.rows(kLink) * 10 + tables.rows(kPacket);
  };
  CHECK(links_of(R"_("HCCS": 5)_") == 0);
  CHECK(links_of(R"_("HCCS": {"Transit Size(MB)": "x", "Transit Time(ms)": 1})_") == 0);
  CHECK(links_of(R"_("HCCS": {"Transit Size(MB)": 1, "Transit Time(ms)": 1, "Bandwidth(GB/s)": "fast"})_") == 10);
  const std::string sized = R"_("HCCS": {"Transit Size(MB)": 1, "Transit Time(ms)": 1, "Size Distribution": )_";
  CHECK(links_of(sized + R"_({"1": [1]}})_") == 10);
  CHECK(links_of(sized + R"_({"1": 1, "2": [1, 1]}})_") == 11);
  CHECK(read_text(read_communication, "[]").losses() == Losses{"json.shape 1 @0"});
  CHECK(read_text(read_communication, R"_({"phase1": {}})_").losses() == Losses{"json.shape 1 @1"});
  CHECK(read_text(read_communication, R"_({"step1": 3})_").losses() == Losses{"json.shape 1 @1"});
  CHECK(read_text(read_communication, R"_({"step1": {"p2p": 3}})_").losses() == Losses{"json.shape 1 @11"});
  CHECK(read_text(read_communication, R"_({"step1": {"p2p": {"hcom_a@1": 3}}})_").losses().size() == 1);
}

TEST_CASE("communication: what does not parse ends the reading at its place") {
  const std::string good = operation("hcom_send__1@2", "1", kHccs);
  Tables tables = read_text(read_communication, file(good + ", \"hcom_x__2@2\": {\"a\" 1}, " + good, ""));
  CHECK(tables.rows(kOp) == 1);
  REQUIRE(tables.losses().size() == 1);
  CHECK(tables.losses()[0].starts_with("json.syntax 1 @"));
  for (const char* text :
       {"{", "}", "nothing", "{]", "{\"a\x01\": 1}", " ", "{\"step1\": {\"p2p\": {\"a\": {\"b\": \x01}}}}"}) {
    CHECK_FALSE(read_text(read_communication, text).losses().empty());
  }
  // Bytes that are no UTF-8 are replaced, and the rest is read.
  Tables repaired = read_text(read_communication, file(operation("hcom_\xFF__1@2", "1", ""), ""));
  CHECK(repaired.row(kOp, 0, {"name"}) == "hcom_\uFFFD__1");
  CHECK(repaired.losses() == Losses{"text.not_utf8 1"});
}

TEST_CASE("a cut JSON text is closed after its last whole object") {
  const auto closed = [](std::string text, int depth) {
    const auto cut = close_cut_json(text, depth);
    return (cut ? std::to_string(*cut) : "whole") + " " + text;
  };
  CHECK(closed(R"_({"a": {"b": {}}})_", 3) == R"_(whole {"a": {"b": {}}})_");
  CHECK(closed(R"_({"a": {"b": {}, "c": {"x")_", 3) == R"_(14 {"a": {"b": {}}})_");
  CHECK(closed(R"_({"a": {"b}{": {"y\"}": 1}, "c")_", 3) == R"_(25 {"a": {"b}{": {"y\"}": 1}}})_");
  CHECK(closed(R"_({"a": [{"b": {}}, )_", 3) == R"_(16 {"a": [{"b": {}}]})_");
  CHECK(closed(R"_({"a": )_", 3) == "0 ");
}

}  // namespace stepwise::ingest
