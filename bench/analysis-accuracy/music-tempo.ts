import { createRequire } from 'node:module';

type MusicTempo = new (samples: readonly number[]) => { tempo: number | string; beats: number[] };

/** Returns tempo and beats by music-tempo (BeatRoot), the peer of the beat tracker. Samples are mono at 44,100 Hz. */
export function peerRhythm(mono: Float32Array): { bpm: number; beats: number[] } {
  const Peer = createRequire(import.meta.url)('music-tempo') as MusicTempo;
  try {
    const { tempo, beats } = new Peer(Array.from(mono));
    return { bpm: Number(tempo), beats };
  } catch {
    // It throws if it finds no tempo.
    return { bpm: 0, beats: [] };
  }
}
