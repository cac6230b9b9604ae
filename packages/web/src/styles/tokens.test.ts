import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const sourceFolder = fileURLToPath(new URL('..', import.meta.url));

/** Returns the text of the source files of the page whose name ends with `ending`, by path. */
function sourcesEnding(...endings: readonly string[]): Map<string, string> {
  const paths = endings.flatMap((ending) => globSync(`**/*${ending}`, { cwd: sourceFolder }));
  return new Map(paths.map((path) => [path, readFileSync(`${sourceFolder}/${path}`, 'utf8')]));
}

/** Returns the colour of a token as red, green and blue, 0 to 255. */
function colorOf(tokens: string, name: string): readonly number[] {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(tokens)?.[1];
  assert.ok(hex, `--${name} is a colour of six hexadecimal digits`);
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

/** Returns the relative luminance of a colour, 0 to 1. */
function luminanceOf(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * Returns the contrast ratio of two tokens, 1 to 21.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
function contrastOf(tokens: string, one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((name) => luminanceOf(colorOf(tokens, name)))
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

test('text meets WCAG AA on every fill that it is shown on', () => {
  const pairs: readonly (readonly [text: string, fills: readonly string[]])[] = [
    [
      'text',
      ['background', 'panel', 'raised', 'hover', 'selected', 'text-selection', 'toggle-fill', 'info-quiet'],
    ],
    ['muted', ['background', 'panel', 'raised', 'hover', 'selected']],
    ['link', ['background', 'panel', 'raised', 'selected']],
    ['info', ['background', 'panel', 'raised', 'info-quiet']],
    ['toggle', ['toggle-fill']],
    ['danger', ['background', 'panel', 'raised', 'danger-quiet']],
    ['on-danger', ['danger']],
    ['on-bright', ['primary', 'primary-hover', 'deck-a', 'deck-b', 'chart', 'info', 'success', 'warning']],
    ['deck-a', ['background', 'panel', 'raised', 'deck-a-quiet', 'selected']],
    ['deck-b', ['background', 'panel', 'raised', 'deck-b-quiet', 'selected']],
  ];
  for (const [text, fills] of pairs)
    for (const fill of fills) {
      const contrast = contrastOf(tokens, text, fill);
      assert.ok(contrast >= 4.5, `--${text} on --${fill} has a contrast of ${contrast.toFixed(2)}`);
    }
});

test('outlines, fields and bars have a contrast of 3 to what is beside them', () => {
  for (const shape of ['focus', 'line-strong', 'toggle', 'progress', 'slider', 'loop', 'deck-a', 'deck-b'])
    for (const fill of ['background', 'panel', 'raised']) {
      const contrast = contrastOf(tokens, shape, fill);
      assert.ok(contrast >= 3, `--${shape} beside --${fill} has a contrast of ${contrast.toFixed(2)}`);
    }
});

test('brand, selection, focus and deck A have four different colours', () => {
  const looks = ['brand', 'selected', 'focus', 'deck-a'].map((name) => colorOf(tokens, name).join(' '));
  assert.equal(new Set(looks).size, 4, looks.join(', '));
});

test('no token besides the deck has the colour of deck A', () => {
  const color = /--deck-a: ([^;]+);/.exec(tokens)?.[1] ?? '';
  const names = Array.from(tokens.matchAll(/--([\w-]+): ([^;]+);/g), ([, name, value]) => ({ name, value }));
  assert.deepEqual(
    names.filter(({ value }) => value === color).map(({ name }) => name),
    ['deck-a'],
  );
});

test('the colour of deck A stands only in rules about a deck', () => {
  const mismatched: string[] = [];
  for (const [path, css] of sourcesEnding('.module.css', 'base.css')) {
    const isOfDecks = path.startsWith('panels/decks/');
    for (const [, selector = '', body = ''] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g))
      if (body.includes('var(--deck-a') && !isOfDecks && !/data-(deck|slot)="a"/.test(selector))
        mismatched.push(`${path}: ${selector.trim()}`);
  }
  assert.deepEqual(mismatched, []);
});

test('every custom property that the page uses is defined', () => {
  const known = new Set<string>();
  const sheets = sourcesEnding('.css');
  for (const css of sheets.values())
    for (const [, name = ''] of css.matchAll(/(--[a-z][\w-]*)\s*:/g)) known.add(name);
  // Components set properties such as `--from` in their style attribute.
  for (const code of sourcesEnding('.ts', '.tsx').values())
    for (const [, name = ''] of code.matchAll(/['"`](--[a-z][\w-]*)['"`]/g)) known.add(name);
  const unknown: string[] = [];
  // Base UI defines the sizes and positions of its popups.
  for (const [path, css] of sheets)
    for (const [, name = '', fallback] of css.matchAll(/var\((--[\w-]+)(\s*,)?/g))
      if (!known.has(name) && !fallback && !/^--(anchor|available|popup|transform|active)-/.test(name))
        unknown.push(`${path}: ${name}`);
  assert.deepEqual(unknown, []);
});
