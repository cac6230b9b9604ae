import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import type { StemMixerReport } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import type { MixerEngine } from '../player/stem-player.ts';

const RATE_HZ = 44_100;

/** A 16-bit stereo WAV file whose samples all have one value. */
export function wavOf(frames: number, value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + frames * 4);
  const view = new DataView(bytes.buffer);
  const text = (at: number, tag: string) => bytes.set(new TextEncoder().encode(tag), at);
  text(0, 'RIFF');
  view.setUint32(4, 36 + frames * 4, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, RATE_HZ, true);
  view.setUint32(28, RATE_HZ * 4, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, frames * 4, true);
  new Int16Array(bytes.buffer, 44).fill(value);
  return bytes;
}

/** A stem mixer in the thread of the test. */
export interface KernelEngine {
  readonly engine: MixerEngine;
  /** Renders frames of output, sends a report, and returns the last sample of the left channel. */
  readonly pump: (frames: number) => number;
  readonly isDisposed: () => boolean;
}

/** The mixer without an audio thread: `pump` renders and reports as the worklet would. */
export function kernelEngine(): KernelEngine {
  const mixer = new StemMixer(RATE_HZ);
  let reportListener: (report: StemMixerReport) => void = () => {};
  let scheduled = 0;
  let isDisposed = false;
  const engine: MixerEngine = {
    post: (command) => mixer.apply(command),
    onReport: (listener) => {
      reportListener = listener;
    },
    nowSeconds: () => scheduled / RATE_HZ,
    wake: () => {},
    dispose: () => {
      isDisposed = true;
    },
  };
  const pump = (frames: number) => {
    const left = new Float32Array(128);
    for (let at = 0; at < frames; at += 128) mixer.process(left, new Float32Array(128), 128);
    scheduled += frames;
    const { transport, position, commandId } = mixer;
    reportListener({
      transport,
      frame: position,
      rate: mixer.rate,
      commandId,
      group: mixer.group,
      timeSeconds: scheduled / RATE_HZ,
      stemPeaks: [...mixer.stemPeaks],
      outputPeak: mixer.outputPeak,
    });
    mixer.stemPeaks.fill(0);
    return left[127] ?? 0;
  };
  return { engine, pump, isDisposed: () => isDisposed };
}

/** Lets pending callbacks run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
}
