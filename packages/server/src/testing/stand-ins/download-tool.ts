// Stand-in for the download tool: the same arguments, the same output, and synthesised songs. Run as a separate
// program; `--mode=<failure>` as the first argument makes it fail as the real one does.
import { writeFileSync } from 'node:fs';

const version = '2026.11.01';
const sampleRate = 44_100;

/** Messages that the real tool writes to standard error before it exits. */
const failures: Readonly<Record<string, string>> = {
  unavailable: 'ERROR: [site] abc: Video unavailable. This video has been removed by the uploader',
  network:
    "ERROR: [site] abc: Unable to download webpage: [Errno -2] Name or service not known (caused by TransportError('…'))",
  disk: 'ERROR: unable to write data: [Errno 28] No space left on device',
  outdated:
    'ERROR: [site] abc: Unable to extract player response; please report this issue on … Confirm you are on the latest version using  yt-dlp -U',
  unknown: 'ERROR: something that nobody has seen before',
};

const flags =
  '--ignore-config --no-cache-dir --flat-playlist --dump-json --no-playlist --no-part --no-mtime --newline --progress --extract-audio --version';
const options =
  '--socket-timeout --js-runtimes --playlist-items --retries --max-filesize --progress-template --format --ffmpeg-location --audio-format --output';

function stop(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function readArguments(argv: readonly string[]): { given: Map<string, string>; target: string } {
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at++) {
    const name = argv[at] ?? '';
    if (name === '--') return { given, target: argv.slice(at + 1).join(' ') };
    if (flags.split(' ').includes(name)) given.set(name, '');
    else if (options.split(' ').includes(name)) given.set(name, argv[++at] ?? '');
    else stop(`Usage: yt-dlp [OPTIONS] URL [URL...]\n\nyt-dlp: error: no such option: ${name}`, 2);
  }
  return { given, target: '' };
}

/**
 * Returns the length of the searched song in seconds. It equals the stand-in catalog's length for the number at the end
 * of the title.
 */
function secondsFor(query: string): number {
  const number = Number(/(\d+)\s*$/.exec(query)?.[1] ?? 0);
  return 20 + (number % 20);
}

function search(target: string, mode: string): void {
  const query = target.replace(/^\w+:/, '').trim();
  const seconds = secondsFor(query);
  const printResult = (title: string, channel: string, lasts: number, really = lasts) =>
    process.stdout.write(
      `${JSON.stringify({
        _type: 'url',
        ie_key: 'Site',
        id: title,
        url: `https://audio.example/${encodeURIComponent(title)}?seconds=${really}`,
        title,
        channel,
        duration: lasts,
      })}\n`,
    );
  if (mode === 'nothing') return;
  if (mode === 'long') {
    printResult(`${query} extended`, 'somebody', seconds + 300);
    printResult(query, 'somebody else', seconds + 11);
    return;
  }
  printResult(`${query} (live)`, 'somebody', seconds + 3);
  printResult(query, 'Official Songs', seconds, mode === 'mismatched' ? seconds + 30 : seconds);
  printResult(`${query} 10 hour loop`, 'loops', 36_000);
}

/** Synthesises a song of a chord and a beat, different for each title, as 16-bit mono WAV. */
function synthesise(title: string, seconds: number): Buffer {
  const samples = Math.round(seconds * sampleRate);
  const seed = Buffer.from(title).reduce((sum, byte) => (sum * 31 + byte) % 9973, 7);
  const root = 110 * 2 ** ((seed % 12) / 12);
  const beatSeconds = 60 / (90 + (seed % 60));
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++) {
    const time = at / sampleRate;
    const beat = time % beatSeconds;
    const chord = [1, 1.5, 2.5].reduce((sum, part) => sum + Math.sin(2 * Math.PI * root * part * time), 0);
    const value = 0.1 * chord + 0.5 * Math.exp(-beat * 40) * Math.sin(2 * Math.PI * 70 * beat);
    bytes.writeInt16LE(Math.round(value * 32_000), 44 + at * 2);
  }
  return bytes;
}

/** Keeps the process running forever. */
function neverEnd(): void {
  setInterval(() => undefined, 60_000);
}

function download(url: string, template: string, mode: string): void {
  if (mode === 'hang') return neverEnd();
  const { pathname, searchParams } = new URL(url);
  if (mode === 'first-unavailable' && !pathname.includes('live')) stop(failures['unavailable'] ?? '', 1);
  const bytes = synthesise(decodeURIComponent(pathname), Number(searchParams.get('seconds')));
  for (let tenth = 1; tenth <= 10; tenth++) {
    const line = template
      .replace(/^download:/, '')
      .replace('%(progress.downloaded_bytes)s', String(Math.round((bytes.length * tenth) / 10)))
      .replace('%(progress.total_bytes)s', String(bytes.length))
      .replace('%(progress.total_bytes_estimate)s', 'NA');
    process.stdout.write(`${line}\n`);
    if (mode === 'first-broken' && tenth === 5 && !pathname.includes('live')) {
      writeFileSync('received.aac', 'half of it');
      stop('ERROR: unable to download video data: HTTP Error 404: Not Found', 1);
    }
    if (mode === 'stall' && tenth === 5) {
      writeFileSync('received.wav', bytes.subarray(0, bytes.length / 2));
      return neverEnd();
    }
  }
  const isNoAudio = mode === 'live-no-audio' && pathname.includes('live');
  writeFileSync('received.wav', isNoAudio ? 'a page that says that the song is gone' : bytes);
}

const [first = '', ...rest] = process.argv.slice(2);
const mode = first.startsWith('--mode=') ? first.slice('--mode='.length) : '';
const { given, target } = readArguments(
  mode === '' && !first.startsWith('--mode=') ? [first, ...rest] : rest,
);
if (given.has('--version')) process.stdout.write(`${mode === 'old' ? '2024.03.10' : version}\n`);
else if (failures[mode]) stop(failures[mode], 1);
else if (mode === 'old') stop('ERROR: unable to download video data: HTTP Error 403: Forbidden', 1);
else if (given.has('--dump-json')) search(target, mode);
else download(target, given.get('--progress-template') ?? '', mode);
