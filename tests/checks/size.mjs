// Files stay short enough to be read at one sitting.
export const title = 'no source file is longer than 800 lines';

const HARD = 800;
const SOFT = 400;
const SOURCE = /(\.(h|hpp|cc|c|mjs|ts|cmake|sh)|(^|\/)CMakeLists\.txt|^dev)$/;

function* longerThan(repo, limit) {
  for (const path of repo.paths) {
    if (!SOURCE.test(path)) continue;
    const lines = repo.lines(path).length;
    if (lines > limit) yield { path, lines };
  }
}

export function* violations(repo) {
  for (const { path, lines } of longerThan(repo, HARD)) yield `${path} has ${lines} lines`;
}

export function* warnings(repo) {
  for (const { path, lines } of longerThan(repo, SOFT)) yield `${path} has ${lines} lines; aim at ${SOFT}`;
}

export const planted = [
  {
    what: 'a file of 801 lines',
    files: { 'core/base/a.cc': 'int x;\n'.repeat(HARD + 1) },
    says: /801 lines/,
  },
];
