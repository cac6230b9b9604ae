import { open } from 'node:fs/promises';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { openStereo, type StereoOptions, stemSampleRate } from './stereo-audio.ts';

/** Input of the upload-preparing process. Paths are absolute. */
export interface PrepareUploadRequest extends StereoOptions {
  readonly inputPath: string;
  readonly outputPath: string;
}

/** Result of preparing an upload. */
export interface PreparedUpload {
  readonly durationSeconds: number;
  /** Gain applied to the samples so that they fit into integers: 1 unless they exceeded full scale. */
  readonly gain: number;
}

/** Just below full scale, so that rounding does not reach it. */
const ceiling = 0.9999;

/**
 * Writes the file that is sent to the cloud service. It is the output of our own decoder, at 44.1 kHz in stereo, as
 * FLAC. The returned stems are then sample-aligned with the song, which is not the case for an MP3 decoded elsewhere.
 */
export async function prepareUpload(request: PrepareUploadRequest): Promise<PreparedUpload> {
  const first = await encode(request, 1);
  if (first.peak <= 1) return { durationSeconds: first.frames / stemSampleRate, gain: 1 };
  const gain = ceiling / first.peak;
  await encode(request, gain);
  return { durationSeconds: first.frames / stemSampleRate, gain };
}

/** Returns 24 bits only where the source has more than 16. */
function depthOf(info: AudioInfo): 16 | 24 {
  return (info.bits_per_sample ?? 16) > 16 ? 24 : 16;
}

async function encode(
  request: PrepareUploadRequest,
  gain: number,
): Promise<{ frames: number; peak: number }> {
  const { info, blocks } = await openStereo(request.inputPath, request);
  const encoder = await createFlacEncoder({
    sampleRate: stemSampleRate,
    channels: 2,
    bitDepth: depthOf(info),
  });
  const out = await open(request.outputPath, 'w');
  let frames = 0;
  let peak = 0;
  try {
    for await (const block of blocks) {
      frames += block[0].length;
      const scaled = block.map((samples) => samples.map((sample) => sample * gain));
      for (const samples of scaled) for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
      const bytes = await encoder.encode(scaled);
      if (bytes.length > 0) await out.writeFile(bytes);
    }
    const { tail, patches } = await encoder.finish();
    if (tail.length > 0) await out.writeFile(tail);
    for (const { bytes, offset } of patches) await out.write(bytes, 0, bytes.length, offset);
  } finally {
    await blocks.return();
    await encoder.close();
    await out.close();
  }
  return { frames, peak };
}
