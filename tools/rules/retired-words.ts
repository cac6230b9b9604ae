import { parseSource, type SourceText, visit } from './source.ts';

/** A word that the project no longer uses, because a field or a peer has a better one. */
interface RetiredWord {
  /** Name in the table of counts. */
  readonly name: string;
  /**
   * Forms that count, in lower case. A form of several parts (`one seconds`) matches `oneSeconds` and `one-seconds`.
   */
  readonly forms: readonly string[];
  /** Replacement. */
  readonly instead: string;
  /**
   * `everywhere`, or `names` for words that plain English needs: these count only in identifiers, file names and code
   * between backticks.
   */
  readonly in: 'everywhere' | 'names';
  /** Correct uses, which do not count. Matched against the whole line. */
  readonly allowed?: RegExp;
  /** Files in which the word is correct. */
  readonly allowedIn?: RegExp;
}

/** Fields of the wire format, of stored JSON and of the specification that keep their spelling. */
const wireNames = /\b(sound_client|other_sound|oneSeconds)\b/g;

/** The retired words. `docs/glossary.md` and decision 0285 give the reasons. */
export const retiredWords: readonly RetiredWord[] = [
  { name: 'blow', forms: ['blow', 'blows'], in: 'everywhere', instead: 'onset, transient' },
  {
    name: 'stroke',
    forms: ['stroke', 'strokes', 'struck'],
    in: 'everywhere',
    instead: 'onset, transient',
    allowed:
      /stroke(Style|Rect|Text|-width|-line|-dash|Width|\()|\.stroke\b|\bstroke:|\bkey ?strokes?|\bstroke=/g,
  },
  {
    name: 'booth',
    forms: ['booth', 'booths'],
    in: 'everywhere',
    instead: 'DJ engine',
    allowed: /\bdj\.booth\b|\bbooth (output|monitor)s?\b/g,
  },
  {
    name: 'place',
    forms: ['place', 'places'],
    in: 'everywhere',
    instead: 'position, offset, pan, index, slot, route: the exact one',
    allowed:
      /\bin place\b|\b(take|takes|took|taken|taking) (its |the |their )?place\b|\b(decimal|first) places?\b|\bplace cues?\b|\bplace-(items|content|self)\b/gi,
  },
  {
    name: 'heard',
    forms: ['heard'],
    in: 'everywhere',
    instead: 'detected, estimated',
    // The example word of a vowel.
    allowedIn: /^packages\/dsp\/src\/synth\/voice\/phones\.ts$/,
  },
  { name: 'hear', forms: ['hear', 'hears', 'ears'], in: 'names', instead: 'detect, estimate' },
  {
    name: 'hand',
    forms: ['hand', 'hands'],
    in: 'everywhere',
    instead: 'manual (of a grid, a cue); controller, pointer',
    allowed: /\b(left|right|other)[- ]hand(ed)?\b|\bhand[-_ ](clap|drum)s?\b/gi,
  },
  { name: 'ones', forms: ['ones', 'one seconds'], in: 'names', instead: 'downbeats, downbeatSeconds' },
  { name: 'said', forms: ['said'], in: 'everywhere', instead: 'set by the user, stated' },
  { name: 'told', forms: ['told'], in: 'everywhere', instead: 'reported, notified, known' },
  { name: 'tell', forms: ['tell', 'tells'], in: 'names', instead: 'notify, report, onProgress' },
  { name: 'news', forms: ['news'], in: 'everywhere', instead: 'event, update' },
  {
    name: 'words',
    forms: ['words'],
    in: 'everywhere',
    instead: 'text, label, message, terms',
    allowed: /retired[- ]words?/gi,
    allowedIn: /^(packages\/server\/src\/features\/accounts\/common-|docs\/decisions\/0021-)/,
  },
  { name: 'wish', forms: ['wish', 'wishes', 'wished'], in: 'everywhere', instead: 'request, pending' },
  {
    name: 'picture',
    forms: ['picture', 'pictures'],
    in: 'everywhere',
    instead: 'chart, frame, cover art, image',
    allowedIn: /^packages\/server\/src\/features\/catalog\/tags\//,
    allowed: /METADATA_BLOCK_PICTURE|attached_pic|<picture\b|picture-in-picture/g,
  },
  {
    name: 'share',
    forms: ['share', 'shares'],
    in: 'names',
    instead: 'mask (of a bin)',
    allowed: /fair-?share|connection-shares|shares-of-the-connection/gi,
    allowedIn: /^(packages\/(?!dsp\/|separator\/)|e2e\/|tools\/)/,
  },
  {
    name: 'planes',
    forms: ['planes', 'plane lender'],
    in: 'everywhere',
    instead: 'spectrogram buffers, buffer pool',
  },
  { name: 'pace', forms: ['pace', 'paces'], in: 'everywhere', instead: 'rate' },
  {
    name: 'voice',
    forms: ['voice', 'voices'],
    in: 'everywhere',
    instead: 'source (of a deck), stem; voice only for singing and for the polyphony of a synthesiser',
    allowedIn: /^(packages\/(dsp|separator|contract)\/|bench\/|training\/|docs\/|README)/,
  },
  { name: 'desk', forms: ['desk', 'desks'], in: 'everywhere', instead: 'controller, command target' },
  {
    name: 'turn',
    forms: ['turn', 'turns'],
    in: 'names',
    instead: 'mutex, semaphore, acquire; continuous control',
    allowed: /\d+(\.\d+)?turn\b/g,
  },
  { name: 'presses', forms: ['presses'], in: 'names', instead: 'buttons' },
  { name: 'guests', forms: ['guest', 'guests'], in: 'everywhere', instead: 'waiting callers' },
  {
    name: 'first answers',
    forms: ['first answer', 'first answers'],
    in: 'names',
    instead: 'idempotent replies',
  },
  {
    name: 'aside',
    forms: ['aside'],
    in: 'everywhere',
    instead: 'staging, temporary file',
    allowed: /<\/?aside\b|^\s*aside\b|'aside'|\bset aside\b/g,
  },
  { name: 'doomed', forms: ['doomed'], in: 'everywhere', instead: 'pending deletion' },
  { name: 'farewell', forms: ['farewell', 'farewells'], in: 'everywhere', instead: 'grace period' },
  {
    name: 'reckon',
    forms: ['reckon', 'reckons', 'reckoned', 'reckoning'],
    in: 'everywhere',
    instead: 'predict, compute',
  },
  {
    name: 'room',
    forms: ['room', 'rooms'],
    in: 'everywhere',
    instead: 'module, package, feature; space (on a disk)',
    // A room with reverberation.
    allowedIn: /^(packages\/dsp\/src\/synth\/|bench\/analysis-accuracy\/invented\/|training\/)/,
  },
  {
    name: 'house',
    forms: ['house', 'houses'],
    in: 'everywhere',
    instead: 'package, module, project',
    allowed:
      /\bin-house\b|\b(deep|tech|acid|progressive)\s+house\b|\bhouse[- ](music|pop)\b|'(deep )?house'|\bgenre:house\b/gi,
  },
  {
    name: 'wall',
    forms: ['wall', 'walls'],
    in: 'everywhere',
    instead: 'dependency rule, boundary',
    allowed: /\bwall[- ](clock|time)\b/gi,
  },
  { name: 'stray', forms: ['stray', 'strays'], in: 'everywhere', instead: 'mismatched, unexpected' },
  {
    name: 'foreign',
    forms: ['foreign'],
    in: 'everywhere',
    instead: 'unsupported, other',
    allowed: /\bforeign[- _]?keys?\b/gi,
  },
  {
    name: 'sound',
    forms: ['sound', 'sounds'],
    in: 'names',
    instead: 'audio, recording',
    // The handler name of MP4 audio tracks, the title of a paper, the instrument files of General MIDI, and a call of FluidSynth.
    allowed: /\bSoundHandler\b|\bdrum-sounds\b|\b(looping_?)?sound[-_ ]?fonts?\b|\bsounds_off\b/gi,
  },
];

/** Counts by area and by name of the retired word; an absent entry is 0. */
export type WordCounts = Record<string, Record<string, number>>;

/** Position of a retired word. */
export interface RetiredUse {
  path: string;
  line: number;
  word: RetiredWord;
}

/** Matches lines that may contain a retired word, so that only these are parsed. */
const anyForm = new RegExp(
  [...new Set(retiredWords.flatMap(({ forms }) => forms.map((form) => form.split(' ')[0])))].join('|'),
  'i',
);

/** Returns the area of a file, the row of the table of counts. */
export function areaOf(path: string): string {
  const server = /^packages\/server\/src\/(platform|features)\//.exec(path)?.[1];
  if (server) return `packages/server/${server}`;
  const [top = '', second = ''] = path.split('/');
  if (top === 'packages') return `packages/${second}`;
  return path.includes('/') ? top : 'docs';
}

/** Returns every use of a retired word in a file: in its name, its code and its prose. */
export function findRetiredWords(file: SourceText): RetiredUse[] {
  const words = retiredWords.filter((word) => !word.allowedIn?.test(file.path));
  const uses = find(words, (file.path.split('/').pop() ?? '').replace(/\.[^.]+$/, ''), true).map(
    (word): RetiredUse => ({ path: file.path, line: 1, word }),
  );
  if (!anyForm.test(file.text)) return uses;
  const kindAt = kindsOf(file);
  let start = 0;
  file.text.split('\n').forEach((line, index) => {
    if (anyForm.test(line)) {
      for (const { text, kind } of splitLine(line, start, kindAt)) {
        for (const word of find(words, text, kind === 'code'))
          uses.push({ path: file.path, line: index + 1, word });
      }
    }
    start += line.length + 1;
  });
  return uses;
}

/** Counts uses by area and word, both sorted. */
export function countWords(uses: readonly RetiredUse[]): WordCounts {
  const counts: WordCounts = {};
  for (const area of [...new Set(uses.map(({ path }) => areaOf(path)))].sort()) counts[area] = {};
  const names = retiredWords.map(({ name }) => name).sort();
  for (const name of names) {
    for (const { path, word } of uses) {
      if (word.name !== name) continue;
      const row = counts[areaOf(path)] ?? {};
      row[name] = (row[name] ?? 0) + 1;
    }
  }
  return counts;
}

/** A count that differs from the committed table. */
export interface Difference {
  area: string;
  name: string;
  was: number;
  is: number;
}

/** Returns the counts of `now` that differ from those of `table`, by area and word. */
export function compareCounts(table: WordCounts, now: WordCounts): Difference[] {
  const areas = [...new Set([...Object.keys(table), ...Object.keys(now)])].sort();
  return areas.flatMap((area) => {
    const names = [...new Set([...Object.keys(table[area] ?? {}), ...Object.keys(now[area] ?? {})])].sort();
    return names.flatMap((name) => {
      const [was, is] = [table[area]?.[name] ?? 0, now[area]?.[name] ?? 0];
      return was === is ? [] : [{ area, name, was, is }];
    });
  });
}

/** Returns the sum of the counts of each word over all areas. */
export function totalsOf(counts: WordCounts): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const row of Object.values(counts)) {
    for (const [name, count] of Object.entries(row)) totals[name] = (totals[name] ?? 0) + count;
  }
  return totals;
}

