// Which host calls wait for the device, and which operators are a framework's own.
#pragma once

#include <string_view>

namespace stepwise::overview {

/// A call of the driver that waits until the device has done something (aclrtSynchronizeStreamWithTimeout,
/// cudaDeviceSynchronize, StreamSynchronize).
bool synchronizes(std::string_view driver_call);
/// The framework's operators that do: aten::item, aten::_local_scalar_dense.
bool reads_scalar(std::string_view host_op);
/// A task of the device that waits for another stream or card: EVENT_WAIT, DAVID_EVENT_WAIT, Notify_Wait.
bool waits_on_device(std::string_view device_task);
/// A registered operator (namespace::name) that is neither the framework's nor a library's that comes with it.
bool is_custom_operator(std::string_view host_op);

}  // namespace stepwise::overview
