import { figure } from './report.ts';

/** A result in `docs/benchmarks.md`. */
export interface SummaryRow {
  subject: string;
  /** Name of the benchmark's page below `docs/benchmarks`. */
  bench: string;
  /** Row of the benchmark's table, by the beginning of its first cell. */
  row: string;
  /** Description of the result for a reader of the summary. */
  shows: string;
}

/** The rows of the summary, in order. */
export const summaryRows: readonly SummaryRow[] = [
  ...rowsOf('Analysis', 'analysis', {
    everything: 'speed of a complete analysis, one core',
    'tempo, beats, key, chords': 'speed of the part that essentia.js also computes',
  }),
  ...rowsOf('Analysis', 'analysis-accuracy', {
    'tempo within 4 %': 'share of tempi within 4 %',
    'music-tempo: tempo within 4 %': '— the same of music-tempo',
    'essentia.js: tempo within 4 %': '— the same of essentia.js',
    'beat F, 70 ms': 'F-measure of beats, tolerance 70 ms',
    'music-tempo: beat F, 70 ms': '— the same of music-tempo',
    'essentia.js: beat F, 70 ms': '— the same of essentia.js',
    'key, MIREX weighted': 'key, MIREX weighted score',
    'essentia.js: key, MIREX weighted': '— the same of essentia.js',
    'chords, major-minor overlap': 'chords, major–minor overlap',
    'section boundaries F, 3 s': 'section boundaries, F-measure, tolerance 3 s',
  }),
  ...rowsOf('Analysis', 'singing', {
    'recordings: area under the curve': 'singing detection, area under the ROC curve',
  }),
  ...rowsOf('Notes', 'notes', {
    'bass: F of notes, onset within 50 ms': 'notes of a bass stem, F-measure',
    'vocals, the lead': 'notes of a lead vocal, F-measure',
    'speed, by the time of one core': 'speed of the transcription, one core',
  }),
  ...rowsOf('Separation', 'separation', {
    'hybrid_4: vocals, median SDR, recordings': 'hybrid_4: vocals, median SDR',
    'hybrid_4: drums, median SDR, recordings': 'hybrid_4: drums, median SDR',
    'hybrid_4_ft: vocals, median SDR, recordings': 'hybrid_4_ft: vocals, median SDR',
    'hybrid_4_ft: drums, median SDR, recordings': 'hybrid_4_ft: drums, median SDR',
    'hybrid_4_ft: bass, median SDR, recordings': 'hybrid_4_ft: bass, median SDR',
    'hybrid_4_ft: other, median SDR, recordings': 'hybrid_4_ft: other, median SDR',
  }),
  ...rowsOf('Separation', 'six-stems', {
    'hybrid_6: guitar and piano, median SDR': 'hybrid_6: guitar and piano, median SDR',
  }),
  ...rowsOf('Separation', 'separation-speed', {
    'hybrid_4: separate 4 minutes': 'hybrid_4: speed, two cores',
    'hybrid_4: peak memory, 16 minutes': 'hybrid_4: peak memory, song of 16 minutes',
    'hybrid_4_ft: separate 4 minutes': 'hybrid_4_ft: speed, two cores',
  }),
  ...rowsOf('Separation', 'neural', {
    'stft_inside, memory freed: decode': 'installed network: speed of the whole job',
  }),
  ...rowsOf('Audio formats', 'decode', {
    'decode mp3': 'decoding MP3',
    'decode flac': 'decoding FLAC',
    'decode ogg': 'decoding Ogg Vorbis',
    'decode opus': 'decoding Opus',
    'encode mp3': 'encoding MP3',
  }),
  ...rowsOf('Audio formats', 'resample', {
    '48000 → 44100 Hz, high: beside a tone': 'resampling 48 to 44.1 kHz: distortion of a tone',
  }),
  ...rowsOf('Decks', 'deck-start', {
    'MP3 of four minutes: from the key': 'loading an MP3 onto a deck',
    'MP3 of four minutes: from Play': 'Play to first sample',
  }),
  ...rowsOf('Decks', 'deck-jump', {
    'MP3 of 320 kbit/s: jump to minute 57': 'seeking in an MP3 of one hour',
  }),
  ...rowsOf('Decks', 'dj-engine', {
    'two decks × four stems, key lock': 'DJ engine: two decks of four stems with key lock, one core',
  }),
  ...rowsOf('Decks', 'key-lock', {
    'drums at 0.92: distance of log spectra': 'key lock: log-spectral distance of drums',
    'clicks at 0.92: 20 to 5 ms before one': 'key lock: pre-echo of an onset',
  }),
  ...rowsOf('Decks', 'dj-mix', { 'their beats apart': 'beats of two synchronised songs: distance' }),
  ...rowsOf('Decks', 'dj-page', { 'frames within 33 ms': 'frames drawn within 33 ms' }),
  ...rowsOf('Decks', 'decks', { 'the same, p95': 'action to update of another window, p95' }),
  ...rowsOf('Editor', 'editor-page', {
    'from the address to the first audio': 'song of six minutes and six stems: address to first audio',
    'zooming: frames per second': 'frames drawn while zooming',
  }),
  ...rowsOf('Editor', 'edit-export', {
    'fifty edits, 16 minutes: speed': 'export of fifty edits, six stems, one core',
    'with six warped lanes: part of a core': 'preview of six warped lanes, one core',
  }),
  ...rowsOf('Service', 'tracks', { '20 of 100000 tracks': 'track list of a library of 100,000' }),
  ...rowsOf('Service', 'sockets', { 'the same, p95': 'progress event to 1,000 clients, p95' }),
  ...rowsOf('Service', 'queue', {
    'enqueue to start, p50': 'request to start of a job, p50',
    'a killed worker': 'job of a killed worker resumed after',
  }),
  ...rowsOf('Service', 'streaming', { 'a stem': 'streaming a stem over HTTP' }),
  ...rowsOf('Service', 'import', { 'import of 1,000 songs, time': 'import of 1,000 songs, time per song' }),
  ...rowsOf('Service', 'fuzz-surface', {
    'replies that break': 'contract violations in 12,000 random requests',
  }),
];

