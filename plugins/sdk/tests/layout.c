/* plugin.h as a C compiler sees it. The table is the binary interface: a line may be added at the end of a struct,
 * none may change. */
#include <stddef.h>

#include "stepwise/plugin.h"

#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)

AT(sw_str, ptr, 0);
AT(sw_str, len, 8);
SIZE(sw_str, 16);

AT(sw_column, size, 0);
AT(sw_column, type, 4);
AT(sw_column, unit, 8);
AT(sw_column, flags, 12);
AT(sw_column, name, 16);
AT(sw_column, rows, 32);
AT(sw_column, null_count, 40);
AT(sw_column, data, 48);
AT(sw_column, validity, 56);
AT(sw_column, dict_offsets, 64);
AT(sw_column, dict_bytes, 72);
AT(sw_column, dict_count, 80);
SIZE(sw_column, 88);

AT(sw_table, size, 0);
AT(sw_table, column_count, 4);
AT(sw_table, columns, 8);
AT(sw_table, column_stride, 16);
AT(sw_table, rows, 24);
AT(sw_table, source_file, 32);
SIZE(sw_table, 48);

AT(sw_host, size, 0);
AT(sw_host, abi_major, 4);
AT(sw_host, abi_minor, 6);
AT(sw_host, ctx, 8);
AT(sw_host, table, 16);
AT(sw_host, call, 24);
AT(sw_host, cancelled, 32);
AT(sw_host, progress, 40);
AT(sw_host, log, 48);
AT(sw_host, emit, 56);
AT(sw_host, fail, 64);
AT(sw_host, extension, 72);
SIZE(sw_host, 80);

AT(sw_tool, size, 0);
AT(sw_tool, flags, 4);
AT(sw_tool, name, 8);
AT(sw_tool, call, 24);
SIZE(sw_tool, 32);

AT(sw_plugin, size, 0);
AT(sw_plugin, abi_major, 4);
AT(sw_plugin, abi_minor, 6);
AT(sw_plugin, id, 8);
AT(sw_plugin, version, 24);
AT(sw_plugin, licence, 40);
AT(sw_plugin, binary_id, 56);
AT(sw_plugin, tool_count, 72);
AT(sw_plugin, tool_stride, 76);
AT(sw_plugin, tools, 80);
AT(sw_plugin, open, 88);
AT(sw_plugin, close, 96);
SIZE(sw_plugin, 104);
