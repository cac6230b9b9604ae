import type { DjEngineCommand, DjEngineEvent } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import type { HeadphoneOutput } from './headphone-output.ts';
import type { MicrophoneInput } from './microphone-input.ts';

/** Port to the DJ engine: an audio worklet in the browser, the engine itself in tests. */
export interface DjEnginePort {
  /** Sample rate of the output in Hz. */
  readonly sampleRateHz: number;
  /** Headphone output; null if there is only one output. */
  readonly headphones: HeadphoneOutput | null;
  /** Microphone input; null where there is none. */
  readonly microphone: MicrophoneInput | null;
  post(command: DjEngineCommand, transfer?: ArrayBuffer[]): void;
  /** Sets the listener for events; there is one. */
  onEvent(listener: (event: DjEngineEvent) => void): void;
  /** Audio-clock time that is audible now, in seconds. */
  nowSeconds(): number;
  /** Resumes the audio output; browsers require a press for it. */
  wake(): void;
  dispose(): void;
}
