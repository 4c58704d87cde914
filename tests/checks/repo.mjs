// What a check looks at: the files of the repository by path, and which headers each compiled source drew in.
// From disk for the real thing, from a literal for the violations that a check must find.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

// What .gitignore names, and git's own folder: some anywhere, some at the root only (core/report is source).
const IGNORED = /^(build(-.*)?|node_modules|\.git)$/;
const IGNORED_AT_ROOT = /^(out|report)$/;

function* walk(root, dir = '') {
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
    const path = dir ? `${dir}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (!IGNORED.test(entry.name) && !IGNORED_AT_ROOT.test(path)) yield* walk(root, path);
    } else if (entry.isFile() && entry.name !== '.git') { // a worktree has a file of that name
      yield path;
    }
  }
}

export class Repo {
  #text;

  // headers: {source path: [header paths]}; paths inside the repository are relative to its root.
  // objects: {source path: bytes of its object file, as a Buffer or string}
  constructor(paths, text, headers = {}, objects = {}) {
    this.paths = [...paths].sort();
    this.headers = headers;
    this.objects = objects;
    this.#text = text;
  }

  static literal({ files = {}, headers, objects }) {
    return new Repo(Object.keys(files), (path) => files[path], headers, objects);
  }

  static fromDisk(root, buildDir) {
    const { headers, objects } = buildDir ? readNinjaDeps(root, buildDir) : {};
    return new Repo(walk(root), (path) => readFileSync(join(root, path), 'utf8'), headers, objects);
  }

  text(path) {
    return this.#text(path);
  }

  lines(path) {
    const text = this.text(path);
    return text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
  }

  // [path, text] of the files whose path matches.
  *matching(pattern) {
    for (const path of this.paths) if (pattern.test(path)) yield [path, this.text(path)];
  }
}

export const CXX = /\.(h|hpp|cc|c)$/;

// The line (from 1) in which a match stands.
export function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}

// `ninja -t deps` prints an output, then its inputs indented; the first input is the source itself.
function readNinjaDeps(root, buildDir) {
  const headers = {};
  const objects = {};
  const inRepo = (path) => {
    const inside = relative(root, resolve(buildDir, path));
    return inside.startsWith('..') ? path : inside;
  };
  const printed = execFileSync('ninja', ['-C', buildDir, '--quiet', '-t', 'deps'], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  for (const block of printed.split('\n\n')) {
    const [head, ...inputs] = block.split('\n');
    if (inputs.length === 0 || !/\(VALID\)$/.test(head)) continue;
    const [source, ...rest] = inputs.map((line) => inRepo(line.trim()));
    if (!/\.(cc|c)$/.test(source) || !existsSync(join(root, source))) continue;
    headers[source] = rest;
    objects[source] = readFileSync(join(buildDir, head.slice(0, head.indexOf(':'))));
  }
  return { headers, objects };
}
