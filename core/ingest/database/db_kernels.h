// The tables kernel, step, op_stat and api_stat of a profiler's database.
#pragma once

#include <string>

#include "core/ingest/database/db_steps.h"
#include "core/ingest/timeline/kernel_rows.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// Kernels and collectives, as kernel_details.csv lists them: by start, with the gap to the row before.
void fill_kernels(Database& database, const DbStrings& strings, const DbApiTypes& types, const DbDevice& device,
                  const DbSteps& steps, const std::string& file, IngestContext& context, store::SegmentBuilder& out);

/// The same rows, as far as a timeline needs them to find their launches.
KernelRows list_kernels(const DbStrings& strings, const DbDevice& device);

/// What each step's time went into, as step_trace_time.csv has it; of a run without steps, the whole run's.
void fill_steps(const DbStrings& strings, const DbDevice& device, const DbSteps& steps, const std::string& file,
                store::SegmentBuilder& out);

/// Kernels summed by type and core, as op_statistic.csv has them: the largest sum first, without collectives.
void fill_op_stat(const DbStrings& strings, const DbDevice& device, const std::string& file,
                  store::SegmentBuilder& out);

/// Calls of the driver stack summed by layer and name, as api_statistic.csv has them.
void fill_api_stat(Database& database, const DbStrings& strings, const DbApiTypes& types, const std::string& file,
                   IngestContext& context, store::SegmentBuilder& out);

}  // namespace stepwise::ingest
