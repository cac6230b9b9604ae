import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type {
  exportAnalysis,
  exportMix,
  exportStemFile,
  exportStems,
  MidiGrid,
  MixPart,
} from '@stem-studio/contract/endpoints/exports';
import type { NoteSource } from '@stem-studio/contract/resources/notes';
import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Context } from '../../platform/context.ts';
import { failure, invalid, notFound } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { asReadable, type Readable } from '../../platform/owned.ts';
import { findNewestAnalysis, findNewestGrid } from '../analysis/index.ts';
import { listShownCues } from '../cues/index.ts';
import { getReadableNotes, midiOf } from '../notes/index.ts';
import { findStem, listStems, type StemRow } from '../processing/index.ts';
import { findTrack, getReadableTrack, type TrackWithAudio } from '../tracks/index.ts';
import type { TempoAndKey } from './render-tempo-and-key.ts';

/** Stems that the viewer may export, with their track. */
export interface ExportableStems {
  readonly track: Readable<TrackWithAudio>;
  readonly stems: readonly StemRow[];
  /** Gain at which the loudest stem of the separation fits into full scale; 1 if it already fits. */
  readonly gain: number;
}

/** Returns one gain for all stems of a separation, so that their sum keeps its proportions. */
function fittingGain(stems: readonly StemRow[]): number {
  return 1 / Math.max(1, ...stems.map((stem) => stem.peak));
}

/** Returns one stem of a track that the viewer may read. Throws `NOT_FOUND`. */
export async function findExportableStem(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<ExportableStems> {
  const stem = await findStem(context.db, id);
  const track = stem && asReadable(viewer, await findTrack(context.db, stem.track_id));
  if (!track) throw notFound('stem');
  return { track, stems: [stem], gain: fittingGain(await listStems(context.db, stem.processing_job_id)) };
}

/**
 * Returns the stems of a track’s default separation, or of another one. Throws `NOT_FOUND` with a message
 * that says what to do.
 */
export async function findExportableStems(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { job_id, stems: types }: Omit<HandlerInput<typeof exportStems>['query'], 'format'>,
): Promise<ExportableStems> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  const jobId = job_id ?? track.stems_job_id;
  if (jobId === null) throw failure('NOT_FOUND', 'the track has no stems yet: separate it first');
  const all = (await listStems(context.db, jobId)).filter((stem) => stem.track_id === track.id);
  if (all.length === 0) throw failure('NOT_FOUND', 'the track has no completed separation of that job_id');
  const missing = types?.filter((type) => all.every((stem) => stem.stem_type !== type)) ?? [];
  if (missing.length > 0) {
    const names = all.map((stem) => stem.stem_type).join(', ');
    throw failure('NOT_FOUND', `the separation has the stems ${names} (asked for ${missing.join(', ')})`);
  }
  const stems = types ? all.filter((stem) => types.includes(stem.stem_type)) : all;
  return { track, stems, gain: fittingGain(all) };
}

/** Stem types that contain singing. */
const vocalTypes: readonly StemType[] = ['vocals', 'backing_vocals'];

/** Stems to be summed, with their track. */
export interface ExportableMix extends ExportableStems {
  /** Content: `no vocals`, `only drums and bass`, `no vocals, tempo 90, key +2`. */
  readonly part: string;
  /** Null where tempo and key are as recorded: then the mix is the exact sum of the stored samples. */
  readonly tempoAndKey: TempoAndKey | null;
}

