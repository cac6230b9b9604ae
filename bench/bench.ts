/** One figure of a benchmark. */
export interface BenchRow {
  /** What was measured, in words. */
  what: string;
  value: number;
  /** `×` for a ratio to realtime, `dB`, `ms`, `MB`, … */
  unit: string;
  /** The peer measured in the same run and its figure, such as `ffmpeg 812 ×`. */
  against?: string;
  /** `value` over the peer's figure; above 1 is better than the peer. */
  ratio?: number;
  /** What is to be reached, in words: `≥ 0.6 of ffmpeg`. */
  bar?: string;
}

/** What a benchmark is given. */
export interface BenchOptions {
  /** A folder of measuring data (`--data DIR`), or null: then it measures on what the project synthesises. */
  dataDir: string | null;
  /** Says how far it is. */
  log: (line: string) => void;
}

/**
 * A benchmark: a file `bench/NAME.bench.ts` exports one as `bench`.
 *
 * A peer that is not installed is left out by name (`against: 'ffmpeg: not installed'`), never silently.
 */
export interface Bench {
  /** The name to call it by, as its file is named. */
  name: string;
  /** What it answers, in a sentence. */
  about: string;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
