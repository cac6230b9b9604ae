import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RecordedSong } from '../../base/recorded-songs.ts';

/** Selected lengths of a deck's loops and beat jumps, in beats. */
export interface DeckLengths {
  loopBeats: number;
  jumpBeats: number;
}

/** A recorded mix that the page holds until it is saved or discarded. */
export interface MixRecording {
  /** Number of the recording, from 1 since the page was opened. */
  readonly number: number;
  /** Object URL of the file. */
  readonly address: string;
  readonly bytes: number;
  readonly seconds: number;
  /** Whether the file was downloaded. */
  readonly isSaved: boolean;
  /** Name in this browser's storage; null if only the page holds it. */
  readonly storedId?: string | null;
  /** Songs of the mix. */
  readonly songs?: readonly RecordedSong[];
}

/** Sections of the settings of the decks. */
export const settingsSections = [
  'playback',
  'headphones',
  'metronome',
  'crossfader',
  'microphone',
  'debug',
] as const;
/** One of {@link settingsSections}. */
export type SettingsSection = (typeof settingsSections)[number];

/** State of the decks that belongs to this page alone. */
export interface DjState {
  lengths: Readonly<Record<DeckId, DeckLengths>>;
  /** Decks whose pads clear their hot cue when pressed, for touch screens without a Shift key. */
  isClearing: Readonly<Record<DeckId, boolean>>;
  /** Playing time across the waveforms, in seconds. */
  spanSeconds: number;
  /** Selected loop lengths of stems that have no loop yet, in beats; 4 by default. */
  stemLoopBeats: Readonly<Record<DeckId, Readonly<Partial<Record<StemType, number>>>>>;
  recording: 'off' | 'on' | 'saving';
  /** Number of mixes that were recorded since the page was opened. */
  recordingCount: number;
  /** Recordings, the newest last; saved ones are listed until the next recording starts. */
  recordings: readonly MixRecording[];
  /** Unsaved recording whose discarding waits for confirmation. */
  pendingDiscard: MixRecording | null;
  /** Why the last recording failed; empty if it did not. */
  recordingError: string;
  isListingKeys: boolean;
  /** Section at which the settings are open; null while they are closed. */
  openSettings: SettingsSection | null;
  isDebugging: boolean;
  /** Track whose loading waits for confirmation, because it would replace a playing one. */
  pendingLoad: { deck: DeckId; trackId: string } | null;
}

/** Zoom levels of the waveforms: playing time across them, in seconds. */
export const spans = [2, 3, 4, 6, 8, 12, 16, 24, 32, 64] as const;

/** Returns the state of a page that was just opened. */
export function createDjState(): StoreApi<DjState> {
  return createStore<DjState>(() => ({
    lengths: { a: { loopBeats: 4, jumpBeats: 4 }, b: { loopBeats: 4, jumpBeats: 4 } },
    stemLoopBeats: { a: {}, b: {} },
    isClearing: { a: false, b: false },
    spanSeconds: 8,
    recording: 'off',
    recordingCount: 0,
    recordings: [],
    pendingDiscard: null,
    recordingError: '',
    isListingKeys: false,
    openSettings: null,
    isDebugging: false,
    pendingLoad: null,
  }));
}

/** Returns the zoom level `notches` further out, or further in if negative. */
export function zoomedSpan(spanSeconds: number, notches: number): number {
  const at = spans.findIndex((span) => span >= spanSeconds);
  return spans[Math.min(spans.length - 1, Math.max(0, at + notches))] ?? spanSeconds;
}

/** Formats a length in beats: `1/8`, `4`, rounded to tenths from one beat on, `3.5`. */
export function lengthText(beats: number): string {
  if (beats >= 1) return String(Math.round(beats * 10) / 10);
  return `1/${Math.round(1 / beats)}`;
}
