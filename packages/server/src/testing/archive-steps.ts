import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportProject } from '@stem-studio/contract/endpoints/edit-export';
import { exportProjectArchive, openProjectArchive } from '@stem-studio/contract/endpoints/project-archives';
import { createProject } from '@stem-studio/contract/endpoints/projects';
import type { ProjectArchive } from '@stem-studio/contract/resources/project-archive';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { type ZipFile, zipStream } from '../features/exports/index.ts';
import { type Answer, answerOf, type Caller, type LibraryApp, multipart } from './library-steps.ts';
import { readZip } from './read-zip.ts';
import { insertSeparationOf } from './separated-track.ts';

/** Sample rate of the stems, in Hz. */
export const stemRateHz = 44_100;
/** Length of the song and its stems, in seconds. */
export const stemSeconds = 3;

const tones = [
  ['drums', 330, '24'],
  ['bass', 110, '16'],
  ['other', 440, '32f'],
  ['vocals', 220, '24'],
] as const satisfies readonly (readonly [StemType, number, '16' | '24' | '32f'])[];

/** Returns a WAV file of a tone with an amplitude of 0.1 whose channels differ. */
export function toneFile(
  hz: number,
  bitDepth: '16' | '24' | '32f',
  seconds = stemSeconds,
): Promise<Uint8Array> {
  const left = Float32Array.from(
    { length: Math.round(seconds * stemRateHz) },
    (_, n) => 0.1 * Math.sin((2 * Math.PI * hz * n) / stemRateHz),
  );
  const encoder = createWavEncoder({ sampleRate: stemRateHz, channels: 2, bitDepth });
  return encodeFile(encoder, [left, left.map((sample) => sample / 2)]);
}

/** A project of a track whose song and stems are tones. */
export interface ToneProject {
  readonly trackId: string;
  readonly jobId: string;
  readonly projectId: string;
  /** The song as it was uploaded. */
  readonly song: Uint8Array;
}

/** Uploads a song, stores stems for it and creates a project. */
export async function createToneProject(library: LibraryApp): Promise<ToneProject> {
  const { context, user } = library;
  const song = await toneFile(275, '16');
  const track = await library.addTrack(song, 'Tones.wav');
  const types = tones.map(([type]) => type);
  const stems = { types, durationMs: stemSeconds * 1000 };
  const jobId = await insertSeparationOf(context, user.id, track.id, stems);
  for (const [type, hz, bitDepth] of tones) {
    const path = context.files.absolute(`stems/${jobId}/${type}.wav`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await toneFile(hz, bitDepth));
  }
  const made = await library.ask(createProject, { params: { id: track.id }, body: { name: 'Radio edit' } });
  return { trackId: track.id, jobId, projectId: made.body.data.id, song };
}

/** Downloads the archive of a project. */
export function downloadArchive({ app, user }: LibraryApp, id: string, as: Caller = user) {
  return app.inject({ method: 'GET', url: pathOf(exportProjectArchive, { id }), headers: as.headers });
}

/** Opens an archive as the page does. */
export async function sendArchive(
  { app, user }: LibraryApp,
  bytes: Uint8Array,
  as: Caller = user,
): Promise<Answer<typeof openProjectArchive>> {
  const form = multipart([{ name: 'file', fileName: 'project.zip', bytes }]);
  const reply = await app.inject({
    method: 'POST',
    url: openProjectArchive.path,
    headers: { ...as.headers, ...form.headers },
    payload: form.payload,
  });
  return answerOf(openProjectArchive, reply);
}

/** Returns the samples of a project's mix, in 32-bit floats. */
export async function renderedMix({ app, user }: LibraryApp, id: string): Promise<readonly Float32Array[]> {
  const reply = await app.inject({
    method: 'GET',
    url: pathOf(exportProject, { id }),
    query: { bit_depth: '32f' },
    headers: user.headers,
  });
  return (await decodeFile(new Uint8Array(reply.rawPayload))).samples;
}

async function* entriesOf(files: ReadonlyMap<string, Uint8Array>): AsyncGenerator<ZipFile> {
  for (const [name, bytes] of files) {
    const once = async function* () {
      yield await Promise.resolve(bytes);
    };
    yield { name, modified: new Date(2026, 0, 1), bytes: once() };
  }
}

/** Returns an archive with a changed manifest or other files. */
export async function changedArchive(
  archive: Buffer,
  change: (manifest: ProjectArchive, files: Map<string, Uint8Array>) => object,
): Promise<Buffer> {
  const files = new Map<string, Uint8Array>(readZip(archive));
  const manifest = JSON.parse(Buffer.from(files.get('manifest.json') ?? []).toString()) as ProjectArchive;
  files.set('manifest.json', Buffer.from(JSON.stringify(change(manifest, files))));
  return buffer(zipStream(entriesOf(files)));
}
