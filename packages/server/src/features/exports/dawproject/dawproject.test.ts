import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportDawproject } from '@stem-studio/contract/endpoints/project-archives';
import { addEditOperations, getProject } from '@stem-studio/contract/endpoints/projects';
import { newCompressor } from '@stem-studio/contract/resources/lane-effects';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { createToneProject, stemSeconds } from '../../../testing/archive-steps.ts';
import { type LibraryApp, openLibrary } from '../../../testing/library-steps.ts';
import { sentEdit } from '../../../testing/project-steps.ts';
import { readZip } from '../../../testing/read-zip.ts';

/** An element as the parser returns it: attributes begin with `@`, repeated elements are arrays. */
interface Parsed {
  readonly [name: string]: Parsed & string & readonly (Parsed & string)[];
}

const repeated = new Set([
  'Track',
  'Lanes',
  'Clip',
  'Note',
  'Warp',
  'RealPoint',
  'Marker',
  'Points',
  'Send',
  'Band',
]);

/** Downloads a DAWproject and returns its parsed documents and its files. */
async function download(
  { app, user }: LibraryApp,
  id: string,
  headers: Record<string, string> = user.headers,
) {
  const reply = await app.inject({ method: 'GET', url: pathOf(exportDawproject, { id }), headers });
  assert.equal(reply.statusCode, 200, reply.body.slice(0, 300));
  assert.match(String(reply.headers['content-disposition']), /\(Radio edit\)\.dawproject"/);
  const files = readZip(reply.rawPayload);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    isArray: (name) => repeated.has(name),
  });
  const parse = (name: string): Parsed => {
    const text = String(files.get(name));
    assert.equal(XMLValidator.validate(text), true, name);
    return parser.parse(text) as Parsed;
  };
  return {
    files,
    project: parse('project.xml')['Project'] as Parsed,
    metadata: parse('metadata.xml')['MetaData'] as Parsed,
  };
}

/** Stores an analysis with beats for a track. */
async function insertBeats(
  { context }: LibraryApp,
  trackId: string,
  jobId: string,
  beats: readonly number[],
) {
  const result = {
    duration_seconds: stemSeconds,
    tempo: 120,
    tempo_confidence: 1,
    tempo_stable: false,
    tempo_curve: [],
    time_signature: '4/4',
    beat_frames: beats.map((seconds) => Math.round((seconds * 22_050) / 512)),
    beats,
    downbeats: beats.filter((_, index) => index % 4 === 0),
  };
  await context.db
    .insertInto('analyses')
    .values({
      job_id: jobId,
      track_id: trackId,
      result: JSON.stringify(result) as never,
      audio_source_id: null,
      created_at: context.clock.now(),
    })
    .execute();
}

