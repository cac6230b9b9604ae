import { createQuantizer } from '@stem-studio/dsp/format/quantizer';
import { SAMPLE_BYTES } from './recording-directory.ts';

/** Returns a function that encodes consecutive samples of a recording in 24 bits, little-endian, as in a WAV file. */
export function createRecordingEncoder(): (samples: Float32Array) => Uint8Array<ArrayBuffer> {
  const quantize = createQuantizer(24);
  return (samples) => {
    const bytes = new Uint8Array(samples.length * SAMPLE_BYTES);
    let at = 0;
    for (const sample of samples) {
      const value = quantize(sample);
      bytes[at] = value;
      bytes[at + 1] = value >> 8;
      bytes[at + 2] = value >> 16;
      at += SAMPLE_BYTES;
    }
    return bytes;
  };
}
