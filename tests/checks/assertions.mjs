// A test case that asserts nothing passes whatever the code does.
import { lineOf } from './repo.mjs';

export const title = 'every test case asserts something';

const KINDS = [
  {
    files: /_test\.cc$/,
    opens: /^[ \t]*(?:TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEMPLATE_TEST_CASE)\s*\(/gm,
    asserts: /\b(REQUIRE|CHECK|FAIL|STATIC_REQUIRE)\w*\s*\(|\b(check|require|expect)_\w+\s*(<[^;]*?>)?\(/,
  },
  {
    files: /\.test\.mjs$/,
    opens: /^[ \t]*(?:await )?(?:t\.)?(?:test|it)\(/gm,
    body: /=>\s*\{|function\s*\([^)]*\)\s*\{/g, // after the title and the options
    asserts: /\bassert\w*(\.\w+)?\(/,
  },
];

export function* violations(repo) {
  for (const { files, opens, body, asserts } of KINDS) {
    for (const [path, text] of repo.matching(files)) {
      for (const match of text.matchAll(opens)) {
        const tested = bodyAfter(text, startOfBody(text, match.index, body));
        if (!asserts.test(tested)) yield `${path}:${lineOf(text, match.index)} asserts nothing`;
      }
    }
  }
}

function startOfBody(text, from, pattern) {
  if (!pattern) return from;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? from;
}

// To the brace that closes the first one opened; strings and line comments are stepped over.
function bodyAfter(text, start) {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (c === '"' || c === "'" || c === '`') {
      i = endOfString(text, i);
    } else if (c === '/' && text[i + 1] === '/') {
      i = Math.max(i, text.indexOf('\n', i));
    } else if (c === '{') {
      depth++;
    } else if (c === '}' && --depth === 0) {
      return text.slice(start, i + 1);
    }
  }
  return text.slice(start);
}

function endOfString(text, i) {
  const quote = text[i];
  if (quote === '"' && text[i - 1] === 'R') {
    const delimiter = text.slice(i + 1, text.indexOf('(', i));
    return text.indexOf(`)${delimiter}"`, i) + delimiter.length + 1;
  }
  if (quote === "'" && /\d/.test(text[i - 1]) && /\d/.test(text[i + 1])) return i; // 10'000
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === '\\') j++;
    else if (text[j] === quote || (text[j] === '\n' && quote !== '`')) return j;
  }
  return text.length;
}

export const planted = [
  {
    what: 'a Catch test without an assertion, before one that has some',
    files: {
      'core/base/a_test.cc':
        'TEST_CASE("adds } numbers") {\n  int x = 1 + 1;\n  (void)x;\n}\nTEST_CASE("b") { REQUIRE(1 == 1); }\n',
    },
    says: /a_test\.cc:1 asserts nothing/,
  },
  {
    what: 'a node test without an assertion',
    files: {
      'tests/golden/a.test.mjs':
        "test('runs', { skip }, () => {\n  run(['tools']);\n});\ntest('b', { skip }, () => {\n  assert.ok(1);\n});\n",
    },
    says: /a\.test\.mjs:1 asserts nothing/,
  },
];
