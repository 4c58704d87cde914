// The clients of the two SDKs from npm under one set of words, so that one test holds for both and for every era.
import { createRequire } from 'node:module';

import { npmParts } from './newer_node.mjs';
import { environment } from './stepwise.mjs';
import { answerTo } from './mcp_wire.mjs';

const require = createRequire(`${npmParts}/package.json`);
const v1 = {
  ...require('@modelcontextprotocol/sdk/client/index.js'),
  ...require('@modelcontextprotocol/sdk/client/stdio.js'),
  ...require('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ...require('@modelcontextprotocol/sdk/types.js'),
};
const v2 = { ...require('@modelcontextprotocol/client'), ...require('@modelcontextprotocol/client/stdio') };

const clientInfo = { name: 'stepwise-tests', version: '0' };
const capabilities = { elicitation: {}, sampling: {}, roots: {} };

function madeV1() {
  const client = new v1.Client(clientInfo, { capabilities });
  for (const schema of [v1.ElicitRequestSchema, v1.CreateMessageRequestSchema, v1.ListRootsRequestSchema]) {
    client.setRequestHandler(schema, async (request) => answerTo(request));
  }
  return {
    client,
    callTool: (params, options) => client.callTool(params, undefined, options),
    onLog: (heard) => client.setNotificationHandler(v1.LoggingMessageNotificationSchema, heard),
    onToolsChanged: (heard) => client.setNotificationHandler(v1.ToolListChangedNotificationSchema, heard),
    version: () => undefined, // this SDK does not tell
  };
}

function madeV2(mode) {
  const client = new v2.Client(clientInfo, { capabilities, versionNegotiation: { mode } });
  for (const method of ['elicitation/create', 'sampling/createMessage', 'roots/list']) {
    client.setRequestHandler(method, async (request) => answerTo(request));
  }
  return {
    client,
    callTool: (params, options) => client.callTool(params, options),
    onLog: (heard) => client.setNotificationHandler('notifications/message', heard),
    onToolsChanged: (heard) => client.setNotificationHandler('notifications/tools/list_changed', heard),
    version: () => client.getNegotiatedProtocolVersion(),
  };
}

// name -> {isModern, connectStdio(program, args), connectHttp(url)}; each resolves to what is made above.
export const SDK_CLIENTS = new Map(
  [
    ['SDK 1', false, v1, madeV1],
    ['SDK 2, legacy', false, v2, () => madeV2('legacy')],
    ['SDK 2, auto', true, v2, () => madeV2('auto')],
    ['SDK 2, modern', true, v2, () => madeV2({ pin: '2026-07-28' })],
  ].map(([name, isModern, sdk, make]) => {
    const connected = async (transport) => {
      const made = make();
      await made.client.connect(transport);
      return made;
    };
    const connectStdio = (program, args) =>
      connected(
        new sdk.StdioClientTransport({ command: program, args: ['mcp', ...args], env: environment(), stderr: 'ignore' }),
      );
    const connectHttp = (url, requestInit) =>
      connected(new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return [name, { isModern, connectStdio, connectHttp }];
  }),
);
