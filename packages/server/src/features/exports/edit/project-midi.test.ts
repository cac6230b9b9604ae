import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import { exportProjectMidi } from '@stem-studio/contract/endpoints/edit-export';
import { type MidiData, parseMidi } from 'midi-file';
import { adoptStorage } from '../../../platform/files/storage-identity.ts';
import { analyzeBeats } from '../../../testing/analyzed-track.ts';
import { makeFolder } from '../../../testing/library-steps.ts';
import { openProjectStudio, sentEdit } from '../../../testing/project-steps.ts';
import { runStudio } from '../../../testing/run-studio.ts';
import { databaseUrlOf } from '../../../testing/service-process.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';

/** A song of 120 bpm with beats from 0.5 s on, of which the second from 2.5 s on is removed. */
async function openArranged(t: TestLifetime) {
  const studio = await openProjectStudio(t);
  const { library, trackId, project } = studio;
  await analyzeBeats(library, trackId, { bpm: 120, firstSeconds: 0.5 });
  const note = (start_ms: number, pitch: number) => ({ start_ms, length_ms: 500, pitch, velocity: 90 });
  await studio.send([
    sentEdit('remove_time', { start_ms: 2500, end_ms: 3500 }),
    sentEdit('add_notes', { stem_type: 'bass', notes: [note(1500, 40), note(3270, 45)] }),
    sentEdit('add_notes', { stem_type: 'drums', notes: [note(1000, 36)] }),
    sentEdit('marker', { start_ms: 2000, label: 'Résumé' }),
  ]);
  const exported = (query: Readonly<Record<string, string>> = {}) =>
    library.app.inject({
      method: 'GET',
      url: pathOf(exportProjectMidi, { id: project.id }),
      query,
      headers: library.user.headers,
    });
  return { studio, exported };
}

/** Returns texts and starts of notes of a track with their positions in quarter notes. */
function eventsOf({ header, tracks }: MidiData, index: number): string[] {
  let ticks = 0;
  const lines: string[] = [];
  for (const event of tracks[index] ?? []) {
    ticks += event.deltaTime;
    const quarter = Math.round((100 * ticks) / (header.ticksPerBeat ?? Number.NaN)) / 100;
    if (event.type === 'marker' || event.type === 'trackName') {
      const name = Buffer.from(event.text, 'latin1').toString('utf8');
      lines.push(`${quarter} ${event.type} ${name}`);
    } else if (event.type === 'noteOn') lines.push(`${quarter} ${event.noteNumber} on ${event.channel}`);
  }
  return lines;
}

test('a project is exported as MIDI: notes and markers stand on the beats of the song as it was edited', async (t) => {
  const { studio, exported } = await openArranged(t);
  const reply = await exported();
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 300));
  assert.equal(reply.headers['content-type'], 'audio/midi');
  assert.match(String(reply.headers['content-disposition']), /\.mid/);
  const midi = parseMidi(reply.rawPayload);
  assert.equal(midi.tracks.length, 3);
  // A beat before the first one at 0.5 s, then every beat is a quarter.
  assert.deepEqual(eventsOf(midi, 1), ['0 trackName drums', '2 36 on 9']);
  assert.deepEqual(eventsOf(midi, 2), ['0 trackName bass', '3 40 on 1', '6.54 45 on 1']);
  assert.ok(eventsOf(midi, 0).includes('4 marker Résumé'), eventsOf(midi, 0).join('\n'));
  // Cue points of the removed second are omitted.
  const { cues } = (await studio.library.ask(listCues, { params: { id: studio.trackId } })).body.data;
  const kept = cues.filter(({ position_ms }) => position_ms < 2500 || position_ms >= 3500);
  assert.equal(eventsOf(midi, 0).filter((line) => line.includes(' marker ')).length, kept.length + 1);
  const quantised = parseMidi((await exported({ quantize: '4' })).rawPayload);
  assert.equal(eventsOf(quantised, 2)[2], '7 45 on 1');
  const refused = await exported({ quantize: '5' });
  assert.equal(refused.statusCode, 422);
});

test('the command line writes the same MIDI file, and names an unknown project', async (t) => {
  const { studio, exported } = await openArranged(t);
  const { connection, config, log } = studio.library.context;
  await adoptStorage({ connection, settings: config, databaseFolder: null, log });
  const folder = await makeFolder(t);
  const env = { DATABASE_URL: databaseUrlOf(connection), DATA_DIR: config.dataDir, LOG_LEVEL: 'error' };
  const ran = await runStudio(folder, ['project', 'midi', studio.project.id, '--out', 'song.mid'], env);
  assert.equal(ran.code, 0, ran.err);
  assert.equal(ran.out.trim(), join(folder, 'song.mid'));
  assert.deepEqual(await readFile(join(folder, 'song.mid')), (await exported()).rawPayload);
  assert.deepEqual(await readdir(folder), ['song.mid']);

  const missing = randomUUID();
  const unknown = await runStudio(folder, ['project', 'midi', missing, '--out', 'other.mid'], env);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, new RegExp(`no project has the id ${missing}`));
  const invalid = await runStudio(folder, ['project', 'midi', 'mine', '--out', 'other.mid'], env);
  assert.equal(invalid.code, 2);
  assert.match(invalid.err, /PROJECT must be the id of a project \(got mine\)/);
  assert.deepEqual(await readdir(folder), ['song.mid']);
});
