import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import { listTracks } from '@stem-studio/contract/endpoints/tracks';
import { cancelledError } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';
import { type Customer, nameOf } from './mixed-load.ts';

const nameOfTrack = ({ catalog_id, title }: Track) =>
  catalog_id === null ? nameOf.upload(title) : nameOf.catalog(catalog_id);

async function tracksOf({ person }: Customer): Promise<Track[]> {
  const tracks: Track[] = [];
  for (let page = 1; ; page++) {
    const reply = await person.call(listTracks, { query: { page: String(page), page_size: '100' } });
    if (!reply.body) throw new Error(`the tracks of ${person.email} were answered with ${reply.status}`);
    tracks.push(...reply.body.data);
    if (page >= reply.body.meta.total_pages) return tracks;
  }
}

/** Returns the violations of one live track: its files, its jobs, its owner's writes. */
async function compareTrack(customer: Customer, track: Track): Promise<string[]> {
  const { person, promised } = customer;
  const broken: (string | null)[] = [];
  for (const kind of ['download', 'separation', 'analysis'] as const) {
    const job = track[kind];
    if (job && job.status !== 'completed' && job.error !== cancelledError)
      broken.push(`${kind} of ${nameOfTrack(track)} is ${job.status}: ${job.error}`);
  }
  if (track.download?.status === 'completed' && !track.audio)
    broken.push(`${nameOfTrack(track)} has no audio`);
  if (track.audio) {
    const { status, bytes } = await person.read(`/files/${track.audio.file_path}`);
    if (status !== 200 || bytes === 0)
      broken.push(`the audio of ${nameOfTrack(track)} was answered with ${status} and ${bytes} bytes`);
  }
  const album = nameOf.album(track.id);
  if (promised.keysOf(album).length > 0) broken.push(promised.observe(album, track.album));
  const tempo = nameOf.tempo(track.id);
  if (promised.keysOf(tempo).length > 0 && !promised.isCertain(tempo, null)) {
    const grid = (await person.call(getBeatGrid, { params: { id: track.id } })).body?.data;
    const isSet = grid?.grid_source === 'manual';
    broken.push(promised.observe(tempo, isSet ? Math.round(grid.tempo) : null));
  }
  const { body } = await person.call(listCues, { params: { id: track.id } });
  const labels = new Set(body?.data.cues.map(({ label }) => label));
  for (const [label, cue] of customer.cues)
    if (cue.trackId === track.id) broken.push(promised.observe(nameOf.cue(label), labels.has(label)));
  return broken.flatMap((one) => one ?? []);
}

/** Returns the violations of the values promised to a person; empty if there are none. All jobs must have finished. */
export async function comparePromises(context: Context, customer: Customer): Promise<string[]> {
  const { person, promised } = customer;
  if (promised.keysOf(nameOf.account).length > 0) {
    const isThere = await hasAnythingOf(context, person.id);
    const broken = promised.observe(nameOf.account, isThere);
    if (broken !== null || !isThere) return broken === null ? [] : [broken];
  }
  const tracks = await tracksOf(customer);
  const names = tracks.map(nameOfTrack);
  const broken: string[] = [];
  for (const name of promised.keysOf('track ')) {
    const lost = promised.observe(name, names.includes(name));
    if (lost !== null) broken.push(lost);
  }
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) !== at) broken.push(`${name} is there twice`);
    if (promised.keysOf(name).length === 0) broken.push(`${name} was never asked for`);
  }
  customer.tracks.clear();
  for (const track of tracks) {
    customer.tracks.set(track.id, { name: nameOfTrack(track), id: track.id });
    broken.push(...(await compareTrack(customer, track)));
  }
  if (promised.keysOf(nameOf.crossfader).length > 0) {
    const { body } = await person.deck();
    const wrong = promised.observe(nameOf.crossfader, body);
    if (wrong !== null) broken.push(wrong);
  }
  return broken;
}

async function hasAnythingOf({ db }: Context, userId: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from users where id = ${userId})
      + (select count(*) from tracks where user_id = ${userId})
      + (select count(*) from jobs where user_id = ${userId})
      + (select count(*) from login_sessions where user_id = ${userId})
      + (select count(*) from track_counts where user_id = ${userId}) as count`.execute(db);
  return Number(rows[0]?.count) > 0;
}

/** Returns received files whose bytes do not match the checksum in their key. */
export async function compareReceivedBytes({ db, config }: Context): Promise<string[]> {
  const sources = await db.selectFrom('audio_sources').select(['source_key', 'received_path']).execute();
  const broken: string[] = [];
  for (const { source_key, received_path } of sources) {
    const bytes = await readFile(join(config.uploadsDir, received_path)).catch(() => null);
    if (bytes === null) continue; // The storage check reports it.
    const sum = createHash('sha256').update(bytes).digest('hex');
    if (!source_key.endsWith(sum)) broken.push(`${received_path} has other bytes than were received`);
  }
  return broken;
}
