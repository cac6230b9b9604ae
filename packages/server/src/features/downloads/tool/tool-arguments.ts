/** Marks our own lines among those that the tool writes. */
const progressMark = 'studio-progress';

/** What the tool is asked, by a prefix such as `ytsearch5:` or by an address with `{query}` in it. */
export function searchTarget(template: string, words: string): string {
  return template.includes('{query}')
    ? template.replaceAll('{query}', encodeURIComponent(words))
    : template + words;
}

const always = (runtime: string) => [
  '--ignore-config',
  '--no-cache-dir',
  '--socket-timeout',
  '15',
  // Some sources give their addresses only to a page's own script: the tool runs that in this very Node.
  '--js-runtimes',
  `node:${runtime}`,
];

/** Arguments that list what there is at `target`, a line of JSON each, and fetch no sound. */
export function searchArguments(target: string, runtime: string): string[] {
  // After "--" nothing is an option, whatever a title begins with.
  return [...always(runtime), '--flat-playlist', '--dump-json', '--', target];
}

/** Arguments that fetch the best sound at `url` into `received.<its ending>` of the working folder. */
export function downloadArguments(
  url: string,
  options: {
    readonly runtime: string;
    readonly mostMegabytes: number;
    /** Where ffmpeg is; null where there is none. */
    readonly ffmpegPath: string | null;
  },
): string[] {
  const { ffmpegPath } = options;
  return [
    ...always(options.runtime),
    '--no-playlist',
    '--playlist-items',
    '1',
    '--no-part',
    '--no-mtime',
    '--retries',
    '3',
    '--max-filesize',
    `${options.mostMegabytes}M`,
    '--newline',
    '--progress',
    '--progress-template',
    `download:${progressMark} %(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s`,
    '--format',
    // With ffmpeg the sound is taken out of whatever holds it, as it is; without, what is sound only is better.
    ffmpegPath !== null
      ? 'bestaudio/best'
      : 'bestaudio[ext=flac]/bestaudio[ext=wav]/bestaudio[ext=opus]/bestaudio[ext=ogg]/bestaudio[ext=mp3]/bestaudio/best',
    ...(ffmpegPath === null
      ? []
      : ['--ffmpeg-location', ffmpegPath, '--extract-audio', '--audio-format', 'best']),
    '--output',
    'received.%(ext)s',
    '--',
    url,
  ];
}

/** How far the tool is, 0 to 1, in a line of its output; null for any other line, or when the whole is unknown. */
export function parseProgress(line: string): number | null {
  const [mark, done, total, estimate] = line.trim().split(/\s+/);
  if (mark !== progressMark) return null;
  const whole = [total, estimate].map(Number).find((bytes) => Number.isFinite(bytes) && bytes > 0);
  const received = Number(done);
  return whole === undefined || !Number.isFinite(received) ? null : Math.min(1, received / whole);
}
