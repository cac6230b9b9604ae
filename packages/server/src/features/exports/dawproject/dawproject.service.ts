import { dawprojectLosses } from '@stem-studio/contract/projects/dawproject-losses';
import { cuesOnTimeline, timesOnTimeline } from '@stem-studio/contract/projects/song-positions';
import type { OpenedProject } from '@stem-studio/contract/resources/project';
import { createTempoMap } from '@stem-studio/dsp/notes/midi/tempo-map';
import { beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { Context } from '../../../platform/context.ts';
import { findNewestAnalysis } from '../../analysis/index.ts';
import { listShownCues } from '../../cues/index.ts';
import { listStems } from '../../processing/index.ts';
import { findTrack, type TrackWithAudio } from '../../tracks/index.ts';
import { openStoredZip, type StoredZip, storedStem, withoutStems } from '../archive/stored-zip.ts';
import { downloadName } from '../download-name.ts';
import type { DawContent } from './daw-content.ts';
import { projectXml } from './project-xml.ts';
import { element, type XmlElement, xmlDocument } from './xml.ts';

/** Returns `metadata.xml` of a DAWproject, whose comment lists what the format cannot hold. */
function metadataXml(track: TrackWithAudio, losses: readonly string[]): XmlElement {
  const { title, artist, album, year, genre } = track;
  const texts = {
    Title: title,
    Artist: artist,
    Album: album,
    Year: year === null ? '' : String(year),
    Genre: genre,
    Comment: losses.length === 0 ? '' : `Not in this project: ${losses.join(' ')}`,
  };
  return element(
    'MetaData',
    {},
    Object.entries(texts).flatMap(([name, text]) => (text === '' ? [] : [element(name, {}, text)])),
  );
}

/** Returns tempo and markers of a project, from the beats and cue points of its song. */
async function songContent(
  { db }: Context,
  track: TrackWithAudio,
  { state }: OpenedProject,
): Promise<Pick<DawContent, 'map' | 'markers'>> {
  const analysis = await findNewestAnalysis(db, track);
  const onTimeline = (seconds: readonly number[] | undefined) => timesOnTimeline(state, seconds ?? []);
  const beats = onTimeline(analysis?.beats);
  const signature = analysis?.time_signature;
  const rhythm = { beats, downbeats: onTimeline(analysis?.downbeats) };
  const grid = beatLookupOf({ ...rhythm, ...(signature !== undefined && { time_signature: signature }) });
  const cues = cuesOnTimeline(state, await listShownCues(db, track.id));
  const markers = [
    ...cues.map(({ position_ms, label }) => ({ ms: position_ms, label })),
    ...state.markers.map(({ start_ms, label }) => ({ ms: start_ms, label })),
  ];
  return {
    map: createTempoMap(beats.length > 1 ? grid : null),
    markers: markers.toSorted((one, other) => one.ms - other.ms),
  };
}

/**
 * Prepares a project as a DAWproject: `project.xml`, `metadata.xml` and the stems as they are stored.
 *
 * @throws `PROJECT_WITHOUT_STEMS`
 * @see https://github.com/bitwig/dawproject
 * @spec DAWproject export
 */
export async function prepareDawproject(context: Context, project: OpenedProject): Promise<StoredZip> {
  const track = await findTrack(context.db, project.track_id);
  const stems = await listStems(context.db, project.job_id);
  if (!track || stems.length === 0) throw withoutStems();
  const files = await Promise.all(stems.map((stem) => storedStem(context, stem, 'audio')));
  const content: DawContent = {
    state: project.state,
    stems: stems.map(({ stem_type, duration_ms, sample_rate, channels }, index) => ({
      source: stem_type,
      path: files[index]?.path ?? '',
      seconds: duration_ms / 1000,
      sampleRateHz: sample_rate,
      channels,
    })),
    ...(await songContent(context, track, project)),
  };
  const { artist, title } = track;
  return openStoredZip(context, {
    name: downloadName({ artist, title, part: project.name, extension: 'dawproject' }),
    made: [
      { path: 'metadata.xml', content: xmlDocument(metadataXml(track, dawprojectLosses(project.state))) },
      { path: 'project.xml', content: xmlDocument(projectXml(content)) },
    ],
    stored: files,
    modified: new Date(project.updated_at),
  });
}
