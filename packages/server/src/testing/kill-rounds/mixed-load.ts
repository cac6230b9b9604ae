import { downloadQualities } from '@stem-studio/contract/download-qualities';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { editBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { createCue, deleteCue } from '@stem-studio/contract/endpoints/cues';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack, getTrack, restoreTrack, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { pause } from '../../platform/clock.ts';
import { PromisedValues } from './promised-values.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Reply, StudioPerson } from './studio-person.ts';
import type { TestSongs } from './test-songs.ts';

/** A track with a known id, and its name among the promised values. */
interface KnownTrack {
  readonly name: string;
  readonly id: string;
}

/** A person with their promised values, and the tracks and cue points whose ids they know. */
export interface Customer {
  readonly person: StudioPerson;
  readonly promised: PromisedValues;
  readonly tracks: Map<string, KnownTrack>;
  /** Cue points by their label: track id and own id. */
  readonly cues: Map<string, { readonly trackId: string; readonly id: string }>;
}

/** Creates a customer without promised values. */
export function createCustomer(person: StudioPerson): Customer {
  return { person, promised: new PromisedValues(), tracks: new Map(), cues: new Map() };
}

/** Keys of the promised values. */
export const nameOf = {
  upload: (title: string) => `track upload ${title}`,
  catalog: (id: string) => `track catalog ${id}`,
  album: (trackId: string) => `album ${trackId}`,
  tempo: (trackId: string) => `tempo ${trackId}`,
  cue: (label: string) => `cue ${label}`,
  crossfader: 'crossfader',
  account: 'account',
} as const;

/** Options of a load. */
export interface LoadOptions {
  readonly songs: TestSongs;
  readonly random: SeededRandom;
  /** Returns a number that no song has used. */
  readonly nextNumber: () => number;
  /** Ends the load after the current action. */
  readonly signal: AbortSignal;
}

type Action = (customer: Customer, options: LoadOptions) => Promise<void>;

const acceptedId = (reply: Reply<{ data: { track_id: string } }>) => reply.body?.data.track_id ?? null;

function learn({ tracks }: Customer, name: string, id: string | null): void {
  if (id !== null) tracks.set(id, { name, id });
}

const anyTrack = (customer: Customer, random: SeededRandom): KnownTrack | null =>
  customer.tracks.size === 0 ? null : random.pick([...customer.tracks.values()]);

/** Polls through the API until a track has audio. */
async function untilAudio({ person }: Customer, id: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 600 && !signal.aborted; tries++) {
    if ((await person.call(getTrack, { params: { id } })).body?.data.audio) return;
    await pause(50);
  }
}

/** Uploads a song, requests its stems if `isSeparated`, and returns its title. */
export async function uploadSong(
  customer: Customer,
  { songs, nextNumber, signal }: LoadOptions,
  { isSeparated = false } = {},
): Promise<string> {
  const number = nextNumber();
  const title = `Upload ${number}`;
  const name = nameOf.upload(title);
  await customer.promised.write(name, true, false, async () => {
    const reply = await customer.person.upload(`${title}.wav`, songs.upload(number));
    learn(customer, name, acceptedId(reply));
    return reply.outcome;
  });
  const track = [...customer.tracks.values()].find((one) => one.name === name);
  if (isSeparated && track) {
    await untilAudio(customer, track.id, signal);
    await customer.person.call(separate, { body: { track_id: track.id } });
  }
  return title;
}

const uploadTwice: Action = async (customer, options) => {
  const title = await uploadSong(customer, options);
  const name = nameOf.upload(title);
  const number = Number(title.split(' ')[1]);
  const again = () => customer.person.upload(`${title}.wav`, options.songs.upload(number));
  await Promise.all([
    customer.promised.write(name, true, false, async () => (await again()).outcome),
    again(),
  ]);
};

const importTrack: Action = async (customer, { songs, random }) => {
  const { id, link } = random.pick(songs.catalogTracks);
  const quality = random.pick(downloadQualities);
  const name = nameOf.catalog(id);
  await customer.promised.write(name, true, false, async () => {
    const reply = await customer.person.call(importCatalog, { body: { url: link, quality } });
    learn(customer, name, reply.body?.data.items[0]?.track_id ?? null);
    return reply.outcome;
  });
};

const importPlaylist: Action = async (customer, { songs }) => {
  const asked = customer.person.call(importCatalog, { body: { url: songs.playlist.link, quality: 'high' } });
  await Promise.all(
    songs.playlist.ids.map((id) =>
      customer.promised.write(nameOf.catalog(id), true, false, async () => (await asked).outcome),
    ),
  );
};

