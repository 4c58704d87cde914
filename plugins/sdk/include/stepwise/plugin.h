/* The C interface between Stepwise and an analyzer plugin.
 *
 * Life of a plugin:
 *   1. The host reads plugin.json beside the library. No code runs.
 *   2. On the first call of one of its tools the library is loaded and sw_entry is called, once.      [any]
 *   3. open, if there is one, makes the instance. It is const from then on.                            [any]
 *   4. A tool's call runs, on many threads at once; the instance must be re-entrant.                   [call]
 *   5. close, if there is one, at the end of the process. Unloading is never promised.                 [any]
 *
 * Ownership: everything passed is borrowed until the call returns. What the plugin gives (emit, fail) is copied by
 * the host before it returns. Nothing is freed by the other side. No exception crosses.
 * Threads: [any] = any thread, at any time. [call] = only on the thread of the call that the sw_host belongs to.
 * Versions: the major must match; a minor only adds. Every struct begins with its size: a field exists if size
 * reaches past it. Fields are only added at the end.
 * The interface is 0.x: it may still change between minor releases.
 */
#ifndef STEPWISE_PLUGIN_H
#define STEPWISE_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SW_ABI_MAJOR 0
#define SW_ABI_MINOR 1

#define SW_EXPORT __attribute__((visibility("default")))

/* What functions return. */
enum {
  SW_OK = 0,
  SW_MISSING = 1,  /* no such table in this profile: a normal answer */
  SW_FAILED = 2,   /* fail was called, or the host refused */
  SW_CANCELLED = 3 /* stop and return; nothing more is expected */
};

/* Kinds for fail; the same numbers as Stepwise's ErrorKind. */
enum {
  SW_KIND_USAGE = 0,
  SW_KIND_NOT_FOUND = 1,
  SW_KIND_NOT_APPLICABLE = 2,
  SW_KIND_BAD_DATA = 3,
  SW_KIND_LIMIT = 4,
  SW_KIND_PLUGIN = 8
};

enum { SW_LOG_DEBUG = 0, SW_LOG_INFO = 1, SW_LOG_WARN = 2, SW_LOG_ERROR = 3 };

/* Column types and units: the same numbers as stepwise::table::Type and Unit. */
enum { SW_I64 = 0, SW_F64 = 1, SW_U8 = 2, SW_CODE = 3 };
enum { SW_UNIT_NONE = 0, SW_UNIT_NS = 1, SW_UNIT_BYTES = 2, SW_UNIT_COUNT = 3, SW_UNIT_RATIO = 4 };

/* UTF-8, not ended by a zero. The one struct without a size: frozen. */
typedef struct sw_str {
  const char* ptr;
  uint64_t len;
} sw_str;

typedef struct sw_column {
  uint32_t size, type, unit, flags; /* flags: 0 for now */
  sw_str name;
  uint64_t rows, null_count;
  const void* data;             /* rows values of the type: int64_t, double, uint8_t, or int32_t codes */
  const uint8_t* validity;      /* bit i (LSB first) set: row i has a value. NULL: no nulls */
  const uint32_t* dict_offsets; /* SW_CODE: dict_count + 1 offsets into dict_bytes. Codes are never compared */
  const char* dict_bytes;       /* across ranks or groups: each has a dictionary of its own */
  uint64_t dict_count;
} sw_column;

typedef struct sw_table {
  uint32_t size, column_count;
  const sw_column* columns; /* step by column_stride bytes, not by sizeof */
  uint32_t column_stride, reserved;
  uint64_t rows;
  sw_str source_file; /* relative to the profile: what src_pos points into */
} sw_table;

typedef struct sw_host {
  uint32_t size;
  uint16_t abi_major, abi_minor;
  void* ctx;
  /* [call] SW_OK or SW_MISSING. A rank that the call was not given is SW_MISSING. */
  int32_t (*table)(void* ctx, uint32_t rank, sw_str name, const sw_table** out);
  /* [call] Only tools that plugin.json lists in "calls". The result is borrowed until the next call of this. */
  int32_t (*call)(void* ctx, sw_str tool, sw_str args_json, sw_str* result_json);
  int32_t (*cancelled)(void* ctx);                                                    /* [any] cheap: one load */
  void (*progress)(void* ctx, uint64_t done, uint64_t total, sw_str phase);           /* [any] */
  void (*log)(void* ctx, int32_t level, sw_str text);                                 /* [any] */
  int32_t (*emit)(void* ctx, sw_str result_json);                                     /* [call] once */
  int32_t (*fail)(void* ctx, int32_t kind, sw_str code, sw_str message, sw_str hint); /* [call] */
  const void* (*extension)(void* ctx, sw_str id);                                     /* [any] NULL: not there */
} sw_host;

typedef struct sw_tool {
  uint32_t size, flags;
  sw_str name;
  /* args_json: a flat object, checked and with defaults filled in; "ranks" is the list resolved by the host. */
  int32_t (*call)(void* self, const sw_host* host, sw_str args_json);
} sw_tool;

typedef struct sw_plugin {
  uint32_t size;
  uint16_t abi_major, abi_minor;
  sw_str id, version, licence, binary_id; /* binary_id: as in plugin.json, which is written by the same build */
  uint32_t tool_count, tool_stride;
  const sw_tool* tools;
  int32_t (*open)(const sw_host* host, void** self); /* may be NULL; host has no tables here */
  void (*close)(void* self);                         /* may be NULL */
} sw_plugin;

/* The one symbol that a plugin exports. NULL = refuse this host. [any], runs once. */
typedef const sw_plugin* (*sw_entry_fn)(uint16_t host_major, uint16_t host_minor);
SW_EXPORT const sw_plugin* sw_entry(uint16_t host_major, uint16_t host_minor);

#ifdef __cplusplus
}
#endif

#endif /* STEPWISE_PLUGIN_H */
