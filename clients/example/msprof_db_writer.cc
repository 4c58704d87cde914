#include "clients/example/msprof_db_writer.h"

#include "clients/example/profiler_db.h"

namespace stepwise::example {

Result<int64_t> write_msprof_db(const std::filesystem::path& path, const InferExport& run) {
  SW_ASSIGN_OR_RETURN(SqliteFile db, SqliteFile::create(path));
  create_msprof_tables(db);
  insert_enums(db);
  insert_session(db, run.device, run.tally.first_ns, run.tally.last_ns);
  DbStrings strings(db, 0);
  const int64_t pid = run.process_id();
  int64_t global_task_id = 0;
  run_inference(run.facts, run.graph, run.device, [&](const InferIteration& iteration) {
    for (const InferCall& call : iteration.calls) {
      db.insert("CANN_API", {call.start_ns, call.end_ns, db_api_type(call.level), global_tid(pid, pid), call.connection,
                             strings.id(call.api)});
    }
    for (const InferKernel& one : iteration.kernels) {
      const GraphNode& node = run.graph.nodes[static_cast<size_t>(one.node)];
      const KernelSpec& spec = run.graph.kernels[static_cast<size_t>(node.kernel)];
      db.insert("TASK",
                {one.start_ns, one.end_ns, int64_t{run.device}, iteration.calls[kLaunch].connection, global_task_id,
                 pid, strings.id(db_task_type(spec.core)), kDbNone, int64_t{kInferStream}, one.task_id, kInferModelId});
      insert_compute_task(db, strings, spec, "static", 0, global_task_id++, one.start_ns, one.end_ns - one.start_ns);
    }
  });
  return db.close();
}

}  // namespace stepwise::example