const removeTrack: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  await customer.promised.write(track.name, false, false, async () => {
    return (await customer.person.call(deleteTrack, { params: { id: track.id } })).outcome;
  });
  if (random.next() < 0.5) return;
  await customer.promised.write(track.name, true, false, async () => {
    return (await customer.person.call(restoreTrack, { params: { id: track.id } })).outcome;
  });
};

const renameAlbum: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  const album = `Album ${random.int(1, 1e9)}`;
  await customer.promised.write(nameOf.album(track.id), album, '', async () => {
    return (await customer.person.call(updateTrack, { params: { id: track.id }, body: { album } })).outcome;
  });
};

const editTempo: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  const bpm = random.int(60, 180);
  await customer.promised.write(nameOf.tempo(track.id), bpm, null, async () => {
    const body = { edit: 'set_tempo', bpm } as const;
    return (await customer.person.call(editBeatGrid, { params: { id: track.id }, body })).outcome;
  });
};

const setCue: Action = async (customer, { random, nextNumber }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  const label = `Cue ${nextNumber()}`;
  const body = { position_ms: random.int(0, 500), label, kind: 'custom' } as const;
  await customer.promised.write(nameOf.cue(label), true, false, async () => {
    const reply = await customer.person.call(createCue, { params: { id: track.id }, body });
    if (reply.body) customer.cues.set(label, { trackId: track.id, id: reply.body.data.id });
    return reply.outcome;
  });
  if (random.next() < 0.6) return;
  const known = customer.cues.get(label);
  if (!known) return;
  await customer.promised.write(nameOf.cue(label), false, false, async () => {
    return (await customer.person.call(deleteCue, { params: { id: known.id } })).outcome;
  });
};

const moveCrossfader: Action = async (customer, { random }) => {
  const crossfader = random.int(-100, 100) / 100;
  await customer.promised.write(nameOf.crossfader, crossfader, 0, async () => {
    return (await customer.person.deck(crossfader)).outcome;
  });
};

const askForWork: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  if (random.next() < 0.5) await customer.person.call(analyze, { body: { track_id: track.id } });
  else await customer.person.call(separate, { body: { track_id: track.id, preview: random.next() < 0.3 } });
};

const readFiles: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  if (!track) return;
  const shown = await customer.person.call(getTrack, { params: { id: track.id } });
  const path = shown.body?.data.audio?.file_path;
  if (path !== undefined) await customer.person.read(`/files/${path}`, random.next() < 0.3);
};

const exportTrack: Action = async (customer, { random }) => {
  const track = anyTrack(customer, random);
  const format = random.pick(['wav', 'flac', 'mp3'] as const);
  if (track) await customer.person.read(`/export/stems/${track.id}?format=${format}`, random.next() < 0.3);
};

const cutUpload: Action = async (customer, { songs, random, nextNumber }) => {
  const number = nextNumber();
  const bytes = songs.upload(number);
  const name = nameOf.upload(`Upload ${number}`);
  await customer.promised.write(name, false, false, async () => {
    await customer.person.upload(`Upload ${number}.wav`, bytes, random.int(0, bytes.length - 1));
    return 'acknowledged';
  });
};

/** Actions, repeated by their relative frequency. */
const actions: readonly Action[] = [
  async (customer, options) => void (await uploadSong(customer, options)),
  async (customer, options) => void (await uploadSong(customer, options)),
  uploadTwice,
  importTrack,
  importTrack,
  importPlaylist,
  removeTrack,
  removeTrack,
  renameAlbum,
  editTempo,
  editTempo,
  setCue,
  setCue,
  moveCrossfader,
  askForWork,
  readFiles,
  readFiles,
  exportTrack,
  cutUpload,
];

/** Runs random actions of a person, one after another, until the signal aborts. */
export async function runMixedLoad(customer: Customer, options: LoadOptions): Promise<void> {
  while (!options.signal.aborted) {
    await options.random.pick(actions)(customer, options);
    await pause(options.random.int(50, 350), options.signal);
  }
}

/** Deletes the account of a person and records that nothing of it may remain. */
export async function deleteAccountOf({ person, promised }: Customer): Promise<void> {
  await promised.write(nameOf.account, false, true, async () => {
    const fields = { _method: 'DELETE', confirmation: person.email };
    return (await person.submit('/users/settings/delete', fields)).outcome;
  });
}
