import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Edit, editKinds } from '../resources/edit-operation.ts';
import { newCompressor, newReverb } from '../resources/lane-effects.ts';
import { editOf, redoPosition, undoPosition } from './edit-history.ts';
import { editText } from './edit-text.ts';

const note = { start_ms: 0, length_ms: 1, pitch: 60, velocity: 90 };
const changed = (values: object) => ({ stem_type: 'bass', notes: [{ id: 'a', ...values }] });
const span = { start_ms: 0, end_ms: 1000 };

test('every kind of operation has a text that names its lanes and values', () => {
  const texts: readonly [Edit, string][] = [
    [{ operation: 'cut', params: { ...span, stem_type: 'vocals' } }, 'Cut vocals'],
    [{ operation: 'copy', params: span }, 'Copy'],
    [{ operation: 'paste', params: { to_ms: 5 } }, 'Paste'],
    [
      { operation: 'delete', params: { ...span, lanes: ['vocals', 'electric_guitar'] } },
      'Delete vocals and electric guitar',
    ],
    [
      { operation: 'duplicate', params: { ...span, lanes: ['vocals', 'drums', 'bass'] } },
      'Duplicate 3 lanes',
    ],
    [{ operation: 'remove_time', params: span }, 'Remove time'],
    [{ operation: 'trim', params: { ...span, stem_type: 'bass' } }, 'Trim bass'],
    [{ operation: 'trim', params: { ...span, clip_id: 'bass' } }, 'Trim clip'],
    [{ operation: 'split', params: { start_ms: 1, stem_type: 'vocals', lanes: ['vocals'] } }, 'Split vocals'],
    [{ operation: 'move', params: { clip_ids: ['a'], to_ms: 0 } }, 'Move clip'],
    [
      { operation: 'move', params: { clip_ids: ['a', 'b'], to_ms: 0, stem_type: 'drums' } },
      'Move 2 clips to drums',
    ],
    [{ operation: 'fade_in', params: { ...span, stem_type: 'piano' } }, 'Fade in piano'],
    [{ operation: 'fade_out', params: span }, 'Fade out'],
    [{ operation: 'fade_out', params: { start_ms: 5, end_ms: 5, clip_id: 'a' } }, 'Remove fade-out'],
    [{ operation: 'fade_in', params: { ...span, clip_ids: ['a', 'b'] } }, 'Fade in 2 clips'],
    [
      { operation: 'fade_out', params: { start_ms: 5, end_ms: 5, clip_ids: ['a', 'b'] } },
      'Remove fade-out of 2 clips',
    ],
    [{ operation: 'volume', params: { stem_type: 'drums', value: 80 } }, 'Set volume of drums to 80 %'],
    [
      { operation: 'volume', params: { ...span, value: 12.345 } },
      'Set volume of a range of all lanes to 12.3 %',
    ],
    [{ operation: 'volume', params: { clip_id: 'a', value: 0 } }, 'Set clip volume to 0 %'],
    [{ operation: 'pan', params: { stem_type: 'bass', value: -20 } }, 'Set pan of bass to 20 left'],
    [{ operation: 'pan', params: { value: 0 } }, 'Set pan of all lanes to centre'],
    [{ operation: 'mute', params: { stem_type: 'vocals', value: 1 } }, 'Mute vocals'],
    [{ operation: 'solo', params: { value: 0 } }, 'Unsolo all lanes'],
    [{ operation: 'marker', params: { start_ms: 0, label: 'Chorus' } }, 'Set marker “Chorus”'],
    [{ operation: 'marker', params: { start_ms: 0, label: '' } }, 'Delete marker'],
    [{ operation: 'warp', params: { points: [] } }, 'Warp everything'],
    [{ operation: 'warp', params: { points: [], clip_ids: ['a'] } }, 'Warp clip'],
    [{ operation: 'transpose', params: { stem_type: 'bass', value: 2 } }, 'Transpose bass to +2 semitones'],
    [
      { operation: 'transpose', params: { clip_ids: ['a', 'b'], value: -1 } },
      'Transpose 2 clips to −1 semitones',
    ],
    [{ operation: 'reverse', params: { clip_ids: ['a'], value: 1 } }, 'Reverse clip'],
    [{ operation: 'reverse', params: { clip_ids: ['a'], value: 0 } }, 'Play clip forwards'],
    [{ operation: 'eq', params: { stem_type: 'bass', low_db: 2 } }, 'Set EQ of bass'],
    [
      { operation: 'compressor', params: { stem_type: 'bass', value: newCompressor } },
      'Set compressor of bass',
    ],
    [{ operation: 'compressor', params: { stem_type: 'bass', value: null } }, 'Remove compressor of bass'],
    [{ operation: 'reverb_send', params: { value: 20 } }, 'Set reverb send of all lanes to 20 %'],
    [{ operation: 'reverb', params: newReverb }, 'Set reverb'],
    [{ operation: 'set_notes', params: { stem_type: 'bass', notes: [note, note] } }, 'Set 2 notes of bass'],
    [{ operation: 'set_notes', params: { stem_type: 'bass', notes: [] } }, 'Delete all notes of bass'],
    [
      { operation: 'add_notes', params: { stem_type: 'backing_vocals', notes: [note] } },
      'Draw 1 note in backing vocals',
    ],
    [{ operation: 'change_notes', params: changed({ start_ms: 5, pitch: 6 }) }, 'Move 1 note of bass'],
    [{ operation: 'change_notes', params: changed({ start_ms: 5, length_ms: 6 }) }, 'Resize 1 note of bass'],
    [{ operation: 'change_notes', params: changed({ pitch: 6 }) }, 'Transpose 1 note of bass'],
    [{ operation: 'change_notes', params: changed({ velocity: 6 }) }, 'Set velocity of 1 note of bass'],
    [
      { operation: 'change_notes', params: { ...changed({ start_ms: 5 }), is_quantised: true } },
      'Quantise 1 note of bass',
    ],
    [
      { operation: 'delete_notes', params: { stem_type: 'bass', note_ids: ['a', 'b'] } },
      'Delete 2 notes of bass',
    ],
  ];
  for (const [edit, text] of texts) assert.equal(editText(edit), text);
  assert.deepEqual(new Set(texts.map(([{ operation }]) => operation)), new Set(editKinds));
});

test('undo and redo pass over copies, which change no audio', () => {
  const log = (['cut', 'copy', 'paste', 'copy', 'copy'] as const).map((operation) => ({ operation }));
  const undoFrom = [5, 4, 3, 2, 1, 0].map((position) => undoPosition(log, position));
  assert.deepEqual(undoFrom, [2, 2, 2, 0, 0, null]);
  const redoFrom = [0, 1, 2, 3, 4, 5].map((position) => redoPosition(log, position));
  assert.deepEqual(redoFrom, [1, 3, 3, null, null, null]);
  assert.deepEqual([undoPosition([], 0), redoPosition([], 0)], [null, null]);
});

test('an operation of a log is read as an edit, and as none if its parameters have another form', () => {
  const operation = {
    id: '0198C0DE-0000-7000-8000-000000000001',
    project_id: '0198c0de-0000-7000-8000-000000000002',
    track_id: '0198c0de-0000-7000-8000-000000000003',
    number: 1,
    operation: 'split',
    params: { start_ms: 5 },
    applied_at: '2026-01-31T12:00:00Z',
  } as const;
  const id = operation.id.toLowerCase();
  assert.deepEqual(editOf(operation), { id, operation: 'split', params: { start_ms: 5 } });
  assert.equal(editOf({ ...operation, params: { start_ms: 5, of_a_later_version: 1 } }), null);
});
