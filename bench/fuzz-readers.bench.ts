import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import { parsePlaylist, resolveEntry } from '@stem-studio/server/features/catalog/folder/parse-playlist';
import { fileAt, inspectTags } from '@stem-studio/server/features/catalog/tags/inspect-file';
import type { FileTags } from '@stem-studio/server/features/catalog/tags/parse-tags';
import { decodeUnsupported } from '@stem-studio/server/features/downloads/decode-unsupported';
import { writeTags } from '@stem-studio/server/features/downloads/write-tags';
import { createLog } from '@stem-studio/server/platform/log';
import {
  atom,
  coverFrame,
  flacWithBlocks,
  id3Frame,
  listOfTexts,
  manyComments,
  mp3WithFrames,
  mp4With,
  wavWithChunk,
} from '@stem-studio/server/testing/hostile-tags';

import type { Bench, BenchRow } from './bench.ts';
import { feed } from './fuzz/feed.ts';

const PLAYLISTS = 10_000;
/** Number of files of each kind. */
const TAGGED_FILES = 10_000;
/** Number of damaged files of each extreme. */
const EXTREMES = 50;
/** Number of files, each read in a separate process. */
const M4A_FILES = 300;
const SAMPLES = 20_000;
const MAX_DURATION_SECONDS = 60;

/** Runs the other readers of uploaded files on damaged ones: tags, playlists, and M4A through ffmpeg. */
export const bench: Bench = {
  name: 'fuzz-readers',
  about: 'mutated playlists, files with tags, and M4A through ffmpeg: no crash, no hang, bounded memory',
  run: async ({ log }): Promise<BenchRow[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
    const path = join(folder, 'mutated');
    try {
      const rows = await feed({
        name: 'M3U8',
        file: new TextEncoder().encode(playlist),
        count: PLAYLISTS,
        read: readPlaylist,
        log,
      });
      for (const [name, file] of Object.entries(await createTagged(folder))) {
        const read = async (bytes: Uint8Array) => {
          await writeFile(path, bytes);
          const request = { file: fileAt(path), name: 'Some one - Some thing.mp3', withCover: true };
          const read = await inspectTags({ ...request, withLength: true }, never);
          return checkTags(read.tags);
        };
        rows.push(...(await feed({ name: `tags of ${name}`, file, count: TAGGED_FILES, read, log })));
      }
      for (const [name, file] of Object.entries(await createExtremes())) {
        const read = async (bytes: Uint8Array) => {
          await writeFile(path, bytes);
          const request = { file: fileAt(path), name: 'Some one - Some thing.mp3', withCover: true };
          checkTags((await inspectTags({ ...request, withLength: true }, never)).tags);
          return true;
        };
        rows.push(...(await feed({ name: `extreme: ${name}`, file, count: EXTREMES, read, log })));
      }
      const m4a = await createM4a(folder);
      if (m4a === null) log('M4A: left out, ffmpeg makes none here');
      else {
        const read = async (bytes: Uint8Array) => {
          await writeFile(path, bytes);
          return decodeM4a(path, folder);
        };
        rows.push(...(await feed({ name: 'M4A by ffmpeg', file: m4a, count: M4A_FILES, read, log })));
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const never = new AbortController().signal;

const playlist = `#EXTM3U
#PLAYLIST:Mixed formats
#EXTINF:215,Some one - Some thing
../songs/01 Some thing.mp3
#EXTINF:-1 tvg-id="x",Radio
https://radio.example/stream
file:///music/%C3%A4%20song.flac
C:\\Music\\Other.wav
songs\\Third.ogg
`.repeat(20);

function readPlaylist(bytes: Uint8Array): Promise<boolean> {
  const { title, entries } = parsePlaylist(new TextDecoder().decode(bytes));
  for (const text of [title ?? '', ...entries.map((entry) => entry.title)])
    if (/\p{Cc}/u.test(text)) throw new Error(`a title must hold no control characters (got ${text})`);
  for (const entry of entries) {
    const path = resolveEntry('lists/mixed.m3u8', entry.path);
    if (path?.startsWith('/') || path?.split('/').includes('..'))
      throw new Error(`an entry must stay below the folder (got ${path})`);
  }
  return Promise.resolve(entries.length > 0);
}

/** Checks the tags, and returns whether they contain more than the file's name. */
function checkTags(tags: FileTags): boolean {
  const texts = [tags.title, tags.artist, tags.album, tags.albumArtist, tags.genre, tags.isrc ?? ''];
  if (tags.title === '' || texts.some((text) => text.length > 300 || /\p{Cc}/u.test(text)))
    throw new Error(`tags must be short texts (got ${JSON.stringify(texts)})`);
  const numbers = [tags.discNumber, tags.trackNumber, tags.durationMs];
  if (!numbers.every((value) => Number.isInteger(value) && value >= 0))
    throw new Error(`numbers in tags must be whole and not negative (got ${numbers.join(', ')})`);
  return tags.album !== '' || tags.cover !== null;
}

async function createTagged(folder: string): Promise<Record<string, Uint8Array>> {
  const song = createTestSong(SAMPLES, 44_100);
  const shape = { sampleRate: 44_100, channels: 2 } as const;
  const plain = {
    MP3: await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song),
    FLAC: await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song),
    WAV: await encodeFile(createWavEncoder({ ...shape, bitDepth: '16' }), song),
    'Ogg Vorbis': vorbisSong(),
    'Ogg Opus': opusSong(),
  };
  const tagged: Record<string, Uint8Array> = {};
  for (const [name, file] of Object.entries(plain)) {
    const path = join(folder, `${name.replace(' ', '-').toLowerCase()}.${name.split(' ').at(-1)}`);
    await writeFile(path, file);
    await writeTags(path, {
      title: 'Some thing',
      artist: 'Some one',
      album: 'Some where',
      genre: 'Some how',
      isrc: 'QZES82000001',
      cover: { bytes: new Uint8Array(3000).fill(7), mediaType: 'image/png' },
    });
    // A copy: a slice of a Buffer shares its memory, so a mutation would remain for the next file.
    tagged[name] = new Uint8Array(await readFile(path));
  }
  const nameAtom = atom('\u00a9nam', atom('data', Buffer.from('\0\0\0\x01\0\0\0\0Some thing')));
  const coverAtom = atom('covr', atom('data', Buffer.alloc(3000, 7)));
  const items = atom('ilst', Buffer.concat([nameAtom, coverAtom]));
  const meta = atom('meta', Buffer.concat([Buffer.alloc(4), atom('hdlr', Buffer.alloc(24)), items]));
  tagged['MP4'] = new Uint8Array(
    mp4With(atom('moov', atom('udta', meta)), atom('mdat', Buffer.alloc(4000, 1))),
  );
  return tagged;
}

/** Creates tags with more, larger and deeper contents than programs write. */
async function createExtremes(): Promise<Record<string, Uint8Array>> {
  const song = createTestSong(SAMPLES, 44_100);
  const shape = { sampleRate: 44_100, channels: 2 } as const;
  const mp3 = await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song);
  const flac = await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song);
  const wav = await encodeFile(createWavEncoder({ ...shape, bitDepth: '16' }), song);
  let atoms: Uint8Array = new Uint8Array(0);
  for (let depth = 0; depth < 5000; depth++) atoms = atom('moov', atoms);
  let chapters: Uint8Array = new Uint8Array(0);
  for (let depth = 0; depth < 2000; depth++)
    chapters = id3Frame('CHAP', Buffer.concat([Buffer.from('c\0'), Buffer.alloc(16), chapters]));
  const coverFrames = Array.from({ length: 5 }, () => coverFrame(10_000_000));
  const frames = Array.from({ length: 50_000 }, (_, index) => id3Frame('TXXX', Buffer.from(`\0${index}\0x`)));
  return {
    '2,097,152 comments': flacWithBlocks(flac, [{ type: 4, body: manyComments(2_097_152) }]),
    '9,999 comments': flacWithBlocks(flac, [{ type: 4, body: manyComments(9999) }]),
    'cue sheets': flacWithBlocks(
      flac,
      Array.from({ length: 40 }, () => ({ type: 5, body: Buffer.alloc(400_000, 1) })),
    ),
    'five covers of 10 MB': mp3WithFrames(mp3, coverFrames),
    '50,000 frames': mp3WithFrames(mp3, frames),
    'chapters in chapters': mp3WithFrames(mp3, [chapters]),
    'atoms in atoms': mp4With(atoms),
    '200,000 texts in a LIST chunk': wavWithChunk(wav, 'LIST', listOfTexts(200_000)),
  };
}

