import type { StemType } from '@stem-studio/contract/resources/stem';
import type { DeckTransport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type DeckGrid, noGrid } from './deck-files.ts';

/** A button that previews while held: CUE, or a hot cue by its slot. */
export type PreviewButton = 'cue' | number;

/** Playback that lasts while a button is held. */
export interface DeckPreview {
  button: PreviewButton;
  /** Where it began, and where the deck returns to on release. */
  position_ms: number;
}

/** State of a deck that belongs to this window alone: loading, and held buttons. */
export interface LocalDeck {
  /**
   * `ready` once the first two seconds could play; in a window that does not play the audio, once the grid is loaded.
   */
  status: 'empty' | 'loading' | 'ready' | 'failed';
  /** Message of the failure. */
  error: string;
  /** Loaded part of the song, 0 to 1. */
  loadedRatio: number;
  /** Whether the song is too long to be kept as a whole: it loads as it plays. */
  isStreaming: boolean;
  transport: DeckTransport;
  /** Whether playback waits for samples. */
  isBuffering: boolean;
  /** Sample rate of the song; 0 until it is known. */
  sampleRateHz: number;
  durationSeconds: number;
  /** Distance to the leader's beat in hundredths of a beat, −0.5 … 0.5, while it follows; else null. */
  phaseError: number | null;
  grid: DeckGrid;
  /** The preview in progress; null for none. */
  preview: DeckPreview | null;
  /** Whether a loop roll is held. */
  isRolling: boolean;
  /** Start of a loop that has no end yet. */
  loopInSeconds: number | null;
  /** The same of single stems. */
  stemLoopIns: Readonly<Partial<Record<StemType, number>>>;
  /**
   * Whether the deck has played to within {@link ENDING_SECONDS} of its end. True once per pass: loops, pauses and
   * small jumps belong to the pass; a jump back by more than {@link ENDING_AGAIN_SECONDS}, the end and another song
   * begin a new one.
   */
  isEnding: boolean;
}

/** Time before the end at which it is announced. */
export const ENDING_SECONDS = 30;
/**
 * A deck that moves back further than this from its end gets announced again: more than a small change of tempo causes.
 */
export const ENDING_AGAIN_SECONDS = 35;

/** A deck without a track. */
export const emptyLocalDeck: LocalDeck = {
  status: 'empty',
  error: '',
  loadedRatio: 0,
  isStreaming: false,
  transport: 'empty',
  isBuffering: false,
  sampleRateHz: 0,
  durationSeconds: 0,
  phaseError: null,
  grid: noGrid,
  preview: null,
  isRolling: false,
  loopInSeconds: null,
  stemLoopIns: {},
  isEnding: false,
};
