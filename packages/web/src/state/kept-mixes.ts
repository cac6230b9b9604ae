import {
  createRow,
  type EqGains,
  FASTEST_PERCENT,
  MAX_EQ_DB,
  MAX_KEY_SEMITONES,
  MAX_VOLUME,
  MIN_EQ_DB,
  type PlayerRow,
  type PlayerState,
  SLOWEST_PERCENT,
} from '@stem-studio/audio/player/player-state';
import { stemTypes } from '@stem-studio/contract/resources/stem';
import { z } from 'zod';
import { parseStored, readStored, writeStored } from './browser-storage.ts';

const storageKey = 'stem-studio.mixes';
/** Most tracks with a kept mix; the tracks changed longest ago lose theirs. */
const MOST_TRACKS = 500;

/** Gain of an equaliser band in dB; null for a killed band, because JSON has no infinity. */
const bandDb = z.number().min(MIN_EQ_DB).max(MAX_EQ_DB).nullable();
const storedRow = z.object({
  type: z.enum([...stemTypes, 'mix']),
  volume: z.number().min(0).max(MAX_VOLUME),
  pan: z.number().min(-1).max(1),
  eq: z.object({ low: bandDb, mid: bandDb, high: bandDb }),
  is_muted: z.boolean(),
});
const storedMix = z.object({
  tempo: z.number().min(SLOWEST_PERCENT).max(FASTEST_PERCENT),
  key: z.int().min(-MAX_KEY_SEMITONES).max(MAX_KEY_SEMITONES),
  rows: z.array(storedRow).max(stemTypes.length + 1),
});
const stored = z.object({
  version: z.literal(1),
  /** Mixes by track, the track changed last at the end. */
  tracks: z.array(storedMix.extend({ id: z.string() })).max(MOST_TRACKS),
});

/** A row as it was left. Solo is not kept: it is a moment of listening. */
export type KeptRow = Omit<PlayerRow, 'isSoloed'>;

/** How the player of a track was left. */
export interface KeptMix {
  readonly tempoPercent: number;
  readonly keySemitones: number;
  readonly rows: readonly KeptRow[];
}

type Mixes = ReadonlyMap<string, KeptMix>;

const fromDb = (gainDb: number | null) => gainDb ?? Number.NEGATIVE_INFINITY;
const toDb = (gainDb: number) => (gainDb === Number.NEGATIVE_INFINITY ? null : gainDb);
const eachBand = <From, To>(eq: Record<keyof EqGains, From>, change: (gain: From) => To) => ({
  low: change(eq.low),
  mid: change(eq.mid),
  high: change(eq.high),
});

/** Parses stored mixes; empty for text of another format or version. */
export function parseMixes(text: string | null | undefined): Mixes {
  const tracks = parseStored(text, stored)?.tracks ?? [];
  return new Map(
    tracks.map(({ id, tempo, key, rows }) => [
      id,
      {
        tempoPercent: tempo,
        keySemitones: key,
        rows: rows.map(({ is_muted, eq, ...row }) => ({
          ...row,
          eq: eachBand(eq, fromDb),
          isMuted: is_muted,
        })),
      },
    ]),
  );
}

/** Returns mixes as text for {@link parseMixes}. */
export function mixesText(mixes: Mixes): string {
  const tracks = [...mixes].slice(-MOST_TRACKS).map(([id, { tempoPercent, keySemitones, rows }]) => ({
    id,
    tempo: tempoPercent,
    key: keySemitones,
    rows: rows.map(({ type, volume, pan, eq, isMuted }) => ({
      type,
      volume,
      pan,
      eq: eachBand(eq, toDb),
      is_muted: isMuted,
    })),
  }));
  return JSON.stringify({ version: 1, tracks } satisfies z.input<typeof stored>);
}

/** Whether a row plays as recorded. */
export function isNeutral({ type, volume, pan, eq, isMuted }: KeptRow): boolean {
  const neutral = createRow(type);
  const isFlat = eq.low === neutral.eq.low && eq.mid === neutral.eq.mid && eq.high === neutral.eq.high;
  return volume === neutral.volume && pan === neutral.pan && isFlat && !isMuted;
}

/**
 * Returns what is kept of a player's state: rows that differ from the recording, tempo and key. What the player cannot
 * change, and rows that it does not have, are kept as they were. Null if everything is as recorded.
 */
export function keptOf(before: KeptMix | null, state: PlayerState): KeptMix | null {
  const canStretch = state.stretchRefusal === '';
  const others = before?.rows.filter(({ type }) => state.rows.every((row) => row.type !== type)) ?? [];
  const shown = state.rows.map(({ isSoloed: _isSoloed, ...row }) => {
    const was = before?.rows.find(({ type }) => type === row.type);
    return state.stripRefusal === '' || !was ? row : { ...row, pan: was.pan, eq: was.eq };
  });
  const kept = {
    tempoPercent: canStretch ? state.tempoPercent : (before?.tempoPercent ?? 100),
    keySemitones: canStretch ? state.keySemitones : (before?.keySemitones ?? 0),
    rows: [...others, ...shown.filter((row) => !isNeutral(row))],
  };
  const isAsRecorded = kept.rows.length === 0 && kept.tempoPercent === 100 && kept.keySemitones === 0;
  return isAsRecorded ? null : kept;
}

/** Returns how the player of a track was left in this browser; null for as recorded. */
export function readMix(trackId: string): KeptMix | null {
  return parseMixes(readStored(storageKey)).get(trackId) ?? null;
}

/** Keeps how the player of a track is left; null for as recorded. */
export function writeMix(trackId: string, mix: KeptMix | null): void {
  const mixes = new Map(parseMixes(readStored(storageKey)));
  if (mix === null && !mixes.has(trackId)) return;
  mixes.delete(trackId);
  if (mix) mixes.set(trackId, mix);
  writeStored(storageKey, mixesText(mixes));
}