/** @spec DAWproject export */
test('a project is exported as a DAWproject with its tracks, clips, warps, notes, markers and drifting tempo', async (t) => {
  const library = await openLibrary(t);
  const { projectId, trackId, jobId } = await createToneProject(library);
  // Four beats at 120 bpm, then at 150.
  await insertBeats(library, trackId, jobId, [0, 0.5, 1, 1.5, 2, 2.4, 2.8]);
  const params = { id: projectId };
  const edits = [
    sentEdit('volume', { stem_type: 'vocals', value: 50 }),
    sentEdit('pan', { stem_type: 'vocals', value: -100 }),
    sentEdit('mute', { stem_type: 'drums', value: 1 }),
    sentEdit('solo', { stem_type: 'bass', value: 1 }),
    sentEdit('split', { start_ms: 1000, stem_type: 'vocals' }),
    sentEdit('volume', { start_ms: 1000, end_ms: 3000, stem_type: 'vocals', value: 150 }),
    sentEdit('transpose', { start_ms: 1000, end_ms: 3000, stem_type: 'vocals', value: -5 }),
    sentEdit('fade_in', { start_ms: 0, end_ms: 250, stem_type: 'vocals', curve: 's_curve' }),
    sentEdit('fade_out', { start_ms: 2500, end_ms: 3000, stem_type: 'vocals' }),
    sentEdit('warp', {
      lanes: ['bass'],
      points: [
        { from_ms: 0, to_ms: 0 },
        { from_ms: 1000, to_ms: 1500 },
        { from_ms: 2000, to_ms: 2500 },
      ],
    }),
    sentEdit('eq', { stem_type: 'other', low_db: -6 }),
    sentEdit('compressor', { stem_type: 'other', value: newCompressor }),
    sentEdit('reverb_send', { stem_type: 'other', value: 30 }),
    sentEdit('reverse', { clip_ids: ['other'], value: 1 }),
    sentEdit('add_notes', {
      stem_type: 'bass',
      notes: [{ start_ms: 500, length_ms: 1000, pitch: 36, velocity: 127 }],
    }),
    sentEdit('marker', { start_ms: 1500, label: 'Break & "drop" <1>' }),
  ];
  assert.equal((await library.ask(addEditOperations, { params, body: { edits } })).status, 201);
  const { files, project, metadata } = await download(library, projectId);
  assert.deepEqual(
    [...files.keys()],
    [
      'metadata.xml',
      'project.xml',
      'audio/drums.wav',
      'audio/bass.wav',
      'audio/other.wav',
      'audio/vocals.wav',
    ],
  );
  assert.equal(project['@version'], '1.0');
  const tracks = project['Structure']?.['Track'] ?? [];
  assert.deepEqual(
    tracks.map((track) => [track['@name'], track['@contentType'], track['Channel']?.['@role']]),
    [
      ['Vocals', 'audio', 'regular'],
      ['Drums', 'audio', 'regular'],
      ['Bass', 'audio', 'regular'],
      ['Bass notes', 'notes', 'regular'],
      ['Other', 'audio', 'regular'],
      ['Reverb', 'audio', 'effect'],
      ['Master', 'audio', 'master'],
    ],
  );
  const channelOf = (name: string) => tracks.find((track) => track['@name'] === name)?.['Channel'];
  const valueOf = (name: string, parameter: string) => channelOf(name)?.[parameter]?.['@value'];
  assert.deepEqual([valueOf('Vocals', 'Volume'), valueOf('Vocals', 'Pan')], ['0.5', '0']);
  assert.deepEqual([valueOf('Drums', 'Mute'), valueOf('Vocals', 'Mute')], ['true', 'false']);
  assert.deepEqual([channelOf('Bass')?.['@solo'], channelOf('Other')?.['@solo']], ['true', 'false']);
  const other = channelOf('Other');
  assert.equal(other?.['Devices']?.['Equalizer']?.['Band']?.[0]?.['Gain']?.['@value'], '-6');
  assert.equal(other?.['Devices']?.['Compressor']?.['Threshold']?.['@value'], '-20');
  assert.deepEqual(
    [
      other?.['Sends']?.['Send']?.[0]?.['@destination'],
      other?.['Sends']?.['Send']?.[0]?.['Volume']?.['@value'],
    ],
    ['reverb-channel', '0.3'],
  );

  const arrangement = project['Arrangement'] as Parsed;
  const timeline = arrangement['Lanes']?.[0]?.['Lanes'] ?? [];
  const clipsOf = (name: string) => {
    const id = tracks.find((track) => track['@name'] === name)?.['@id'];
    return timeline.find((lanes) => lanes['@track'] === id)?.['Clips']?.['Clip'] ?? [];
  };
  // Quarter notes: 120 bpm up to 2 s, where the fifth beat is, then 150 bpm.
  const vocals = clipsOf('Vocals');
  assert.deepEqual(
    vocals.map((clip) =>
      ['time', 'duration', 'contentTimeUnit', 'playStart', 'fadeInTime', 'fadeOutTime'].map(
        (name) => clip[`@${name}`],
      ),
    ),
    [
      ['0', '2', 'seconds', '0', '0.25', '0'],
      ['2', '4.5', 'seconds', '1', '0', '0.5'],
    ],
  );
  const lanes = vocals[1]?.['Lanes']?.[0];
  assert.equal(lanes?.['Audio']?.['File']?.['@path'], 'audio/vocals.wav');
  assert.deepEqual(
    lanes?.['Points']?.map((points) => [
      points['Target']?.['@expression'],
      points['@unit'],
      points['RealPoint']?.[0]?.['@value'],
    ]),
    [
      ['gain', 'linear', '1.5'],
      ['transpose', 'semitones', '-5'],
    ],
  );
  const [bass] = clipsOf('Bass');
  assert.deepEqual([bass?.['@contentTimeUnit'], bass?.['@playStart']], ['beats', '0']);
  assert.deepEqual(
    bass?.['Warps']?.['Warp']?.map((warp) => [warp['@time'], warp['@contentTime']].map(Number)),
    [
      [0, 0],
      [3, 1],
      [4, 1.5],
      [7.75, 3],
    ],
  );
  const [note] = clipsOf('Bass notes')[0]?.['Notes']?.['Note'] ?? [];
  assert.deepEqual(
    ['time', 'duration', 'key', 'vel'].map((name) => Number(note?.[`@${name}`])),
    [1, 2, 36, 1],
  );
  assert.deepEqual(
    arrangement['Markers']?.['Marker']?.map((marker) => [marker['@time'], marker['@name']]),
    [['3', 'Break & "drop" <1>']],
  );
  assert.deepEqual(
    arrangement['TempoAutomation']?.['RealPoint']?.map((point) => [point['@time'], Number(point['@value'])]),
    [
      ['0', 120],
      ['4', 150],
    ],
  );
  assert.equal(project['Transport']?.['TimeSignature']?.['@numerator'], '4');
  assert.match(
    String(metadata['Comment']),
    /1 reversed clip: .*fades on 1 clip.*equaliser of 1 lane.*reverb.*instruments/s,
  );
  assert.equal(
    (await library.ask(getProject, { params })).body.data.position,
    edits.length,
    'nothing was changed',
  );

  const stranger = await library.registerUser();
  const refused = await library.app.inject({
    method: 'GET',
    url: pathOf(exportDawproject, params),
    headers: stranger.headers,
  });
  assert.equal(refused.statusCode, 404);
});

