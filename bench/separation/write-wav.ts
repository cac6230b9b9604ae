import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';

/** Encodes a minute of audio, repeated, as a 16-bit stereo file. */
export async function writeWav(minute: readonly Float32Array[], minutes: number): Promise<Buffer> {
  const encoder = createWavEncoder({
    sampleRate: 44_100,
    channels: 2,
    bitDepth: '16',
    expectedFrames: minutes * 60 * 44_100,
  });
  const parts: Uint8Array[] = [];
  for (let i = 0; i < minutes; i++) parts.push(await encoder.encode([...minute]));
  parts.push((await encoder.finish()).tail);
  return Buffer.concat(parts);
}
