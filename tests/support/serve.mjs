// `serve` as a process: started on a port that is free, stopped by a signal.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { binary, environment } from './stepwise.mjs';

// {url of the address, stop()}; stop resolves to the exit code.
export async function startServer(args = [], { program = binary, env = {} } = {}) {
  const child = spawn(program, ['serve', '--http', '127.0.0.1:0', ...args], {
    env: environment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const said = [];
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      const port = line.match(/http:\/\/127\.0\.0\.1:(\d+)/)?.[1];
      if (port) resolve(`http://localhost:${port}`);
    });
    ended.then((code) => reject(new Error(`serve ended with ${code}: ${said.join('\n')}`)));
  });
  return {
    address,
    url: `${address}/mcp`,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