async function createM4a(folder: string): Promise<Uint8Array | null> {
  const song = createTestSong(SAMPLES, 44_100);
  const wav = join(folder, 'song.wav');
  const m4a = join(folder, 'song.m4a');
  const encoder = createWavEncoder({ sampleRate: 44_100, channels: 2, bitDepth: '16' });
  await writeFile(wav, await encodeFile(encoder, song));
  const made = promisify(execFile)('ffmpeg', ['-v', 'error', '-i', wav, '-c:a', 'aac', m4a]);
  return made.then(
    async () => new Uint8Array(await readFile(m4a)),
    () => null,
  );
}

async function decodeM4a(path: string, folder: string): Promise<boolean> {
  const config = { ffmpegPath: 'ffmpeg', maxDurationSeconds: MAX_DURATION_SECONDS };
  const means = { config, log: createLog('error') };
  const outcome = await decodeUnsupported(means, path, folder, AbortSignal.timeout(60_000));
  if (outcome?.kind === 'missing') throw new Error(outcome.message);
  if (outcome?.kind === 'refused') return false;
  try {
    const source = await openAudio(createReadStream(outcome?.path ?? path), {
      maxDurationSeconds: MAX_DURATION_SECONDS,
    });
    for await (const block of source.blocks) {
      for (const samples of block)
        if (!samples.every(Number.isFinite)) throw new Error('a sample is no number');
    }
    return true;
  } catch (error) {
    if (error instanceof AudioFormatError) return false;
    throw error;
  }
}
