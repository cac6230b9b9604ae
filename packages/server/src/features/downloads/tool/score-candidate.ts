/** The song that is looked for. */
export interface WantedSong {
  readonly artist: string;
  readonly title: string;
  /** 0 when the catalog does not say. */
  readonly durationMs: number;
}

/** Something that a search found. */
export interface FoundSound {
  readonly title: string;
  readonly channel: string;
  /** Null where the search does not say. */
  readonly durationMs: number | null;
}

/** A match that differs by more is never taken without the user's word. */
export const longestDifferenceMs = 10_000;
/** Less than this share of the title's words is another song. */
const fewestTitleWords = 0.5;

/** Words for another recording of the same song: they count against a match unless they are asked for. */
const otherVersions = [
  'live',
  'cover',
  'karaoke',
  'instrumental',
  'remix',
  'nightcore',
  'slowed',
  'reverb',
  'sped',
  '8d',
  'reaction',
  'tutorial',
  'lesson',
  'acoustic',
  'demo',
  'mashup',
  'extended',
  'loop',
  'hour',
];

/** What a match is worth. */
export interface CandidateScore {
  /** 0 to 1, the better the higher. */
  readonly score: number;
  /** Longer (positive) or shorter than the song, in milliseconds; null where one of both is unknown. */
  readonly differenceMs: number | null;
  /** Whether it may be taken without asking: the words fit, and no known length is more than 10 s off. */
  readonly isSafe: boolean;
}

/** Letters and digits of any script, lower case, without accents, as words. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * How well something found fits a song: 0.45 by length (whole within 2 s, nothing from 10 s on, half where it is
 * unknown), 0.35 by the words of title and artist, 0.2 by the channel (the artist's own, or an official one), less 0.25
 * for each word that names another recording.
 */
export function scoreCandidate(wanted: WantedSong, found: FoundSound): CandidateScore {
  const differenceMs =
    found.durationMs === null || wanted.durationMs === 0 ? null : found.durationMs - wanted.durationMs;
  const off = Math.abs(differenceMs ?? 0);
  const length = differenceMs === null ? 0.5 : Math.max(0, 1 - Math.max(0, off - 2000) / 8000);

  const foundWords = new Set(wordsOf(found.title));
  const everywhere = new Set([...foundWords, ...wordsOf(found.channel)]);
  const titleShare = share(wordsOf(wanted.title), foundWords);
  const words = 0.7 * titleShare + 0.3 * share(wordsOf(wanted.artist), everywhere);

  const channelWords = new Set(wordsOf(found.channel));
  const isOwn = share(wordsOf(wanted.artist), channelWords) === 1 && wordsOf(wanted.artist).length > 0;
  const isOfficial = channelWords.has('topic') || /vevo$|official/i.test(found.channel.trim());
  const channel = isOwn ? 1 : isOfficial ? 0.6 : 0;

  const asked = new Set([...wordsOf(wanted.title), ...wordsOf(wanted.artist)]);
  const others = otherVersions.filter((word) => foundWords.has(word) && !asked.has(word)).length;
  const score = Math.min(1, Math.max(0, 0.45 * length + 0.35 * words + 0.2 * channel - 0.25 * others));
  return { score, differenceMs, isSafe: titleShare >= fewestTitleWords && off <= longestDifferenceMs };
}

function share(wanted: readonly string[], found: ReadonlySet<string>): number {
  return wanted.length === 0 ? 1 : wanted.filter((word) => found.has(word)).length / wanted.length;
}
