import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import type { BenchRow } from '../../bench.ts';
import { AccuracyScores, type GroundTruth } from '../accuracy-scores.ts';
import { findPeers, type Peer } from './find-peers.ts';

const SAMPLE_RATE = 44_100;

/** Writes mono audio as a WAV of 16 bits and 44,100 Hz. */
export async function writePeerWav(file: string, mono: Float32Array): Promise<void> {
  const encoder = createWavEncoder({
    sampleRate: SAMPLE_RATE,
    channels: 1,
    bitDepth: '16',
    expectedFrames: mono.length,
  });
  const head = await encoder.encode([mono]);
  const { tail } = await encoder.finish();
  await writeFile(file, Buffer.concat([head, tail]));
}

/** Scores of other programs for the same pieces, each in a separate process. */
export class PeerScores {
  readonly #peers: readonly { readonly peer: Peer; readonly scores: AccuracyScores }[];
  readonly #missing: readonly string[];

  private constructor(peers: readonly Peer[], missing: readonly string[]) {
    this.#peers = peers.map((peer) => ({ peer, scores: new AccuracyScores() }));
    this.#missing = missing;
  }

  /** Opens the installed peers. */
  static async open(): Promise<PeerScores> {
    const { peers, missing } = await findPeers();
    return new PeerScores(peers, missing);
  }

  /** Scores every peer on a piece; a peer that fails has detected nothing. */
  async add({ bpm, isAmbiguous, beats, key }: GroundTruth, mono: Float32Array): Promise<void> {
    const isRhythm = bpm !== undefined || beats !== undefined;
    if (this.#peers.length === 0 || !(isRhythm || key !== undefined)) return;
    const folder = await mkdtemp(path.join(tmpdir(), 'stem-studio-bench-'));
    try {
      const file = path.join(folder, 'piece.wav');
      await writePeerWav(file, mono);
      for (const { peer, scores } of this.#peers) {
        const detected = await peer.analyse(file).catch(() => ({ tempo: 0, beats: [], key: '' }));
        scores.add(
          {
            ...(bpm !== undefined && { bpm }),
            ...(isAmbiguous && { isAmbiguous }),
            ...(beats && { beats }),
            ...(key !== undefined && detected.key !== undefined && { key }),
          },
          {
            duration_seconds: mono.length / SAMPLE_RATE,
            features: {},
            tempo: detected.tempo,
            beats: [...detected.beats],
            ...(detected.key !== undefined && { key: detected.key }),
          },
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** Returns their results, and logs the names of the missing peers. */
  rows(log: (line: string) => void): BenchRow[] {
    for (const name of this.#missing) log(`${name}: not installed, left out`);
    return this.#peers.flatMap(({ peer, scores }) => scores.rows(`${peer.name}: `));
  }
}
