// The public conformance suite against both faces of the server: HTTP as it is, stdio through a bridge.
// The program under test is stepwise-conformance: the same commands, and with them what the suite calls by name.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { startServer } from '../support/serve.mjs';
import { binary, environment, scratchDir } from '../support/stepwise.mjs';
import { startBridge } from './stdio_bridge.mjs';
import { allScenarios, faults, passed, required, runSuite } from './suite.mjs';

const program = join(dirname(binary), 'stepwise-conformance');
const SCORED = new Map([
  ['2025-11-25', 30],
  ['2026-07-28', 37],
]);

// Extensions that are not offered.
const isOfExtension = (scenario) => /^(tasks|sep-2640-skills)-/.test(scenario);
// On stdio it is the bridge that would be tested: it knows of no resumable streams and of no headers but the version's.
const isOfHttp = (scenario) =>
  /^(http-header-validation|http-custom-header-server-validation|server-sse-polling|server-session-lifecycle)$/.test(scenario);

async function startOnHttp() {
  const server = await startServer(['--root', scratchDir('root')], { program });
  return { url: server.url, stop: () => server.stop() };
}

async function startOnStdio() {
  const bridge = await startBridge(program, ['mcp', '--root', scratchDir('root')], environment());
  return { url: bridge.url, stop: () => bridge.close() };
}

for (const [face, start, isLeftOut] of [
  ['HTTP', startOnHttp, isOfExtension],
  ['stdio', startOnStdio, (scenario) => isOfExtension(scenario) || isOfHttp(scenario)],
]) {
  describe(`the conformance suite over ${face}`, () => {
    let server;
    before(async () => {
      server = await start();
    });
    after(() => server?.stop());

    function report(t, results, scenarios) {
      const wrong = faults(results, scenarios);
      t.diagnostic(`${face}: ${passed(results, scenarios).length} of ${scenarios.length} scenarios hold`);
      for (const line of wrong) t.diagnostic(line);
      return wrong;
    }

    for (const [revision, count] of SCORED) {
      test(`all that ${revision} requires holds`, async (t) => {
        const { scored, notScored } = required(revision);
        assert.equal(scored.length, count, 'the suite asks for another number of scenarios');
        const results = await runSuite(server.url, ['--requirements', revision]);
        const wrong = report(t, results, scored);
        const beside = report(t, results, notScored.filter((one) => !isLeftOut(one)));
        assert.deepEqual([...wrong, ...beside], []);
      });
    }

    test('every scenario holds at its newest revision', async (t) => {
      const scenarios = (await allScenarios()).filter((one) => !isLeftOut(one));
      assert.ok(scenarios.length > 40, `${scenarios}`);
      const results = await runSuite(server.url, ['--suite', 'all']);
      assert.deepEqual(report(t, results, scenarios), []);
      if (isLeftOut('server-sse-polling')) return;
      // This check only informs where no stream was closed: it must have seen one.
      const resumed = results.get('server-sse-polling').find(({ id }) => id === 'server-sse-disconnect-resume');
      assert.equal(resumed.status, 'SUCCESS');
    });
  });
}
