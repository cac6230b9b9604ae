import { writeFile } from 'node:fs/promises';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { TagLib } from 'taglib-wasm';

/** Format of a test song; a second of 44.1 kHz, 16-bit stereo by default. */
export interface TestAudio {
  readonly seconds?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly bitDepth?: '16' | '24' | '32f';
}

function songOf({ seconds = 1, sampleRate = 44_100, channels = 2 }: TestAudio): Float32Array[] {
  return createTestSong(Math.round(seconds * sampleRate), sampleRate, channels);
}

/** Returns a WAV file. */
export function testWav(audio: TestAudio = {}): Promise<Uint8Array> {
  const { sampleRate = 44_100, channels = 2, bitDepth = '16' } = audio;
  return encodeFile(createWavEncoder({ sampleRate, channels, bitDepth }), songOf(audio));
}

/** Returns a WAV file with a short thud on each beat over a continuous chord. */
export function testPulse(music: {
  readonly seconds: number;
  readonly bpm: number;
  readonly chordHz: readonly number[];
}): Promise<Uint8Array> {
  const sampleRate = 44_100;
  const beatSeconds = 60 / music.bpm;
  const samples = Float32Array.from({ length: music.seconds * sampleRate }, (_, at) => {
    const seconds = at / sampleRate;
    const chord = music.chordHz.reduce((sum, hz) => sum + 0.08 * Math.sin(2 * Math.PI * hz * seconds), 0);
    const sinceBeat = seconds % beatSeconds;
    return chord + 0.5 * Math.exp(-sinceBeat * 40) * Math.sin(2 * Math.PI * 70 * sinceBeat);
  });
  return encodeFile(createWavEncoder({ sampleRate, channels: 1, bitDepth: '16' }), [samples]);
}

/** Returns a FLAC file of 16 or 24 bits. */
export async function testFlac(audio: TestAudio = {}): Promise<Uint8Array> {
  const { sampleRate = 44_100, channels = 2 } = audio;
  const bitDepth = audio.bitDepth === '24' ? 24 : 16;
  return encodeFile(await createFlacEncoder({ sampleRate, channels, bitDepth }), songOf(audio));
}

/** Returns an MP3 file with a constant bitrate, mono or stereo. */
export async function testMp3(
  audio: TestAudio = {},
  bitrateKbps: 128 | 192 | 320 = 128,
): Promise<Uint8Array> {
  const { sampleRate = 44_100 } = audio;
  const channels = audio.channels === 1 ? 1 : 2;
  return encodeFile(await createMp3Encoder({ sampleRate, channels, bitrateKbps }), songOf(audio));
}

/** Returns the beginning of an M4A file, sufficient for its detection. */
export function testM4a(): Uint8Array {
  const head = Buffer.from('\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom\0\0\0\0', 'latin1');
  return Buffer.concat([head, Buffer.alloc(2000, 7)]);
}

/** A PNG image of one pixel. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes a file with tags, and with a cover if given. */
export async function writeTaggedFile(
  path: string,
  bytes: Uint8Array,
  tags: Readonly<Record<string, string>>,
  cover?: Uint8Array,
): Promise<void> {
  await writeFile(path, bytes);
  const library = await TagLib.initialize();
  await library.edit(path, (file) => {
    for (const [name, value] of Object.entries(tags)) file.setProperty(name, value);
    if (cover) file.setPictures([{ mimeType: 'image/png', data: cover, type: 'FrontCover' }]);
  });
}