/** Returns the retired words in a text; with `isName`, also those that count in names only. */
function find(words: readonly RetiredWord[], text: string, isName: boolean): RetiredWord[] {
  const plain = text.replace(wireNames, ' ');
  const parts = partsOf(plain);
  if (parts.length === 0) return [];
  return words.flatMap((word) => {
    const own = word.allowed ? partsOf(plain.replace(word.allowed, ' ')) : parts;
    return word.forms.flatMap((form) => {
      const [first, second] = form.split(' ');
      return own
        .filter(
          (part, index) =>
            part.text === first &&
            (second === undefined || own[index + 1]?.text === second) &&
            (isName || word.in === 'everywhere' || part.isCompound),
        )
        .map(() => word);
    });
  });
}

interface Part {
  text: string;
  /** Whether it is part of a compound identifier, such as `takeTurn`. */
  isCompound: boolean;
}

const run = /[A-Za-z][A-Za-z0-9_$]*(?:-[A-Za-z0-9_$]+)*/g;
const piece = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/**
 * Splits a text into the parts of its identifiers and words, in lower case: camelCase, kebab-case and snake_case are
 * split.
 */
function partsOf(text: string): Part[] {
  return (text.match(run) ?? []).flatMap((name) => {
    const pieces = name.match(piece) ?? [];
    return pieces.map((part) => ({ text: part.toLowerCase(), isCompound: pieces.length > 1 }));
  });
}