function rowsOf(subject: string, bench: string, shown: Readonly<Record<string, string>>): SummaryRow[] {
  return Object.entries(shown).map(([row, shows]) => ({ subject, bench, row, shows }));
}

const preface = `# Benchmarks

The figures that matter, from the newest run of each benchmark. The full tables are in [benchmarks/](benchmarks). \`npm run bench -- NAME --write\` renews a table and this page; \`npm run bench\` without a name runs all of them. \`--data DIR\` names a folder of labelled recordings, which are not part of the repository.

Times depend on the machine. Where time is measured, the peer runs in the same process or right beside it, and the ratio counts: above 1 is better than the peer. × means times real time.
`;

/**
 * Returns the text of `docs/benchmarks.md`.
 *
 * @param pages texts of the benchmarks' pages by name
 * @throws Error if a page lacks a row of the summary
 */
export function summaryOf(
  pages: ReadonlyMap<string, string>,
  rows: readonly SummaryRow[] = summaryRows,
): string {
  const sections = Map.groupBy(
    rows.filter(({ bench }) => pages.has(bench)),
    ({ subject }) => subject,
  );
  const texts = [...sections].map(([subject, section]) => {
    const lines = section.map((row) => lineOf(row, pages.get(row.bench) ?? ''));
    return `## ${subject}\n\n${tableOfLines(lines)}\n`;
  });
  return `${preface}\n${circumstancesOf(pages)}\n${texts.join('\n')}`;
}

const heads = ['what', 'figure', 'peer', 'goal', 'measured'];

function lineOf({ bench, row, shows }: SummaryRow, page: string): string[] {
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .find(([what = '']) => what.trim().startsWith(row));
  if (!cells) throw new Error(`docs/benchmarks/${bench}.md has no row "${row}": see bench/summary.ts`);
  const [, value = '', unit = '', against = '', , bar = ''] = cells.map((cell) => cell.trim());
  const date = /^(\d{4}-\d{2}-\d{2}),/m.exec(page)?.[1] ?? '';
  return [
    shows,
    `${figure(Number(value))} ${unit}`.trim(),
    against,
    bar,
    `[${bench}](benchmarks/${bench}.md), ${date}`,
  ];
}

/** Returns the sentence about machines and commands, each named once. */
function circumstancesOf(pages: ReadonlyMap<string, string>): string {
  const machines = new Set(
    [...pages.values()].flatMap((page) => /^\d{4}-\d{2}-\d{2}, (.+): `/m.exec(page)?.[1] ?? []),
  );
  return `Machine: ${[...machines].join('; ')}. Command: \`npm run bench -- NAME\` with the name in the last column; the page behind it has the exact command.\n`;
}

function tableOfLines(lines: readonly (readonly string[])[]): string {
  const all = [heads, ...lines];
  const widths = heads.map((_, column) =>
    Math.max(...all.map((line) => Array.from(line[column] ?? '').length)),
  );
  const text = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - Array.from(cell).length)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [text(heads), rule, ...lines.map(text)].join('\n');
}
