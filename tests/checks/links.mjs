// Links between the pages of the documentation lead somewhere.
import { posix } from 'node:path';
import { lineOf } from './repo.mjs';

export const title = 'links in Markdown files lead to files of the repository';

export function* violations(repo) {
  const known = new Set(repo.paths);
  for (const path of repo.paths) {
    for (let dir = posix.dirname(path); dir !== '.'; dir = posix.dirname(dir)) known.add(dir);
  }
  for (const [path, text] of repo.matching(/\.md$/)) {
    for (const match of text.matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)) {
      const link = (match[1] ?? match[2]).replace(/#.*$/, '');
      if (link === '' || /^[a-z]+:/.test(link)) continue;
      const target = posix.normalize(posix.join(posix.dirname(path), link)).replace(/\/$/, '');
      if (!known.has(target)) yield `${path}:${lineOf(text, match.index)} links to ${link}, which is not there`;
    }
  }
}

export const planted = [
  { what: 'a broken link', files: { 'docs/a.md': 'see [b](guide/b.md)\n' }, says: /guide\/b\.md, which is not there/ },
];
