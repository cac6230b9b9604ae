import type { MicrophoneState } from '../../../state/microphone/microphone-board.ts';

/** Returns the label of the microphone's switch, with the reason where it cannot be used. */
export function microphoneName(isHere: boolean, status: MicrophoneState['status'], trouble: string): string {
  if (!isHere) return 'Microphone: only in the window that plays audio';
  if (trouble !== '') return `Microphone: ${trouble}`;
  if (status === 'opening') return 'Microphone: allow it in the browser';
  return 'Microphone';
}

/** Formats a time in ms: `60 ms`, `1.2 s`. */
export function millisecondsText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
