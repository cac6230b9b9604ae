/** One result of a benchmark. */
export interface BenchRow {
  /** Description of the measurement. */
  what: string;
  value: number;
  /** Unit: `×` for a ratio to realtime, `dB`, `ms`, `MB`, … */
  unit: string;
  /** A peer measured in the same run, with its result, such as `ffmpeg 812 ×`. */
  against?: string;
  /** `value` divided by the peer's result; above 1 is better than the peer. */
  ratio?: number;
  /** Target as text, such as `≥ 0.6 of ffmpeg`. */
  bar?: string;
}

/** Options of a benchmark. */
export interface BenchOptions {
  /** Folder of data (`--data DIR`), or null to use audio that the project synthesises. */
  dataDir: string | null;
  /** Folder of rendered songs (`--songs DIR`), see `training/README.md`; null without one. */
  songsDir: string | null;
  /** Prints the progress. */
  log: (line: string) => void;
}

/**
 * A benchmark: a file `bench/NAME.bench.ts` exports one as `bench`.
 *
 * A peer that is not installed is reported by name (`against: 'ffmpeg: not installed'`), never omitted silently.
 */
export interface Bench {
  /** Name for the command line, equal to the file's name. */
  name: string;
  /** One-sentence description. */
  about: string;
  run(options: BenchOptions): Promise<BenchRow[]>;
}
