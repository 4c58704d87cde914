// The repository means the same on every machine: no paths of one machine, no hosts of a package registry, and a lock
// file that leaves the choice of registry to the machine.
import { lineOf } from './repo.mjs';

export const title = 'nothing names a machine or a package registry';

const BINARY = /\.(png|jpg|gz|db|woff2?)$/;
const MACHINE_PATH = /(?<![\w.~}/])\/(root|home|work|Users)\/[\w.-]+/g;
const REGISTRY_HOST =
  /\b(?:[\w-]+\.)*(?:[\w-]*(?:registry|npmjs|npmmirror|pypi|pythonhosted|debian|ubuntu|crates)[\w-]*)\.(?:org|com|io|net|dev)\b/gi;

export function* violations(repo) {
  for (const path of repo.paths) {
    if (BINARY.test(path) || path === 'LICENSE') continue;
    const text = repo.text(path);
    for (const [pattern, what] of [
      [MACHINE_PATH, 'a path of one machine'],
      [REGISTRY_HOST, 'a host of a package registry'],
    ]) {
      for (const match of text.matchAll(pattern)) {
        yield `${path}:${lineOf(text, match.index)} names ${what}: ${match[0]}`;
      }
    }
    if (path.endsWith('package-lock.json')) yield* lockFile(path, JSON.parse(text));
  }
}

function* lockFile(path, lock) {
  for (const [name, entry] of Object.entries(lock.packages ?? {})) {
    if (name === '') continue;
    if (entry.resolved) yield `${path}: ${name} records where it was downloaded`;
    if (!entry.integrity) yield `${path}: ${name} has no integrity hash`;
  }
}

// Put together here, so that this file does not break its own rule.
const home = ['', 'home', 'someone', 'profile'].join('/');
const host = ['registry', 'example', 'org'].join('.');
const lock = (entry) => JSON.stringify({ packages: { '': {}, 'node_modules/a': entry } });

export const planted = [
  { what: 'a path in a home folder', files: { 'dev': `cd ${home}\n` }, says: /a path of one machine/ },
  {
    what: 'a registry host',
    files: { 'README.md': `get it from https://${host.replace('example', 'npmjs')}/x\n` },
    says: /a host of a package registry/,
  },
  {
    what: 'a lock file with download addresses',
    files: { 'clients/package-lock.json': lock({ resolved: 'https://example.test/a.tgz', integrity: 'sha512-x' }) },
    says: /records where it was downloaded/,
  },
  {
    what: 'a lock file without integrity',
    files: { 'clients/package-lock.json': lock({}) },
    says: /no integrity hash/,
  },
];
