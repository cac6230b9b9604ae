import { open } from 'node:fs/promises';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';

/**
 * Encodes blocks into a file. Writes a file because the formats patch their first bytes at the end. Closes the encoder
 * in every case.
 */
export async function writeAudioFile(
  encoder: AudioEncoder,
  blocks: AsyncIterable<Float32Array[]>,
  path: string,
): Promise<void> {
  const out = await open(path, 'w');
  try {
    for await (const block of blocks) {
      const bytes = await encoder.encode(block);
      if (bytes.length > 0) await out.writeFile(bytes);
    }
    const { tail, patches } = await encoder.finish();
    if (tail.length > 0) await out.writeFile(tail);
    for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
  } finally {
    await encoder.close();
    await out.close();
  }
}
