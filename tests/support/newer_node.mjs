// The Node that the npm parts bring: the conformance suite and the inspector need 22.19, a bare Debian 12 has 18.
//   import { newerNode } ...        its path
//   node newer_node.mjs ARGS...     runs it with these arguments
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const npmParts = fileURLToPath(new URL('../../clients/node_modules', import.meta.url));

function find() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  const brought = `${npmParts}/node-linux-${process.arch}/bin/node`;
  if (!existsSync(brought)) throw new Error(`Node ${process.version} is too old and ${brought} is not there: ./dev test`);
  return brought;
}

export const newerNode = find();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const child = spawn(newerNode, process.argv.slice(2), { stdio: 'inherit' });
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
}