test('clips that overlap are crossfaded in a DAWproject, and a project without beats has 120 bpm', async (t) => {
  const library = await openLibrary(t);
  const { projectId } = await createToneProject(library);
  const params = { id: projectId };
  const split = sentEdit('split', { start_ms: 1000, stem_type: 'drums' });
  await library.ask(addEditOperations, { params, body: { edits: [split] } });
  const { state } = (await library.ask(getProject, { params })).body.data;
  const second = state.lanes.find(({ id }) => id === 'drums')?.clips[1]?.id ?? '';
  const move = sentEdit('move', { clip_ids: [second], to_ms: 800 });
  await library.ask(addEditOperations, { params, body: { edits: [move] } });
  const { project } = await download(library, projectId);
  assert.equal(project['Transport']?.['Tempo']?.['@value'], '120');
  assert.equal(project['Arrangement']?.['Markers'], undefined);
  const drums = project['Arrangement']?.['Lanes']?.[0]?.['Lanes']?.[1]?.['Clips']?.['Clip'] ?? [];
  // The second clip begins where the first one ends, and fades in 0.2 s before that.
  assert.deepEqual(
    drums.map((clip) =>
      ['time', 'duration', 'playStart', 'fadeInTime', 'fadeOutTime'].map((name) => clip[`@${name}`]),
    ),
    [
      ['0', '2', '0', '0', '0.2'],
      ['2', '3.6', '1.2', '-0.2', '0'],
    ],
  );
});
