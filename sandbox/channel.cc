#include "sandbox/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sandbox/limits.h"

namespace stepwise::sandbox {
namespace {

constexpr size_t kReceiveBytes = 64u << 10;
constexpr size_t kMaxDescriptorsAtOnce = 4;  // the host sends one with a frame

/// False: the time is over.
bool wait_for(int fd, short events, std::chrono::milliseconds wait) {
  pollfd entry{fd, events, 0};
  return ::poll(&entry, 1, wait.count() < 0 ? -1 : static_cast<int>(wait.count())) > 0;
}

bool is_kind(uint16_t kind) {
  return (kind >= static_cast<uint16_t>(MessageKind::load) && kind <= static_cast<uint16_t>(MessageKind::noted)) ||
         (kind >= static_cast<uint16_t>(MessageKind::ready) && kind <= static_cast<uint16_t>(MessageKind::done));
}

}  // namespace

Channel::Channel(store::Descriptor socket, size_t max_message_bytes, Descriptors descriptors)
    : socket_(std::move(socket)), max_message_bytes_(max_message_bytes), takes_(descriptors) {}

bool Channel::send(const Message& message, const std::function<bool()>& give_up, int descriptor) {
  size_t sent = 0;
  do {
    const size_t piece = std::min<size_t>(message.payload.size() - sent, kMaxFrameBytes);
    const bool more = sent + piece < message.payload.size();
    const int passed = sent == 0 ? descriptor : -1;
    const auto flags = static_cast<uint16_t>((more ? kMoreFollows : 0) | (passed >= 0 ? kWithDescriptor : 0));
    const FrameHeader header{static_cast<uint32_t>(piece), static_cast<uint16_t>(message.kind), flags};
    if (!send_frame(header, message.payload.data() + sent, passed, give_up)) return false;
    sent += piece;
  } while (sent < message.payload.size());
  return true;
}

bool Channel::send_frame(const FrameHeader& header, const char* payload, int descriptor,
                         const std::function<bool()>& give_up) {
  size_t sent = 0;
  const size_t whole = sizeof header + header.payload_bytes;
  while (sent < whole) {
    const size_t of_payload = sent > sizeof header ? sent - sizeof header : 0;
    iovec parts[2] = {
        {const_cast<char*>(reinterpret_cast<const char*>(&header)) + std::min(sent, sizeof header),
         sizeof header - std::min(sent, sizeof header)},
        {const_cast<char*>(payload) + of_payload, header.payload_bytes - of_payload},
    };
    msghdr out{};
    out.msg_iov = parts;
    out.msg_iovlen = 2;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (descriptor >= 0 && sent == 0) {
      out.msg_control = control;
      out.msg_controllen = sizeof control;
      cmsghdr* passed = CMSG_FIRSTHDR(&out);
      passed->cmsg_level = SOL_SOCKET;
      passed->cmsg_type = SCM_RIGHTS;
      passed->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(passed), &descriptor, sizeof descriptor);
    }
    const ssize_t now = ::sendmsg(socket_.get(), &out, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now >= 0) {
      sent += static_cast<size_t>(now);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(socket_.get(), POLLOUT, kTick) && give_up()) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

Channel::Arrival Channel::receive(Message& out, std::chrono::milliseconds wait) {
  if (!violation_.empty()) return Arrival::violation;
  char piece[kReceiveBytes];
  for (;;) {
    if (const auto arrival = take_message(out)) return *arrival;
    if (!wait_for(socket_.get(), POLLIN, wait)) return Arrival::nothing;
    wait = std::chrono::milliseconds(0);  // whoever sends a byte at a time does not hold us

    iovec part{piece, sizeof piece};
    msghdr in{};
    in.msg_iov = &part;
    in.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptorsAtOnce * sizeof(int))];
    if (takes_ == Descriptors::take) {
      in.msg_control = control;
      in.msg_controllen = sizeof control;
    }
    const ssize_t got = ::recvmsg(socket_.get(), &in, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return Arrival::nothing;
    if (got <= 0) return Arrival::closed;
    buffer_.erase(0, std::exchange(taken_, 0));
    buffer_.append(piece, static_cast<size_t>(got));
    if (takes_ == Descriptors::drop) continue;
    for (cmsghdr* passed = CMSG_FIRSTHDR(&in); passed != nullptr; passed = CMSG_NXTHDR(&in, passed)) {
      if (passed->cmsg_level != SOL_SOCKET || passed->cmsg_type != SCM_RIGHTS) continue;
      for (size_t at = 0; CMSG_LEN(at) < passed->cmsg_len; at += sizeof(int)) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(passed) + at, sizeof fd);
        descriptors_.push(store::Descriptor(fd));
      }
    }
  }
}

std::optional<Channel::Arrival> Channel::take_message(Message& out) {
  while (buffer_.size() - taken_ >= sizeof(FrameHeader)) {
    FrameHeader header;
    std::memcpy(&header, buffer_.data() + taken_, sizeof header);
    if (!is_kind(header.kind) || header.flags > (kMoreFollows | kWithDescriptor)) {
      return violate("it sent something that is no message");
    }
    if (header.payload_bytes > kMaxFrameBytes) return violate("it sent a frame that is too large");
    if (header.payload_bytes == 0 && (header.flags & kMoreFollows) != 0) {
      return violate("it sent an empty part of a message");  // there could be parts without end
    }
    if (assembled_kind_.value_or(header.kind) != header.kind) return violate("it began a message inside another");
    if (assembled_.size() + header.payload_bytes > max_message_bytes_) return violate("it sent too large a message");
    if (buffer_.size() - taken_ - sizeof header < header.payload_bytes) return std::nullopt;

    assembled_.append(buffer_, taken_ + sizeof header, header.payload_bytes);
    assembled_kind_ = header.kind;
    taken_ += sizeof header + header.payload_bytes;
    if ((header.flags & kWithDescriptor) != 0 && !descriptors_.empty()) {
      assembled_descriptor_ = std::move(descriptors_.front());
      descriptors_.pop();
    }
    if ((header.flags & kMoreFollows) != 0) continue;
    out.kind = static_cast<MessageKind>(*std::exchange(assembled_kind_, std::nullopt));
    out.payload = std::exchange(assembled_, {});
    out.descriptor = std::exchange(assembled_descriptor_, {});
    return Arrival::message;
  }
  return std::nullopt;
}

Channel::Arrival Channel::violate(std::string what) {
  violation_ = std::move(what);
  return Arrival::violation;
}

}  // namespace stepwise::sandbox
