// Error and diagnostic codes are a promise to users: docs/errors.md lists exactly those that the code can give.
import { lineOf } from './repo.mjs';

export const title = 'docs/errors.md lists the error codes that the code gives, and no others';

const PAGE = 'docs/errors.md';
const CODE = '"([a-z_]+\\.[a-z_]+)"';
const GIVEN = [
  new RegExp(`ErrorKind::\\w+,\\s*${CODE}`, 'g'), // Error{ErrorKind::io, "ingest.open", ...}
  new RegExp(`\\w*(?:_error|refused|warn)\\(${CODE}`, 'g'), // io_error("ingest.open", ...), warn("...", ...)
  new RegExp(`${CODE},\\s*Severity::\\w+`, 'g'), // the table of diagnostics
  new RegExp(`\\bFault::\\w+,\\s*${CODE}`, 'g'), // a plugin's call.fail(Fault::usage, ...)
  new RegExp(`\\bSW_KIND_\\w+,\\s*\\w+\\(${CODE}`, 'g'), // the same in C
  new RegExp(`remarks\\.(?:add\\(|push_back\\(\\{)\\s*${CODE}`, 'g'), // what looking around a profile lost
  new RegExp(`warnings\\.push_back\\(\\{\\s*${CODE}`, 'g'), // a warning of the host
  new RegExp(`field\\("code",\\s*${CODE}`, 'g'), // a plugin's warning
];
const PRODUCT = /^(core|protocol|plugins|sandbox|clients\/(cli|example))\/(?!sdk\/template\/).*(?<!_test)\.(h|hpp|cc)$/;
const FAKES = /^test\./; // what the fixtures of unit tests answer

export function* violations(repo) {
  const given = new Map(); // code -> where it is given first
  for (const [path, text] of repo.matching(PRODUCT)) {
    for (const pattern of GIVEN) {
      for (const match of text.matchAll(pattern)) {
        if (!given.has(match[1]) && !FAKES.test(match[1])) given.set(match[1], `${path}:${lineOf(text, match.index)}`);
      }
    }
  }
  const page = repo.paths.includes(PAGE) ? repo.text(PAGE) : '';
  const listed = new Set([...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map((match) => match[1]));
  for (const [code, where] of [...given].sort()) {
    if (!listed.has(code)) yield `${where} gives ${code}, which ${PAGE} does not list`;
  }
  for (const code of [...listed].sort()) {
    if (!given.has(code)) yield `${PAGE} lists ${code}, which nothing gives`;
  }
}

export const planted = [
  {
    what: 'an error code without documentation',
    files: { 'core/base/a.cc': 'return Error{ErrorKind::limit,\n             "json.depth", "The JSON is deep."};\n' },
    says: /a\.cc:1 gives json\.depth/,
  },
  {
    what: 'a diagnostic without documentation',
    files: { 'core/ingest/d.cc': '{"csv.ragged_record", Severity::data_loss, "..."},\n' },
    says: /gives csv\.ragged_record/,
  },
  {
    what: 'a warning of the host without documentation',
    files: { 'core/engine/q.cc': 'result.warnings.push_back({"query.rank", "There is none."});\n' },
    says: /q\.cc:1 gives query\.rank/,
  },
  {
    what: 'a documented code that is gone',
    files: { 'docs/errors.md': '| `old.code` | io | ... |\n' },
    says: /lists old\.code, which nothing gives/,
  },
];
