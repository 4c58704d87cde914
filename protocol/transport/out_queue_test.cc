#include "protocol/transport/out_queue.h"

#include "tests/catch.h"

using namespace stepwise::transport;

TEST_CASE("messages leave the queue in order and stop counting") {
  OutQueue queue(100);
  queue.push("one", Delivery::required);
  queue.push("two", Delivery::droppable);
  CHECK(queue.bytes() == 6);
  CHECK(*queue.pop() == "one");
  CHECK(*queue.pop() == "two");
  CHECK_FALSE(queue.pop());
  CHECK(queue.bytes() == 0);
  CHECK(queue.dropped() == 0);
}

TEST_CASE("a droppable message that would pass the bound is not taken, one that reaches it is") {
  OutQueue queue(10);
  queue.push("123456", Delivery::required);
  queue.push("1234", Delivery::droppable);
  CHECK(queue.dropped() == 0);
  queue.push("x", Delivery::droppable);
  CHECK(queue.dropped() == 1);
  CHECK(queue.bytes() == 10);
}

TEST_CASE("a required message past the bound is taken, and the droppable ones make way for it") {
  OutQueue queue(10);
  queue.push("aaa", Delivery::droppable);
  queue.push("bbb", Delivery::required);
  queue.push("ccc", Delivery::droppable);
  queue.push("ddddd", Delivery::required);
  CHECK(queue.dropped() == 2);
  CHECK(queue.bytes() == 8);
  CHECK_FALSE(queue.full());
  queue.push("eeeee", Delivery::required);
  CHECK(queue.full());
  CHECK(*queue.pop() == "bbb");
  CHECK(*queue.pop() == "ddddd");
  CHECK(*queue.pop() == "eeeee");
}

TEST_CASE("the queue is full from its bound on") {
  OutQueue queue(4);
  queue.push("123", Delivery::required);
  CHECK_FALSE(queue.full());
  queue.push("4", Delivery::required);
  CHECK(queue.full());
  queue.clear();
  CHECK_FALSE(queue.full());
  CHECK_FALSE(queue.pop());
}
