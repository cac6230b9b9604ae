import { createRequire } from 'node:module';

type MusicTempo = new (samples: readonly number[]) => { tempo: number | string; beats: number[] };

/** Tempo and beats by music-tempo (BeatRoot), the peer of the beat tracker; samples at 44,100 Hz, mono. */
export function peerRhythm(mono: Float32Array): { bpm: number; beats: number[] } {
  const Peer = createRequire(import.meta.url)('music-tempo') as MusicTempo;
  try {
    const { tempo, beats } = new Peer(Array.from(mono));
    return { bpm: Number(tempo), beats };
  } catch {
    // It throws where it finds no tempo.
    return { bpm: 0, beats: [] };
  }
}
