import type { DeckId } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Lengths that a deck's loop and jump buttons are set to, in beats. */
export interface DeckLengths {
  loopBeats: number;
  jumpBeats: number;
}

/** A recorded mix that the page keeps until it was saved, or thrown away on purpose. */
export interface MixRecording {
  /** Counted from 1 since the page was opened. */
  readonly number: number;
  /** Where the browser has the file. */
  readonly address: string;
  readonly bytes: number;
  readonly seconds: number;
  /** Whether it was taken to the disk. */
  readonly isTaken: boolean;
}

/** What the page itself remembers of the decks: no other window shows it. */
export interface DjState {
  lengths: Readonly<Record<DeckId, DeckLengths>>;
  /** The decks whose pads are emptied by a press, for hands without a Shift key. */
  isClearing: Readonly<Record<DeckId, boolean>>;
  /** Seconds of sound from the left edge of the waveforms to the right one. */
  spanSeconds: number;
  /** Lengths that single stems will be looped at, in beats, until they have a loop; 4 where none was chosen. */
  stemLoopBeats: Readonly<Record<DeckId, Readonly<Partial<Record<StemType, number>>>>>;
  recording: 'off' | 'on' | 'saving';
  /** How many mixes were recorded since the page was opened. */
  recorded: number;
  /** What was recorded, the newest last; what was taken to the disk stays until the next one begins. */
  kept: readonly MixRecording[];
  /** The recording that is to be thrown away though it is not on the disk: it is asked whether that is meant. */
  discardQuestion: MixRecording | null;
  /** Why the last recording is not there; empty where it is. */
  recordingError: string;
  isListingKeys: boolean;
  isDebugging: boolean;
  /** A track that would end one that plays: it is asked whether that is meant. */
  loadQuestion: { deck: DeckId; trackId: string } | null;
}

/** Seconds that the width of the waveforms can stand for. */
export const spans = [2, 3, 4, 6, 8, 12, 16, 24, 32, 64] as const;

/** What the page remembers of the decks when it is opened. */
export function createDjState(): StoreApi<DjState> {
  return createStore<DjState>(() => ({
    lengths: { a: { loopBeats: 4, jumpBeats: 4 }, b: { loopBeats: 4, jumpBeats: 4 } },
    stemLoopBeats: { a: {}, b: {} },
    isClearing: { a: false, b: false },
    spanSeconds: 8,
    recording: 'off',
    recorded: 0,
    kept: [],
    discardQuestion: null,
    recordingError: '',
    isListingKeys: false,
    isDebugging: false,
    loadQuestion: null,
  }));
}

/** The span `notches` further out, or in where negative. */
export function zoomedSpan(spanSeconds: number, notches: number): number {
  const at = spans.findIndex((span) => span >= spanSeconds);
  return spans[Math.min(spans.length - 1, Math.max(0, at + notches))] ?? spanSeconds;
}

/** A length as it stands on a button: `1/8`, `4`; one that is no whole part of a beat is rounded, `3.5`. */
export function lengthText(beats: number): string {
  if (beats >= 1) return String(Math.round(beats * 10) / 10);
  return `1/${Math.round(1 / beats)}`;
}
