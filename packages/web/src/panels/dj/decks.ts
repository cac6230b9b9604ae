import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId, DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { StoreApi } from 'zustand/vanilla';

/** What of a deck only this window knows. */
export interface LocalDeck {
  status: 'empty' | 'loading' | 'ready' | 'failed';
  /** Why it failed, what was kept and what to do; empty unless it failed. */
  error: string;
  /** How much of the sound has arrived, 0 to 1. */
  loadedRatio: number;
  durationSeconds: number;
  isBuffering: boolean;
  /** Distance to the beat of the deck that leads, in beats, −0.5 to 0.5; null where nothing is followed. */
  phaseError: number | null;
  /** Places in seconds of the song, ascending; empty where it has no beats. */
  grid: {
    readonly beats: readonly number[];
    readonly downbeats: readonly number[];
    readonly beatsPerBar: number;
  };
  /** A loop roll is held. */
  isRolling: boolean;
  /** Where a loop was begun that has no end yet. */
  loopInSeconds: number | null;
  /** Plays, and ends within half a minute. */
  isEnding: boolean;
}

/** What this window knows beside the session. */
export interface LocalDecks {
  a: LocalDeck;
  b: LocalDeck;
}

/** The two decks as the page works them. What is done acts at once. */
export interface Decks {
  readonly session: StoreApi<DeckSessionState>;
  readonly local: StoreApi<LocalDecks>;
  dispatch(message: DeckMessage): void;
  /** What is heard now, in seconds of the song. */
  positionSeconds(deck: DeckId): number;
  /** Highest sample lately, left and right. */
  levels(deck: DeckId): readonly [number, number];
  masterLevels(): readonly [number, number];
  togglePlay(deck: DeckId): void;
  pressCue(deck: DeckId): void;
  releaseCue(deck: DeckId): void;
  setCueHere(deck: DeckId): void;
  hotCue(deck: DeckId, slot: number): void;
  deleteHotCue(deck: DeckId, slot: number): void;
  loopIn(deck: DeckId): void;
  loopOut(deck: DeckId): void;
  /** The deck's loop, or that of one of its stems. */
  toggleLoop(deck: DeckId, stem?: StemType): void;
  beatLoop(deck: DeckId, beats: number, stem?: StemType): void;
  halveLoop(deck: DeckId): void;
  doubleLoop(deck: DeckId): void;
  moveLoop(deck: DeckId, beats: number): void;
  /** Keeps the loop as a hot cue, in the first slot that is empty. */
  saveLoop(deck: DeckId): void;
  rollStart(deck: DeckId, beats: number): void;
  rollEnd(deck: DeckId): void;
  beatJump(deck: DeckId, beats: number): void;
  toggleSlip(deck: DeckId): void;
  nudge(deck: DeckId, factor: number | null): void;
  scratch(deck: DeckId, rate: number | null): void;
  setTempo(deck: DeckId, percent: number): void;
  sync(deck: DeckId): void;
  /** Whether the mix is being recorded; that ends by itself where another window takes the sound. */
  readonly recording: Pick<StoreApi<{ isRecording: boolean; seconds: number }>, 'subscribe'>;
  /** Throws in words where this window does not sound. */
  startRecording(): void;
  stopRecording(): Promise<Blob>;
}
