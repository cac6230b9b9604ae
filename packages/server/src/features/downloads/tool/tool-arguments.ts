/** Prefix that marks our own progress lines in the tool's output. */
const progressMark = 'studio-progress';

/** Returns the tool's search target: a prefix such as `ytsearch5:`, or an address with `{query}` in it. */
export function searchTarget(template: string, query: string): string {
  return template.includes('{query}')
    ? template.replaceAll('{query}', encodeURIComponent(query))
    : template + query;
}

const always = (runtime: string) => [
  '--ignore-config',
  '--no-cache-dir',
  '--socket-timeout',
  '15',
  // Some sources reveal their addresses only to a script of the page: the tool runs it in this Node.
  '--js-runtimes',
  `node:${runtime}`,
];

/** Returns the arguments that list the results at `target`, one line of JSON each, without downloading audio. */
export function searchArguments(target: string, runtime: string): string[] {
  // After "--" nothing is parsed as an option, whatever a title begins with.
  return [...always(runtime), '--flat-playlist', '--dump-json', '--', target];
}

/** Returns the arguments that download the best audio at `url` into `received.<extension>` of the working folder. */
export function downloadArguments(
  url: string,
  options: {
    readonly runtime: string;
    readonly mostMegabytes: number;
    /** Path of ffmpeg; null where there is none. */
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
    // With ffmpeg the audio is extracted unchanged from any container; without it, audio-only formats are preferred.
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

/**
 * Returns the progress, 0 to 1, in a line of the tool's output. Null for any other line, or when the total is unknown.
 */
export function parseProgress(line: string): number | null {
  const [mark, done, total, estimate] = line.trim().split(/\s+/);
  if (mark !== progressMark) return null;
  const whole = [total, estimate].map(Number).find((bytes) => Number.isFinite(bytes) && bytes > 0);
  const received = Number(done);
  return whole === undefined || !Number.isFinite(received) ? null : Math.min(1, received / whole);
}
