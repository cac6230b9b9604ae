import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const program = path.join(import.meta.dirname, 'essentia-program.ts');

/** Analysis of a piece by a peer. Keys as `Bb minor`; absent if the peer does not detect keys. */
export interface PeerAnalysis {
  readonly tempo: number;
  readonly beats: readonly number[];
  readonly key?: string;
}

/** A program that detects tempo and beats in a WAV of 44,100 Hz, 16 bits, one audio channel. */
export interface Peer {
  readonly name: string;
  analyse(wavPath: string): Promise<PeerAnalysis>;
}

const essentiaReply = z.object({
  tempo: z.number(),
  beats: z.array(z.number()),
  key: z.string(),
  cpu_seconds: z.number(),
});

/**
 * Returns the folder of `ESSENTIA_JS` if it contains essentia.js, else null. Its licence is the AGPL, so it is never a
 * dependency.
 */
export function essentiaFolder(): string | null {
  const folder = process.env.ESSENTIA_JS ?? '';
  return folder !== '' && existsSync(path.join(folder, 'node_modules', 'essentia.js')) ? folder : null;
}

/**
 * Runs essentia.js and returns its results with its processor seconds; with `everything`, for all features of this
 * project's analysis.
 */
export async function analyseWithEssentia(folder: string, wavPath: string, everything = false) {
  const args = [program, folder, wavPath, ...(everything ? ['everything'] : [])];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1 << 26 });
  return essentiaReply.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}

/** Parses the times at the start of the lines that aubio prints. */
function timesIn(text: string): number[] {
  return text
    .split('\n')
    .map((line) => Number.parseFloat(line))
    .filter(Number.isFinite);
}

const aubio: Peer = {
  name: 'aubio',
  analyse: async (wavPath) => {
    const { stdout: beats } = await run('aubio', ['beat', wavPath], { maxBuffer: 1 << 24 });
    const { stdout: tempo } = await run('aubio', ['tempo', wavPath]);
    return { tempo: timesIn(tempo)[0] ?? 0, beats: timesIn(beats) };
  },
};

/** Finds the peers installed on this machine as separate programs, and the names of the missing ones. */
export async function findPeers(): Promise<{ peers: Peer[]; missing: string[] }> {
  const folder = essentiaFolder();
  const hasAubio = await run('aubio', ['--version']).then(
    () => true,
    () => false,
  );
  return {
    peers: [
      ...(folder === null
        ? []
        : [{ name: 'essentia.js', analyse: (wavPath: string) => analyseWithEssentia(folder, wavPath) }]),
      ...(hasAubio ? [aubio] : []),
    ],
    missing: [...(folder === null ? ['essentia.js (set ESSENTIA_JS)'] : []), ...(hasAubio ? [] : ['aubio'])],
  };
}
