import { commonWords, walks } from './common-words.ts';

/** Highest worth, in words, at which a password still counts as common. */
const mostWords = 3;
/** Minimum length of a keyboard walk: `ert` inside a word must not count as typing along a row. */
const shortestWalk = 3;

const looksLikeLetter: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const words = new Set(commonWords);
const longestWord = Math.max(...commonWords.map((word) => word.length));
const lines = walks.flatMap((walk) => [walk, Array.from(walk).reverse().join('')]);

function plainLetters(text: string): string {
  return Array.from(text, (character) => looksLikeLetter[character] ?? character).join('');
}

/**
 * Returns the worth of `text` as one piece, in words; null for an unknown piece. A common word or a long number is
 * worth 1, a common addition (a year, a few marks, one character repeated, a keyboard walk) half.
 */
function worthOf(text: string, own: ReadonlySet<string>): number | null {
  if (/^\d{1,4}$/.test(text)) return 0.5;
  if (/^[^\p{L}\p{N}]{1,3}$/u.test(text)) return 0.5;
  if (text.length > 2 && /^(.)\1*$/u.test(text)) return 0.5;
  if (text.length >= shortestWalk && lines.some((line) => line.includes(text))) return 0.5;
  if (/^\d{5,8}$/.test(text)) return 1;
  if (text.length > longestWord && !own.has(text)) return null;
  const letters = plainLetters(text);
  return words.has(text) || words.has(letters) || own.has(text) || own.has(letters) ? 1 : null;
}

/**
 * Returns the lowest worth of `text` over all divisions into known pieces. Infinity if a part is not a known piece.
 */
function leastWorth(text: string, own: ReadonlySet<string>): number {
  const best = [0];
  for (let end = 1; end <= text.length; end += 1) {
    let least = Infinity;
    for (let start = 0; start < end; start += 1) {
      const before = best[start] ?? Infinity;
      if (before + 0.5 > Math.min(least, mostWords)) continue;
      const worth = worthOf(text.slice(start, end), own);
      if (worth !== null) least = Math.min(least, before + worth);
    }
    best.push(least);
  }
  return best[text.length] ?? Infinity;
}

/** Maximum length, in letters, of any single word that is common when combined with a year. */
const longestYearWord = 12;
const marks = '[^\\p{L}\\p{N}]{0,3}';
const year = '(19|20)\\d\\d';
const letters = `\\p{L}{1,${longestYearWord}}`;
const wordWithYear = new RegExp(
  `^${marks}(${letters}${marks}${year}|${year}${marks}${letters})${marks}$`,
  'u',
);

/** Returns the shortest unit that `text` repeats: `abcabc` gives `abc`. */
function unitOf(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

/**
 * Tells whether a password is among the most common ones, by rule rather than by list. It is if it has fewer than
 * five different characters, if it repeats a short unit, if it is worth no more than three common words, or if it is
 * any one word with a year. Words also count when spelt `p@ssw0rd` or taken from the user's email address; short
 * numbers, marks and keyboard walks count half a word. Anything longer is a passphrase.
 *
 * @param password as typed; letter case does not matter
 * @param email address of the user of the password
 * @see https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver (a blocklist instead of composition rules)
 * @see docs/decisions/0021-common-passwords-by-rule.md
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < 5) return true;
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const own = new Set(
    [email.toLowerCase(), local, domain, ...local.split(/[^a-z0-9]+/), ...domain.split('.')].filter(
      (part) => part.length > 2,
    ),
  );
  const unit = unitOf(text);
  if (unit.length <= 6 && unit.length < text.length) return true;
  return wordWithYear.test(unit) || leastWorth(unit, own) <= mostWords;
}
