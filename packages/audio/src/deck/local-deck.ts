import type { StemType } from '@stem-studio/contract/resources/stem';
import type { DeckTransport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type DeckGrid, noGrid } from './deck-files.ts';

/** A button that previews while it is held: CUE, or a hot cue by its slot. */
export type PreviewButton = 'cue' | number;

/** What plays only while a button is held. */
export interface DeckPreview {
  button: PreviewButton;
  /** Where it began, and where the deck stands again when the button is let go. */
  position_ms: number;
}

/** What of a deck is this window's own: how its sound comes along, and what is held. */
export interface LocalDeck {
  /** `ready` from the moment its first two seconds could play; in a window that does not sound, once its grid is known. */
  status: 'empty' | 'loading' | 'ready' | 'failed';
  /** Why it failed, in message. */
  error: string;
  /** Part of the song that is here, 0 to 1. */
  loadedRatio: number;
  transport: DeckTransport;
  /** Wants to play and waits for samples. */
  isBuffering: boolean;
  /** Rate of the song; 0 until it is known. */
  sampleRateHz: number;
  durationSeconds: number;
  /** Distance to the leader's beat in hundredths of a beat, −0.5 … 0.5, while it follows; else null. */
  phaseError: number | null;
  grid: DeckGrid;
  /** A deck that stood plays for as long as a button is held. */
  preview: DeckPreview | null;
  /** A loop roll is held. */
  isRolling: boolean;
  /** Where a loop was loopIn that has no end yet. */
  loopInSeconds: number | null;
  /** The same of single stems. */
  stemLoopIns: Readonly<Partial<Record<StemType, number>>>;
  /**
   * Has come within {@link ENDING_SECONDS} of its end while it played on to it: once for each pass. A loop, a pause and a
   * small jump belong to the pass; to go back by more than {@link ENDING_AGAIN_SECONDS} from the end, to come to the end
   * or to load a song begins another one.
   */
  isEnding: boolean;
}

/** The end of a song is announced so long before it. */
export const ENDING_SECONDS = 30;
/** A deck that goes back to so many seconds before its end comes to it anew: further than by a touch of the tempo. */
export const ENDING_AGAIN_SECONDS = 35;

/** A deck without a track. */
export const emptyLocalDeck: LocalDeck = {
  status: 'empty',
  error: '',
  loadedRatio: 0,
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
