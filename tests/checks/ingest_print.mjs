// The ingest print, by which a cached segment is known to be made by these readers, is made from all of them: a header
// that it leaves out could change what a reader makes of a file, and old segments would be taken for new ones.
export const title = 'the ingest print holds every header of the readers';

const LIST = 'core/ingest/CMakeLists.txt';
const isTest = (path) => /[/_]test[_.]/.test(path);

export function* violations(repo) {
  const [[, list] = []] = [...repo.matching(/^core\/ingest\/CMakeLists\.txt$/)];
  if (list === undefined) return;
  const named = new Set(list.match(/[a-z0-9_/]+\.(cc|h)\b/g));
  for (const [path] of repo.matching(/^core\/ingest\/.*\.h$/)) {
    const own = path.slice('core/ingest/'.length);
    if (isTest(path) || named.has(own) || named.has(own.replace(/h$/, 'cc'))) continue;
    yield `${path} stands neither itself nor by its source in ${LIST}`;
  }
}

export const planted = [
  {
    what: 'a header that the print leaves out',
    files: { [LIST]: 'set(readers\n  csv/a.cc\n)\n', 'core/ingest/csv/a.h': '', 'core/ingest/csv/b.h': '' },
    says: /core\/ingest\/csv\/b\.h stands neither/,
  },
];
