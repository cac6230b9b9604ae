import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { StoreApi } from 'zustand/vanilla';
import type { AnimationLoop } from '../../base/animation-loop.ts';
import type { DeckLinkStatus } from '../../client/decks/link-status.ts';
import type { ControlTable } from '../controls/control.ts';
import type { MicrophoneBoard } from '../microphone/microphone-board.ts';
import type { SamplerBoard } from '../sampler/sampler-board.ts';
import type { ControlTarget } from './control-target.ts';
import type { HeadphoneChoice } from './headphone-choice.ts';

/** One line of the debug log. */
export interface DebugLine {
  at: number;
  event: string;
  deck: DeckId | null;
  accepted: boolean;
  version: number;
  detail: string;
}

/** Relation of this window to the service and to the other windows of its session. */
export interface EngineStatus {
  /** State of the link with the service. */
  link: DeckLinkStatus;
  /** Whether the session was joined at least once. */
  hasJoined: boolean;
  /** Whether this window plays the audio of the session. */
  isSounding: boolean;
  /** Why this browser cannot play audio, with a remedy; empty if it can. */
  refusal: string;
}

/** The DJ engine of this page: decks, mixer and controls, with their drawing and their link to other windows. */
export interface DjEngine extends ControlTarget {
  readonly controls: ControlTable;
  readonly status: StoreApi<EngineStatus>;
  readonly animation: AnimationLoop;
  readonly headphones: HeadphoneChoice;
  readonly sampler: SamplerBoard;
  readonly microphone: MicrophoneBoard;
  /** Plays the audio of the session in this window instead of another one. */
  playHere(): void;
  /** Reports the lines of the debug log for as long as `scope` lives. */
  followDebugLog(scope: Scope, onLine: (line: DebugLine) => void): void;
}
