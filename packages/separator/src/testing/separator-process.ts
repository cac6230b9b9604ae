import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type SeparatorMessage, separatorMessage } from '@stem-studio/contract/separator';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';

const rate = 44_100;

/** A running separator process. */
export interface SeparatorRun {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: SeparatorMessage[];
  /** Resolves to the exit code when the process has ended. */
  readonly ended: Promise<number | null>;
}

/** Starts a separator process; every line of its output must be a message of the contract. */
export function startSeparator(
  line: string,
  onMessage: (message: SeparatorMessage, run: SeparatorRun) => void = () => {},
): SeparatorRun {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))]);
  const messages: SeparatorMessage[] = [];
  const closed = once(child, 'close');
  const run: SeparatorRun = { child, messages, ended: closed.then(([code]) => code as number | null) };
  createInterface({ input: child.stdout }).on('line', (text) => {
    const message = separatorMessage.parse(JSON.parse(text));
    messages.push(message);
    onMessage(message, run);
  });
  child.stderr.resume();
  child.stdin.on('error', () => {});
  child.stdin.write(`${line}\n`);
  return run;
}

/** Writes a 16-bit stereo WAV file of three tones and clicks. */
export function writeSong(path: string, seconds: number, gain = 0.3): string {
  const frames = Math.round(seconds * rate);
  const data = Buffer.alloc(frames * 4);
  for (let i = 0; i < frames; i++) {
    const t = i / rate;
    const click = Math.exp(-(t % 0.5) / 0.01) * Math.sin(i * i);
    const left = gain * (Math.sin(2 * Math.PI * 80 * t) + Math.sin(2 * Math.PI * 440 * t) + click);
    const right = gain * (Math.sin(2 * Math.PI * 80 * t) + Math.sin(2 * Math.PI * 660 * t) + click);
    data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(left * 32_767))), i * 4);
    data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(right * 32_767))), i * 4 + 2);
  }
  const header = createWavHeader({ sampleRate: rate, channels: 2, bitDepth: '16' }, frames, true);
  writeFileSync(path, Buffer.concat([header, data]));
  return path;
}

/** Lists the names in a folder; empty if it does not exist. */
export function filesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
