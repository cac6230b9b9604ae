import type { Edit, EditKind } from '../resources/edit-operation.ts';
import { namedLanes } from './edited-lanes.ts';

type ParamsOf<K extends EditKind> = Extract<Edit, { operation: K }>['params'];

/** Returns the lanes that an edit names, such as "vocals and drums"; an empty text if it is for all. */
function laneText(params: { stem_type?: string | undefined; lanes?: readonly string[] | undefined }): string {
  const names = (namedLanes(params) ?? []).map((lane) => lane.replaceAll('_', ' '));
  if (names.length > 2) return `${names.length} lanes`;
  return names.join(' and ');
}

/** Returns "clip" or "3 clips"; an empty text where none are named. */
function clipText(ids: readonly string[] | undefined): string {
  if (!ids) return '';
  return ids.length === 1 ? 'clip' : `${ids.length} clips`;
}

/** Returns "1 note" or "3 notes". */
const noteText = ({ length }: readonly unknown[]) => `${length} ${length === 1 ? 'note' : 'notes'}`;

/** Returns what a change does to notes, by the values that it has. */
function changeVerb(notes: ParamsOf<'change_notes'>['notes']): string {
  const has = (name: 'start_ms' | 'length_ms' | 'pitch' | 'velocity') =>
    notes.some((note) => note[name] !== undefined);
  if (has('velocity')) return 'Set velocity of';
  if (has('length_ms')) return 'Resize';
  if (has('start_ms')) return 'Move';
  return has('pitch') ? 'Transpose' : 'Change';
}

const signedText = (value: number) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${numberText(Math.abs(value))}`;

const withLaneNames =
  (verb: string) =>
  (params: Parameters<typeof laneText>[0]): string =>
    [verb, laneText(params)].filter((part) => part !== '').join(' ');

const numberText = (value: number) => String(Math.round(value * 10) / 10);

function panText(value: number): string {
  if (value === 0) return 'centre';
  return `${numberText(Math.abs(value))} ${value < 0 ? 'left' : 'right'}`;
}

function fadeText(verb: string, { clip_ids, ...params }: ParamsOf<'fade_in'>): string {
  const isRemoved = params.end_ms === params.start_ms;
  const action = isRemoved ? `Remove ${verb.toLowerCase().replace(' ', '-')}` : verb;
  if (clip_ids) return `${action}${isRemoved ? ' of' : ''} ${clipText(clip_ids)}`;
  return withLaneNames(action)(params);
}

function volumeText({ clip_id, clip_ids, start_ms, value, ...named }: ParamsOf<'volume'>): string {
  const percent = `${numberText(value)} %`;
  if (clip_id !== undefined) return `Set clip volume to ${percent}`;
  if (clip_ids) return `Set volume of ${clipText(clip_ids)} to ${percent}`;
  const lanes = laneText(named) || 'all lanes';
  return start_ms === undefined
    ? `Set volume of ${lanes} to ${percent}`
    : `Set volume of a range of ${lanes} to ${percent}`;
}

const textOf: { readonly [K in EditKind]: (params: ParamsOf<K>) => string } = {
  cut: withLaneNames('Cut'),
  copy: withLaneNames('Copy'),
  paste: () => 'Paste',
  delete: withLaneNames('Delete'),
  duplicate: withLaneNames('Duplicate'),
  remove_time: () => 'Remove time',
  trim: (params) => (params.clip_id === undefined ? withLaneNames('Trim')(params) : 'Trim clip'),
  split: withLaneNames('Split'),
  move: ({ clip_ids, stem_type }) =>
    `Move ${clipText(clip_ids)}${stem_type === undefined ? '' : ` to ${laneText({ stem_type })}`}`,
  fade_in: (params) => fadeText('Fade in', params),
  fade_out: (params) => fadeText('Fade out', params),
  volume: volumeText,
  pan: (params) => `Set pan of ${laneText(params) || 'all lanes'} to ${panText(params.value)}`,
  mute: (params) => `${params.value === 1 ? 'Mute' : 'Unmute'} ${laneText(params) || 'all lanes'}`,
  solo: (params) => `${params.value === 1 ? 'Solo' : 'Unsolo'} ${laneText(params) || 'all lanes'}`,
  marker: ({ label }) => (label === '' ? 'Delete marker' : `Set marker “${label}”`),
  warp: ({ clip_ids, ...named }) => `Warp ${clipText(clip_ids) || laneText(named) || 'everything'}`,
  transpose: ({ clip_ids, value, ...named }) =>
    `Transpose ${clipText(clip_ids) || laneText(named) || 'all lanes'} to ${signedText(value)} semitones`,
  reverse: ({ clip_ids, value }) =>
    value === 1 ? `Reverse ${clipText(clip_ids)}` : `Play ${clipText(clip_ids)} forwards`,
  eq: (params) => `Set EQ of ${laneText(params) || 'all lanes'}`,
  compressor: ({ value, ...named }) =>
    `${value ? 'Set' : 'Remove'} compressor of ${laneText(named) || 'all lanes'}`,
  reverb_send: ({ value, ...named }) =>
    `Set reverb send of ${laneText(named) || 'all lanes'} to ${numberText(value)} %`,
  reverb: () => 'Set reverb',
  set_notes: ({ notes, ...named }) =>
    notes.length === 0
      ? `Delete all notes of ${laneText(named)}`
      : `Set ${noteText(notes)} of ${laneText(named)}`,
  add_notes: ({ notes, ...named }) => `Draw ${noteText(notes)} in ${laneText(named)}`,
  change_notes: ({ notes, is_quantised, ...named }) =>
    `${is_quantised ? 'Quantise' : changeVerb(notes)} ${noteText(notes)} of ${laneText(named)}`,
  delete_notes: ({ note_ids, ...named }) => `Delete ${noteText(note_ids)} of ${laneText(named)}`,
};

/**
 * Returns the text of a step of the history, such as "Cut vocals", "Fade out" or "Set volume of drums to 80 %".
 *
 * @spec Edit operations
 */
export function editText({ operation, params }: Edit): string {
  return (textOf[operation] as (params: ParamsOf<EditKind>) => string)(params);
}
