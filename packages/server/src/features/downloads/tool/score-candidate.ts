/** The track that is searched for. */
export interface WantedSong {
  readonly artist: string;
  readonly title: string;
  /** 0 when the catalog has no duration. */
  readonly durationMs: number;
}

/** A search result. */
export interface SearchResult {
  readonly title: string;
  readonly channel: string;
  /** Null where the search gives no duration. */
  readonly durationMs: number | null;
}

/** Largest difference in length, in ms, of a match that is taken without the user's choice. */
export const longestDifferenceMs = 10_000;
/** Smallest fraction of the title's terms that a match of the same song must contain. */
const leastTitleMatch = 0.5;

/** Terms for another version of the same song: they count against a match unless the wanted title contains them. */
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

/** Rating of a match. */
export interface CandidateScore {
  /** 0 to 1, higher is better. */
  readonly score: number;
  /** Difference to the song's length in ms, positive when longer; null where either length is unknown. */
  readonly differenceMs: number | null;
  /** Whether it may be taken automatically: the terms match, and no known length is more than 10 s off. */
  readonly isSafe: boolean;
}

/** Splits text into terms: letters and digits of any script, lower case, without accents. */
export function tokenize(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * Rates how well a search result matches a song. Length counts 0.45 (full within 2 s, zero from 10 s on, half where it
 * is unknown), the terms of title and artist 0.35, the channel 0.2 (the artist's own, or less for an official one).
 * Each word that names another version subtracts 0.25.
 */
export function scoreCandidate(wanted: WantedSong, found: SearchResult): CandidateScore {
  const differenceMs =
    found.durationMs === null || wanted.durationMs === 0 ? null : found.durationMs - wanted.durationMs;
  const off = Math.abs(differenceMs ?? 0);
  const length = differenceMs === null ? 0.5 : Math.max(0, 1 - Math.max(0, off - 2000) / 8000);

  const titleTokens = new Set(tokenize(found.title));
  const everywhere = new Set([...titleTokens, ...tokenize(found.channel)]);
  const titleMatch = matchedFraction(tokenize(wanted.title), titleTokens);
  const textMatch = 0.7 * titleMatch + 0.3 * matchedFraction(tokenize(wanted.artist), everywhere);

  const channelTokens = new Set(tokenize(found.channel));
  const isOwn =
    matchedFraction(tokenize(wanted.artist), channelTokens) === 1 && tokenize(wanted.artist).length > 0;
  const isOfficial = channelTokens.has('topic') || /vevo$|official/i.test(found.channel.trim());
  const channel = isOwn ? 1 : isOfficial ? 0.6 : 0;

  const asked = new Set([...tokenize(wanted.title), ...tokenize(wanted.artist)]);
  const others = otherVersions.filter((word) => titleTokens.has(word) && !asked.has(word)).length;
  const score = Math.min(1, Math.max(0, 0.45 * length + 0.35 * textMatch + 0.2 * channel - 0.25 * others));
  return { score, differenceMs, isSafe: titleMatch >= leastTitleMatch && off <= longestDifferenceMs };
}

function matchedFraction(wanted: readonly string[], found: ReadonlySet<string>): number {
  return wanted.length === 0 ? 1 : wanted.filter((word) => found.has(word)).length / wanted.length;
}
