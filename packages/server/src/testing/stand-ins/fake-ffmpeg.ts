import { chmod, writeFile } from 'node:fs/promises';
import { testM4a } from '../test-audio.ts';

/** Returns a file that looks like M4A, from which {@link installFakeFfmpeg} extracts this FLAC. */
export function fakeM4a(flac: Uint8Array): Uint8Array {
  return Buffer.concat([testM4a(), flac]);
}

/**
 * Writes a program with ffmpeg's arguments and returns its path. It `decodes` a {@link fakeM4a}, `fails`, `dies` of
 * SIGKILL, or `hangs` after it has written its process id to `<path>.pid`.
 */
export async function installFakeFfmpeg(
  path: string,
  does: 'decodes' | 'fails' | 'hangs' | 'dies',
): Promise<string> {
  const script = `#!${process.execPath}
const fs = require('node:fs');
const args = process.argv.slice(2);
const fileOf = (text) => { if (!text.startsWith('file:')) throw new Error(text); return text.slice(5); };
const output = fileOf(args.at(-1));
if (args[args.indexOf('-f') + 1] !== 'mov') throw new Error('no demuxer named');
const input = fs.readFileSync(fileOf(args[args.indexOf('-i') + 1]));
fs.writeFileSync(output, input.subarray(${testM4a().length}));
console.log('out_time_us=1');
if ('${does}' === 'fails') { console.error('Invalid data found when processing input'); process.exit(1); }
if ('${does}' === 'dies') process.kill(process.pid, 'SIGKILL');
if ('${does}' === 'hangs') { fs.writeFileSync(__filename + '.pid', String(process.pid)); setInterval(() => {}, 1000); }
`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}
