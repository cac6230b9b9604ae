/** Tells how far something is. */
export interface Progress {
  /** `fraction` from 0 to 1. */
  report(fraction: number, stage: string): void;
  /** Gives the line back, so that what follows begins on its own. */
  end(): void;
}

/** What a progress writes on: the standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barCells = 24;
const stepPercent = 10;

/** A bar that moves on a terminal; elsewhere a line each ten percent and for each new stage. */
export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY === true ? movingBar(stream) : plainLines(stream);
}

function movingBar(stream: ProgressStream): Progress {
  let shown = '';
  return {
    report(fraction, stage) {
      const full = Math.round(Math.min(1, Math.max(0, fraction)) * barCells);
      const percent = String(Math.floor(fraction * 100)).padStart(3);
      const line = `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${percent} %  ${stage}`;
      const cut = line.slice(0, Math.max(20, (stream.columns ?? 80) - 1));
      if (cut === shown) return;
      stream.write(`\r\u001b[2K${cut}`);
      shown = cut;
    },
    end() {
      if (shown !== '') stream.write('\r\u001b[2K');
      shown = '';
    },
  };
}

function plainLines(stream: ProgressStream): Progress {
  let told = '';
  return {
    report(fraction, stage) {
      const percent = Math.floor((fraction * 100) / stepPercent) * stepPercent;
      const line = `${percent} % ${stage}`;
      if (line !== told) stream.write(`${line}\n`);
      told = line;
    },
    end: () => undefined,
  };
}
