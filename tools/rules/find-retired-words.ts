import { type RetiredWord, retiredWords, wireNames } from './retired-words.ts';
import { parseSource, type SourceText, type Violation, visit } from './source.ts';

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

/** Returns the rule that a use breaks, with the replacement of the word. */
export function violationOf({ path, line, word }: RetiredUse): Violation {
  return { path, line, rule: 'retired word', message: `write ${word.instead} (got ${word.name})` };
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
  /** Whether it is part of a compound identifier, such as `withPermit`. */
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
    // The range of a template element includes its delimiters, and a backtick would begin code.
    const margin = node.type === 'TemplateElement' ? 1 : 0;
    if (isPath || isText)
      ranges.push({ start: node.start + margin, end: node.end - margin, kind: isPath ? 'ignored' : 'prose' });
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
