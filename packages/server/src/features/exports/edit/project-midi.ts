import type { MidiChords } from '@stem-studio/contract/endpoints/edit-export';
import type { MidiGrid } from '@stem-studio/contract/endpoints/exports';
import {
  cuesOnTimeline,
  spansOnTimeline,
  timesOnTimeline,
} from '@stem-studio/contract/projects/song-positions';
import { soundingChords, transpositionsOf } from '@stem-studio/contract/projects/sounding-chords';
import type { AnalysisResult } from '@stem-studio/contract/resources/analysis';
import type { Cue } from '@stem-studio/contract/resources/cue';
import type { OpenedProject, ProjectState } from '@stem-studio/contract/resources/project';
import { quantizeStepOf } from '@stem-studio/dsp/notes/midi/quantize';
import { createTempoMap } from '@stem-studio/dsp/notes/midi/tempo-map';
import { type ArrangedPart, writeMidiArrangement } from '@stem-studio/dsp/notes/midi/write-arrangement';
import { beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { findNewestAnalysis } from '../../analysis/index.ts';
import { listShownCues } from '../../cues/index.ts';
import { programOf } from '../../notes/index.ts';
import { readProject, showProject } from '../../projects/index.ts';
import { findTrack } from '../../tracks/index.ts';

/** How a project is written as MIDI. */
export interface ProjectMidiOptions {
  readonly quantize: MidiGrid;
  readonly chords: MidiChords;
}

/** What a MIDI file of a project contains beside the project itself. */
interface SongFacts {
  readonly title: string;
  /** Null if the track has not been analysed. */
  readonly analysis: Pick<AnalysisResult, 'beats' | 'downbeats' | 'time_signature' | 'key' | 'chords'> | null;
  readonly cues: readonly Pick<Cue, 'position_ms' | 'label'>[];
}

/** Returns the lanes that have notes as parts of a MIDI file. */
function partsOf({ lanes }: ProjectState): ArrangedPart[] {
  return lanes
    .filter(({ notes }) => notes.length > 0)
    .map(({ id, notes }) => ({
      name: id.replaceAll('_', ' '),
      program: programOf(id),
      isDrums: id === 'drums',
      notes: notes.map(({ start_ms, length_ms, pitch, velocity }) => ({
        startSeconds: start_ms / 1000,
        endSeconds: (start_ms + length_ms) / 1000,
        pitch,
        velocity,
        bendsCents: [],
      })),
    }));
}

/** Returns a project as a Standard MIDI File, with beats, chords and cue points where the project has them. */
export function projectMidi(
  state: ProjectState,
  { title, analysis, cues }: SongFacts,
  { quantize, chords }: ProjectMidiOptions,
): Uint8Array<ArrayBuffer> {
  const onTimeline = (seconds: readonly number[] | undefined) => timesOnTimeline(state, seconds ?? []);
  const beats = onTimeline(analysis?.beats);
  const rhythm = { beats, downbeats: onTimeline(analysis?.downbeats) };
  const signature = analysis?.time_signature;
  const grid = beatLookupOf({ ...rhythm, ...(signature !== undefined && { time_signature: signature }) });
  const markers = [
    ...cuesOnTimeline(state, cues).map(({ position_ms, label }) => ({ position_ms, label })),
    ...state.markers.map(({ start_ms, label }) => ({ position_ms: start_ms, label })),
  ];
  return writeMidiArrangement({
    title,
    map: createTempoMap(beats.length > 1 ? grid : null),
    key: analysis?.key ?? '',
    parts: partsOf(state),
    markers: markers.map(({ position_ms, label }) => ({ seconds: position_ms / 1000, text: label })),
    chords: soundingChords(spansOnTimeline(state, analysis?.chords ?? []), transpositionsOf(state.lanes)),
    hasChordNotes: chords === 'notes',
    quantize: quantizeStepOf(quantize),
  });
}

/** A project as a MIDI file, with the names of its download. */
export interface ExportedMidi {
  readonly artist: string;
  readonly title: string;
  /** Name of the project. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function midiOfProject(
  { db }: Context,
  { name, state, track_id }: OpenedProject,
  options: ProjectMidiOptions,
): Promise<ExportedMidi | null> {
  const track = await findTrack(db, track_id);
  if (!track) return null;
  const { artist, title } = track;
  const analysis = await findNewestAnalysis(db, track);
  const cues = await listShownCues(db, track.id);
  return { artist, title, name, bytes: projectMidi(state, { title, analysis, cues }, options) };
}

/**
 * Returns a readable project as a MIDI file. Throws `NOT_FOUND`.
 *
 * @spec Notes of lanes
 */
export async function exportMidiOfProject(
  context: Context,
  viewer: Viewer,
  id: string,
  options: ProjectMidiOptions,
): Promise<ExportedMidi> {
  const exported = await midiOfProject(context, await showProject(context, viewer, id), options);
  if (!exported) throw notFound('project');
  return exported;
}

/** Returns any project as a MIDI file, for the command line; null if there is none with this id. */
export async function readMidiOfProject(
  context: Context,
  id: string,
  options: ProjectMidiOptions,
): Promise<ExportedMidi | null> {
  const project = await readProject(context, id);
  return project && midiOfProject(context, project, options);
}
