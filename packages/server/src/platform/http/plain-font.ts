import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { webDistFolder } from './web-files.ts';

/**
 * Subsets of the typeface that the pages of the service use, with the characters that each contains.
 *
 * @see https://fontsource.org/fonts/inter
 */
const subsets: Readonly<Record<string, string>> = {
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
};

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns the `@font-face` rules of Inter with the addresses of the files that the built page contains, so that a browser
 * loads each file once for all pages. Empty if the page is not built: the system's typeface is used then.
 *
 * @param distFolder build folder of the web app
 */
export function fontFaces(distFolder = webDistFolder): string {
  const files = filesIn(join(distFolder, 'assets'));
  return Object.entries(subsets)
    .flatMap(([subset, range]) => {
      const file = files.find((name) =>
        new RegExp(`^inter-${subset}-wght-normal-[\\w-]+\\.woff2$`).test(name),
      );
      if (file === undefined) return [];
      return `@font-face {
  font-family: "Inter Variable";
  font-style: normal;
  font-display: swap;
  font-weight: 100 900;
  src: url("/assets/${file}") format("woff2-variations");
  unicode-range: ${range};
}`;
    })
    .join('\n');
}