/** Joins stem types as text, such as `vocals, drums and bass`. */
function listed(types: readonly string[]): string {
  const names = types.map((type) => type.replaceAll('_', ' '));
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/**
 * Returns the stems of a mix: all except some, or only some. Throws `NOT_FOUND` as {@link findExportableStems} does,
 * and `VALIDATION_ERROR` unless exactly one of both is given and a stem remains.
 */
export async function findExportableMix(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { part, tempo, key, ...query }: HandlerInput<typeof exportMix>['query'],
): Promise<ExportableMix> {
  // Access is checked before the query.
  await getReadableTrack(context.db, viewer, trackId);
  const mix =
    part === undefined
      ? await findSelectedMix(context, viewer, trackId, query)
      : await findVocalMix(context, viewer, trackId, { part, ...query });
  if (tempo === 100 && key === 0) return { ...mix, tempoAndKey: null };
  const changes = [
    ...(tempo === 100 ? [] : [`tempo ${tempo}`]),
    ...(key === 0 ? [] : [`key ${key > 0 ? '+' : '−'}${Math.abs(key)}`]),
  ];
  return {
    ...mix,
    part: [mix.part, ...changes].join(', '),
    tempoAndKey: { rate: tempo / 100, semitones: key },
  };
}

type SelectedMix = Omit<ExportableMix, 'tempoAndKey'>;
type MixQuery = Pick<HandlerInput<typeof exportMix>['query'], 'without' | 'only' | 'job_id'>;

/** Returns the instrumental or the a cappella of a track: its stems without, or only, the stems with singing. */
async function findVocalMix(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { part, without, only, job_id }: MixQuery & { readonly part: MixPart },
): Promise<SelectedMix> {
  if (without || only) throw invalid({ part: ['must not be combined with without or only'] });
  const asked = job_id === undefined ? {} : { job_id };
  const { stems } = await findExportableStems(context, viewer, trackId, asked);
  const vocalStems = stems.map(({ stem_type }) => stem_type).filter((type) => vocalTypes.includes(type));
  // Without vocals, the message of the missing stem says which there are.
  const named = vocalStems.length === 0 ? (['vocals'] as const) : vocalStems;
  return findSelectedMix(context, viewer, trackId, {
    ...asked,
    [part === 'instrumental' ? 'without' : 'only']: [...named],
  });
}

async function findSelectedMix(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { without, only, job_id }: MixQuery,
): Promise<SelectedMix> {
  const named = without ?? only;
  if (named === undefined || (without && only)) {
    const rule = `must be one of both, without or only (got ${named ? 'both' : 'none'})`;
    throw invalid({ without: [rule], only: [rule] });
  }
  const asked = job_id === undefined ? {} : { job_id };
  const chosen = await findExportableStems(context, viewer, trackId, { ...asked, stems: named });
  if (only) return { ...chosen, part: `only ${listed(only)}` };
  const { stems: all } = await findExportableStems(context, viewer, trackId, asked);
  const stems = all.filter((stem) => !named.includes(stem.stem_type));
  if (stems.length === 0)
    throw invalid({
      without: [`must leave a stem (the separation has ${listed(all.map((s) => s.stem_type))})`],
    });
  return { ...chosen, stems, part: `no ${listed(named)}` };
}

/** Stems of a track as the four groups of a STEM file. */
export interface ExportableStemFile extends ExportableStems {
  /** Drums, bass, other and vocals; empty if the separation lacks one. */
  readonly groups: readonly {
    readonly name: string;
    readonly color: string;
    readonly stems: readonly StemRow[];
  }[];
}

/** Groups of a STEM file with their stem types; the third contains all other stems. */
const stemFileGroups: readonly { name: string; color: string; types: readonly StemType[] | null }[] = [
  { name: 'Drums', color: '#009E73', types: ['drums'] },
  { name: 'Bass', color: '#D55E00', types: ['bass'] },
  { name: 'Other', color: '#CC79A7', types: null },
  { name: 'Vocals', color: '#56B4E9', types: ['vocals', 'backing_vocals'] },
];

/** Returns the stems of a track in the four groups of a STEM file. Throws as {@link findExportableStems} does. */
export async function findExportableStemFile(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { job_id }: HandlerInput<typeof exportStemFile>['query'],
): Promise<ExportableStemFile> {
  const query = job_id === undefined ? {} : { job_id };
  const found = await findExportableStems(context, viewer, trackId, query);
  const named = stemFileGroups.flatMap(({ types }) => types ?? []);
  const groups = stemFileGroups.map(({ name, color, types }) => ({
    name,
    color,
    stems: found.stems.filter(({ stem_type }) =>
      types ? types.includes(stem_type) : !named.includes(stem_type),
    ),
  }));
  return { ...found, groups };
}

/** Returns the newest analysis of a readable track and its cue points. Throws `NOT_FOUND`. */
export async function exportableAnalysis(
  context: Context,
  viewer: Viewer,
  trackId: string,
): Promise<ReplyOf<typeof exportAnalysis>> {
  const track = await getReadableTrack(context.db, viewer, trackId);
  const { id, title, artist } = track;
  const analysis = await findNewestAnalysis(context.db, track);
  if (!analysis) throw failure('NOT_FOUND', 'the track has not been analysed yet: analyse it first');
  return { track_id: id, title, artist, analysis, cues: await listShownCues(context.db, id) };
}

/** Returns readable notes as a MIDI file with their track. Throws `NOT_FOUND`. */
export async function exportableMidi(
  context: Context,
  viewer: Viewer,
  id: string,
  quantize: MidiGrid,
): Promise<{ artist: string; title: string; source: NoteSource; bytes: Uint8Array }> {
  const { row, track } = await getReadableNotes(context, viewer, id);
  const { artist, title } = track;
  const { source, notes, monophonic } = row;
  const grid = await findNewestGrid(context.db, track);
  const bytes = midiOf({ title, source, notes, isMonophonic: monophonic, grid, quantize });
  return { artist, title, source, bytes };
}
