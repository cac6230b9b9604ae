/** Reports the progress of a task. */
export interface Progress {
  /** Reports a fraction from 0 to 1, a stage, and the remaining seconds if they are known. */
  report(fraction: number, stage: string, etaSeconds?: number): void;
  /** Clears the line, so that later output starts at its beginning. */
  end(): void;
}

/** Output stream of the progress: standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barCells = 24;
const stepPercent = 10;

/** Creates a progress bar on a terminal; elsewhere, one line for every ten percent and every new stage. */
export function createProgress(stream: ProgressStream): Progress {
  return stream.isTTY === true ? movingBar(stream) : plainLines(stream);
}

function movingBar(stream: ProgressStream): Progress {
  let shown = '';
  return {
    report(fraction, stage, etaSeconds) {
      const full = Math.round(Math.min(1, Math.max(0, fraction)) * barCells);
      const percent = String(Math.floor(fraction * 100)).padStart(3);
      const line = `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${percent} %  ${stage}${timeLeft(etaSeconds)}`;
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
  let lastLine = '';
  return {
    report(fraction, stage, etaSeconds) {
      const percent = Math.floor((fraction * 100) / stepPercent) * stepPercent;
      const line = `${percent} % ${stage}`;
      if (line !== lastLine) stream.write(`${line}${timeLeft(etaSeconds)}\n`);
      lastLine = line;
    },
    end: () => undefined,
  };
}

/** Returns a text such as `, 1:05 left`, or an empty string if the time is unknown. */
function timeLeft(etaSeconds: number | undefined): string {
  if (etaSeconds === undefined) return '';
  const seconds = Math.ceil(etaSeconds);
  return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}
