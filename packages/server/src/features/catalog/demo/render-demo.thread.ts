import type { Patch } from '@stem-studio/dsp/format/audio-encoder';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { demoSongs, renderDemoSong } from '@stem-studio/dsp/synth/demo-songs';
import { mixOf } from '@stem-studio/dsp/synth/render-arrangement';
import { serveThread } from '../../../platform/process/thread-main.ts';

const sampleRate = 44_100;

/** Synthesises a demo song as FLAC: `stems → sum → FLAC`. Reports each piece with the completed fraction. */
await serveThread<{ slug: string }, { tail: Uint8Array; patches: Patch[] }>(async ({ slug }, report) => {
  const song = demoSongs.find((candidate) => candidate.slug === slug);
  if (!song) throw new Error(`there is no demo song "${slug}"`);
  const encoder = await createFlacEncoder({ sampleRate, channels: 2, bitDepth: 16 });
  try {
    const total = song.duration_seconds * sampleRate;
    let samples = 0;
    for (const stems of renderDemoSong(song)) {
      samples += stems.vocals[0]?.length ?? 0;
      report({ fraction: Math.min(1, samples / total), bytes: await encoder.encode(mixOf(stems)) });
    }
    return await encoder.finish();
  } finally {
    await encoder.close();
  }
});
