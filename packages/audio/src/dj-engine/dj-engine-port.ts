import type { DjEngineCommand, DjEngineEvent } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { HeadphoneOutput } from './headphone-output.ts';

/** Where the booth's sound is scheduled: in the browser an audio worklet, in tests the kernel itself. */
export interface DjEnginePort {
  /** Rate of the output in Hz. */
  readonly sampleRateHz: number;
  /** Where the headphones are heard; null where there is one output only. */
  readonly headphones: HeadphoneOutput | null;
  post(command: DjEngineCommand, transfer?: ArrayBuffer[]): void;
  /** Who hears the booth's news; one listener. */
  onEvent(heard: (news: DjEngineEvent) => void): void;
  /** The moment that is heard now, in seconds of the audio clock. */
  nowSeconds(): number;
  /** Wakes the audio output; browsers want this in answer to a press. */
  wake(): void;
  dispose(): void;
}
