import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { SeparatorWeights } from '@stem-studio/contract/separation-weights';
import { type SeparatorRequest, separatorNodeArgs } from '@stem-studio/contract/separator';

const engine = fileURLToPath(new URL('../../packages/separator/src/main.ts', import.meta.url));

const ticksASecond = 100;

/** Resources used by a whole separation, including the start of the process. */
export interface EngineRun {
  readonly seconds: number;
  /** Peak resident memory in MB; null if the system does not report it. */
  readonly peakMb: number | null;
  /** Time on all processors in seconds, which hardly depends on other load; null if the system does not report it. */
  readonly processorSeconds: number | null;
}

/** Runs the engine as the service does, on one file or its first seconds, with networks if given. */
export async function runEngine(
  model: SeparationModelName,
  inputPath: string,
  outputDir: string,
  weights?: SeparatorWeights,
  maxSeconds: number | null = null,
): Promise<EngineRun> {
  const request: SeparatorRequest = {
    input_path: inputPath,
    output_dir: outputDir,
    model,
    bit_depth: '16',
    max_seconds: maxSeconds,
    max_duration_seconds: 10_800,
    ...(weights === undefined ? {} : { weights }),
  };
  const started = performance.now();
  const args = [...separatorNodeArgs(request), engine];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let peakMb: number | null = null;
  let processorSeconds: number | null = null;
  let last = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    last = text;
    // The high-water mark only grows, so its value at the last message is the peak, except for the very end.
    peakMb = residentPeakMb(child.pid as number) ?? peakMb;
    processorSeconds = processorSecondsOf(child.pid as number) ?? processorSeconds;
  });
  const poll = setInterval(() => {
    peakMb = residentPeakMb(child.pid as number) ?? peakMb;
  }, 200);
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(poll);
  if (code !== 0) throw new Error(`the engine ended with ${code}: ${last}`);
  return { seconds: (performance.now() - started) / 1000, peakMb, processorSeconds };
}

/** Returns the peak resident memory of a process in MB; null if the system does not report it. */
export function residentPeakMb(pid: number): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line?.[1] === undefined ? null : Number(line[1]) / 1024;
  } catch {
    return null;
  }
}

/** Returns the processor seconds of a process so far, including its start. */
export function processorSecondsOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
  } catch {
    return null;
  }
}
