import { globSync } from 'node:fs';
import type { SourceText, Violation } from './source.ts';

/** Source code files in any language, and files with the name of a licence. */
const patterns = [
  '**/*.{c,cc,cpp,cjs,css,cts,cu,go,glsl,h,hpp,html,inc,java,js,jsx,kt,m,mjs,mts,py,rs,s,sh,sql,swift,ts,tsx,wat,zig}',
  '**/{COPYING,COPYRIGHT,LICENCE,LICENSE,NOTICE,UNLICENSE}*',
];

/** Folders that git ignores, or that contain installed or built files. */
const skipped = /(^|\/)(\.git|\.runtime|node_modules|dist|data|tmp|results|__pycache__)$/;

/**
 * The project's own licence and its list of third-party works; folders of weights and fonts contain the licences of
 * theirs.
 */
const allowed = /^(LICENSE|NOTICE)$|(^|\/)(weights|fonts)\//;

const licenceFile = /(^|\/)(COPYING|COPYRIGHT|LICEN[CS]E|NOTICE|UNLICENSE)[^/]*$/;

const banners = [
  /copyright\s*(\(c\)|©|\d{4})/i,
  /©\s*\d{4}/,
  /\ball\s+rights\s+reserved\b/i,
  /SPDX-License[-]Identifier|@(license|licence|preserve)\b/i,
  /permission\s+is\s+hereby\s+granted/i,
  /redistribution\s+and\s+use\s+in\s+source/i,
  /(licensed|released|distributed)\s+under\s+(the\s+)?(terms\s+of\s+)?(the\s+)?(MIT|BSD|ISC|Apache|GNU|Mozilla|zlib|CC0)\b/i,
  /GNU\s+(lesser\s+|affero\s+)?general\s+public/i,
  /(dedicated|released|placed)\s+(to|in|into)\s+the\s+public\s+domain/i,
];

/** Returns the paths of all source and licence files of the repository under `root`, sorted. */
export function listSources(root: string): string[] {
  return globSync(patterns, { cwd: root, exclude: (path) => skipped.test(path.replaceAll('\\', '/')) })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/**
 * Reports source code of other projects: files with a copyright or licence banner, and licence files, outside the
 * folders of weights and fonts. Files of this project have no banner: the licence is in `LICENSE`.
 */
export function checkThirdPartyCode({ path, text }: SourceText): Violation[] {
  if (allowed.test(path)) return [];
  const rule = 'third-party-code';
  const message =
    'install the code of other projects as a package; only weights and fonts may be in the tree';
  if (licenceFile.test(path)) return [{ path, line: 1, rule, message }];
  // Banners may be wrapped over two lines.
  const plain = text.replace(/\n[ \t]*(\/\/|\*|#|--|;)*[ \t]*/g, (gap) => '\n'.padEnd(gap.length));
  return banners.flatMap((banner) => {
    const found = banner.exec(plain);
    if (!found) return [];
    const line = plain.slice(0, found.index).split('\n').length;
    return [{ path, line, rule, message: `${message} (found "${found[0].replace(/\s+/g, ' ')}")` }];
  });
}
