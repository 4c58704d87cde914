// What keeps the build short (docs/contributing/building.md, "Compile rules"): expensive headers stay in few files.
// Read from what the compiler really opened (ninja's dependency files) and really emitted (the object files), so that
// an include by way of another header is found too.
import { CXX, lineOf } from './repo.mjs';

export const title = 'expensive libraries stay in the files that own them';

const WHERE = [
  { library: 'spdlog', header: /\/spdlog\//, only: /^core\/base\/log\.cc$/ },
  // The bench's baseline is that library's own speed.
  { library: 'simdjson', header: /\/simdjson\.h$/, atMost: 3, beside: /^tests\/bench\// },
  { library: 'Boost.Asio', header: /\/boost\/asio\//, atMost: 2 },
  { library: 'cpp-httplib', header: /\/httplib\.h$/, atMost: 3 },
];

// Instantiated by parse() and by dump(), operator<<, to_string: parts of nlohmann_json that take seconds to compile.
const JSON_COSTS = ['6detail6parserI', '6detail10serializerI'];
const JSON_OWNERS = /^(core\/base\/json\.cc|plugins\/sdk\/[^/]+\.cc|plugins\/sdk\/src\/[^/]+\.cc)$/;

const ANALYZER = /^plugins\/(?!sdk\/)[^/]+\//;

export function* violations(repo) {
  yield* libraries(repo);
  yield* analyzers(repo);
  yield* json(repo);
  yield* catchMain(repo);
  yield* sdkHeaders(repo);
  yield* buildFiles(repo);
}

function* libraries(repo) {
  for (const { library, header, only, atMost, beside } of WHERE) {
    const users = Object.keys(repo.headers).filter(
      (source) => repo.headers[source].some((h) => header.test(h)) && !beside?.test(source),
    );
    if (only) {
      for (const source of users) if (!only.test(source)) yield `${source} draws in ${library}`;
    } else if (users.length > atMost) {
      yield `${library} is drawn in by ${users.length} files, at most ${atMost} may: ${users.join(', ')}`;
    }
  }
}

function* analyzers(repo) {
  for (const [source, headers] of Object.entries(repo.headers)) {
    if (!ANALYZER.test(source) || source.endsWith('_test.cc')) continue;
    for (const header of headers) {
      if (/\/nlohmann\/|^core\/|^protocol\//.test(header)) yield `${source} draws in ${header}`;
    }
  }
}

function* json(repo) {
  for (const [source, bytes] of Object.entries(repo.objects)) {
    if (!JSON_OWNERS.test(source) && JSON_COSTS.some((symbol) => bytes.includes(symbol))) {
      yield `${source} compiles nlohmann_json's parser or serializer: use core/base/json.h`;
    }
  }
}

function* catchMain(repo) {
  const mains = [...repo.matching(/\.cc$/)].filter(([, text]) => /^#define CATCH_CONFIG_(MAIN|RUNNER)/m.test(text));
  if (mains.length > 1) yield `Catch's main is compiled more than once: ${mains.map(([path]) => path).join(', ')}`;
}

function* sdkHeaders(repo) {
  for (const [path, text] of repo.matching(/^plugins\/sdk\/include\//)) {
    if (CXX.test(path) && /#\s*include\s*<nlohmann\//.test(text)) yield `${path} includes nlohmann_json`;
  }
}

function* buildFiles(repo) {
  for (const [path, text] of repo.matching(/(CMakeLists\.txt|\.cmake)$/)) {
    for (const match of text.matchAll(/\b(GLOB(_RECURSE)?|FetchContent\w*|ExternalProject\w*|DOWNLOAD)\b/g)) {
      yield `${path}:${lineOf(text, match.index)} uses ${match[1]}: files are listed, nothing is downloaded`;
    }
  }
}

export const planted = [
  {
    what: 'spdlog drawn in by another file',
    headers: { 'core/base/json.cc': ['/usr/include/spdlog/spdlog.h'] },
    says: /json\.cc draws in spdlog/,
  },
  {
    what: 'a fourth file with simdjson',
    headers: Object.fromEntries(['a', 'b', 'c', 'd'].map((n) => [`core/${n}.cc`, ['/usr/include/simdjson.h']])),
    says: /simdjson is drawn in by 4 files/,
  },
  {
    what: 'a third file with Asio',
    headers: Object.fromEntries(['a', 'b', 'c'].map((n) => [`core/${n}.cc`, ['/usr/include/boost/asio/post.hpp']])),
    says: /Boost\.Asio is drawn in by 3 files/,
  },
  {
    what: 'an analyzer that gets JSON headers by way of another header',
    headers: { 'plugins/overview/plugin.cc': ['/usr/include/nlohmann/json.hpp'] },
    says: /overview\/plugin\.cc draws in/,
  },
  {
    what: 'a second file that compiles the JSON serializer',
    objects: { 'core/engine/render.cc': 'xx_ZN8nlohmann16json_abi_v3_11_26detail10serializerINS' },
    says: /render\.cc compiles/,
  },
  {
    what: "a second Catch main",
    files: { 'tests/a.cc': '#define CATCH_CONFIG_MAIN\n', 'tests/b.cc': '#define CATCH_CONFIG_RUNNER\n' },
    says: /more than once/,
  },
  {
    what: 'an SDK header with JSON',
    files: { 'plugins/sdk/include/stepwise/a.hpp': '#include <nlohmann/json.hpp>\n' },
    says: /includes nlohmann_json/,
  },
  {
    what: 'a globbing CMakeLists.txt',
    files: { 'core/CMakeLists.txt': 'file(GLOB sources *.cc)\n' },
    says: /uses GLOB/,
  },
];