type Kind = 'code' | 'prose' | 'ignored';

/** Returns the kind of the text at an offset into the file; the offsets must ascend. */
type KindAt = (offset: number) => Kind;

/**
 * Returns a function that classifies the text of a file as prose (comments, strings), code, or ignored (import paths).
 */
function kindsOf(file: SourceText): KindAt {
  if (file.path.endsWith('.md')) return () => 'prose';
  if (!/\.(tsx?|mjs)$/.test(file.path)) return () => 'code';
  const { program, comments } = parseSource(file);
  const ranges: { start: number; end: number; kind: Kind }[] = comments.map(({ start, end }) => ({
    start,
    end,
    kind: 'prose',
  }));
  visit(program, (node, parent) => {
    const isPath = parent !== null && /^(Import|Export)/.test(parent.type) && node === parent.source;
    const isText =
      (node.type === 'Literal' && typeof node.value === 'string' && /\s/.test(node.value)) ||
      node.type === 'TemplateElement' ||
      node.type === 'JSXText';
    if (isPath || isText)
      ranges.push({ start: node.start, end: node.end, kind: isPath ? 'ignored' : 'prose' });
  });
  ranges.sort((a, b) => a.start - b.start);
  let at = 0;
  return (offset) => {
    while (at < ranges.length && (ranges[at]?.end ?? 0) <= offset) at += 1;
    const range = ranges[at];
    return range !== undefined && range.start <= offset ? range.kind : 'code';
  };
}

/** Splits a line into prose and code, without ignored parts; text between backticks in prose is code. */
function splitLine(line: string, start: number, kindAt: KindAt): { text: string; kind: Kind }[] {
  const pieces: { text: string; kind: Kind }[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const kind = kindAt(start + index);
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += line[index];
    else pieces.push({ text: line[index] ?? '', kind });
  }
  return pieces
    .filter(({ kind }) => kind !== 'ignored')
    .flatMap((part) =>
      part.kind === 'prose' && part.text.includes('`')
        ? part.text
            .split('`')
            .map((text, index) => ({ text, kind: index % 2 === 0 ? ('prose' as const) : ('code' as const) }))
        : [part],
    );
}
