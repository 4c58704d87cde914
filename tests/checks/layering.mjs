// Dependencies run downward only; plugins see nothing but the SDK (CONTRIBUTING.md, "Folders").
import { CXX } from './repo.mjs';

export const title = 'folders include only what lies below them';

// From the bottom up. Folders of one layer do not see each other.
const LAYERS = [
  ['plugins/sdk'],
  ['core/base'],
  ['core/store'],
  ['core/ingest/base'],
  ['core/ingest/csv'],
  ['core/ingest/exports'],
  ['core/ingest/graph'],
  ['core/ingest/timeline'],
  ['core/ingest/database'],
  ['core/ingest/cluster'],
  ['core/ingest/discovery'],
  ['core/ingest'],
  ['core/query'],
  ['core/advice'],
  ['core/report'],
  ['core/engine'],
  ['sandbox'],
  ['protocol/transport'],
  ['protocol/jsonrpc'],
  ['protocol/mcp', 'protocol/lsp', 'clients/example'],
  ['protocol/http'],
  ['clients/cli'],
];
const LEVEL = new Map(LAYERS.flatMap((folders, level) => folders.map((folder) => [folder, level])));

const folderOf = (path) => [...LEVEL.keys()].find((folder) => path.startsWith(`${folder}/`));
// Test-only files have `test` as a word of their name: splitter_test.cc, trace_test_files.h, test_provider.h.
const isTest = (path) => /(^|\/)([a-z0-9]+_)*test(_[a-z0-9]+)*\.(cc|h)$/.test(path);

export function* violations(repo) {
  for (const [path, text] of repo.matching(CXX)) {
    if (path.startsWith('tests/')) continue;
    for (const match of text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]/gm)) {
      const problem = objection(path, match[1] === '<', match[2]);
      if (problem) yield `${path} includes ${match[2]}: ${problem}`;
    }
  }
}

function objection(path, angled, included) {
  if (included.startsWith('tests/')) return isTest(path) ? null : 'only tests see tests/';
  const plugin = /^plugins\/(?!sdk\/)[^/]+\//.exec(path)?.[0];
  if (plugin) return objectionInPlugin(plugin, angled, included);
  const target = included.startsWith('stepwise/') ? 'plugins/sdk' : folderOf(included);
  const own = folderOf(path);
  if (own === undefined) return 'the including file lies in no folder of the layering';
  if (target === undefined || target === own) {
    return /^(core|protocol|plugins|clients|sandbox)\//.test(included) && target === undefined
      ? 'that folder is not part of the layering'
      : null;
  }
  // A test beside a part may go through the library's face, and share what others make files with.
  const library = (folder) => folder.split('/').slice(0, 2).join('/');
  if (isTest(path) && library(target) === library(own)) return null;
  return LEVEL.get(target) < LEVEL.get(own) ? null : `${target} is not below ${own}`;
}

function objectionInPlugin(plugin, angled, included) {
  if (included.startsWith('stepwise/')) return null;
  if (!angled && (included.startsWith(plugin) || !included.includes('/'))) return null;
  if (angled && /^[a-z_]+(\.h)?$/.test(included) && !/^(simdjson|sqlite3|zlib|xxhash)\.h$/.test(included)) return null;
  return 'plugins see only stepwise/* and the standard library';
}

export const planted = [
  {
    what: 'an include of a higher folder',
    files: { 'core/store/a.cc': '#include "core/ingest/discovery/layout.h"\n' },
    says: /core\/ingest\/discovery is not below core\/store/,
  },
  {
    what: 'an include of a higher folder of one library',
    files: { 'core/ingest/csv/a.cc': '#include "core/ingest/discovery/layout.h"\n' },
    says: /core\/ingest\/discovery is not below core\/ingest\/csv/,
  },
  {
    what: 'an include of a neighbour in the same layer',
    files: { 'protocol/mcp/a.cc': '#include "protocol/http/server.h"\n' },
    says: /protocol\/http is not below/,
  },
  {
    what: 'a plugin that reaches into the core',
    files: { 'plugins/overview/a.cc': '#include "core/base/error.h"\n' },
    says: /plugins see only/,
  },
  {
    what: 'a plugin that brings a library of its own',
    files: { 'plugins/overview/a.cc': '#include <nlohmann/json.hpp>\n' },
    says: /plugins see only/,
  },
  {
    what: 'a product file that includes a test header',
    files: { 'core/base/a.cc': '#include "tests/catch.h"\n' },
    says: /only tests/,
  },
  {
    what: 'a folder that nobody placed',
    files: { 'core/base/a.cc': '#include "core/newthing/x.h"\n' },
    says: /not part of the layering/,
  },
];
