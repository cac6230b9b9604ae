import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  type Edit,
  type EditKind,
  edit,
  editKinds,
  fadeCurve,
  type IdentifiedEdit,
} from '../resources/edit-operation.ts';
import { newCompressor, newReverb } from '../resources/lane-effects.ts';
import type { LaneNote } from '../resources/lane-note.ts';
import { type Clip, type ProjectState, projectState } from '../resources/project.ts';
import type { StemType } from '../resources/stem.ts';
import { applyEdit } from './apply-edit.ts';
import { endOf } from './clip-parts.ts';
import { createProjectState } from './project-state.ts';
import { ratesOf, sourceMsAt } from './warp.ts';

const SONG_MS = 400;
const stems: readonly StemType[] = ['vocals', 'drums', 'bass'];
const newState = () =>
  createProjectState(stems.map((stem_type, index) => ({ stem_type, duration_ms: SONG_MS - 10 * index })));

const ms = fc.oneof(fc.integer({ min: 0, max: SONG_MS + 100 }), fc.constantFrom(0, 1, SONG_MS, 86_400_000));
const span = fc.tuple(ms, ms).filter(([one, other]) => one !== other);
const spanOf = ([one, other]: [number, number]) => ({
  start_ms: Math.min(one, other),
  end_ms: Math.max(one, other),
});
const named = fc.oneof(
  fc.constant({}),
  fc.constantFrom('vocals', 'drums', 'bass', 'unknown').map((stem_type) => ({ stem_type })),
  fc.constant({ lanes: ['bass', 'vocals', 'bass'] }),
);
const spanned = fc.tuple(span, named).map(([ends, lanes]) => ({ ...spanOf(ends), ...lanes }));
const curve = fc.option(fc.constantFrom(...fadeCurve.options), { nil: undefined });
/** Number of a clip among those of the state, and whether it exists. */
const clipNumber = fc.nat({ max: 40 });

/** A random operation; numbers of clips and notes become ids of the state that it is applied to. */
type Draw = (clips: readonly Clip[], notes: readonly LaneNote[]) => Edit;
const idOf = (clips: readonly Clip[], number: number) => clips[number]?.id ?? 'no-clip';
const simple = <T extends object>(operation: string, params: fc.Arbitrary<T>): fc.Arbitrary<Draw> =>
  params.map((drawn) => () => ({ operation, params: drawn }) as unknown as Edit);
const ofClip = <T extends object>(operation: string, params: fc.Arbitrary<T>): fc.Arbitrary<Draw> =>
  fc.tuple(params, clipNumber).map(
    ([drawn, number]) =>
      (clips) =>
        ({ operation, params: { ...drawn, clip_id: idOf(clips, number) } }) as unknown as Edit,
  );
const ofClips = <T extends object>(operation: string, params: fc.Arbitrary<T>): fc.Arbitrary<Draw> =>
  fc.tuple(params, fc.array(clipNumber, { minLength: 1, maxLength: 5 })).map(
    ([drawn, numbers]) =>
      (clips) =>
        ({
          operation,
          params: { ...drawn, clip_ids: numbers.map((number) => idOf(clips, number)) },
        }) as unknown as Edit,
  );
const fadeSpan = fc.tuple(ms, ms).map(spanOf);
const fade = fc.tuple(fadeSpan, curve).map(([ends, shape]) => ({ ...ends, ...(shape && { curve: shape }) }));
const move: fc.Arbitrary<Draw> = fc
  .tuple(fc.array(clipNumber, { minLength: 1, maxLength: 5 }), ms, named)
  .map(([numbers, to_ms, lanes]) => (clips) => ({
    operation: 'move',
    params: {
      clip_ids: numbers.map((number) => idOf(clips, number)),
      to_ms,
      ...('stem_type' in lanes && lanes),
    },
  }));
/** Steps from one point of a warp to the next: length before and after it, in ms. */
const point = fc
  .tuple(fc.integer({ min: 10, max: 80 }), fc.integer({ min: 30, max: 250 }))
  .map(([before, percent]) => ({ before, after: (before * percent) / 100 }));
function pointsOf(steps: readonly { before: number; after: number }[]) {
  let [from_ms, to_ms] = [0, 0];
  return steps.map(({ before, after }) => {
    from_ms += before;
    to_ms += after;
    return { from_ms, to_ms };
  });
}
const noteValues = {
  start_ms: fc.integer({ min: 0, max: SONG_MS }),
  length_ms: fc.integer({ min: 1, max: 300 }),
  pitch: fc.integer({ min: 0, max: 127 }),
  velocity: fc.integer({ min: 1, max: 127 }),
};
const noteLane = fc.constantFrom('vocals', 'bass', 'unknown');
const newNotes = fc.record({
  stem_type: noteLane,
  notes: fc.array(fc.record(noteValues), { minLength: 1, maxLength: 6 }),
});
const noteNumbers = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 });
const noteIdOf = (notes: readonly LaneNote[], number: number) => notes[number]?.id ?? 'no-note';
const changedNotes: fc.Arbitrary<Draw> = fc
  .tuple(noteLane, noteNumbers, fc.record(noteValues, { requiredKeys: [] }))
  .map(([stem_type, numbers, values]) => (_clips, notes) => {
    const changes = numbers.map((number) => ({ id: noteIdOf(notes, number), ...values }));
    return { operation: 'change_notes', params: { stem_type, notes: changes } };
  });
const deletedNotes: fc.Arbitrary<Draw> = fc
  .tuple(noteLane, noteNumbers)
  .map(([stem_type, numbers]) => (_clips, notes) => ({
    operation: 'delete_notes',
    params: { stem_type, note_ids: numbers.map((number) => noteIdOf(notes, number)) },
  }));
const value = fc.integer({ min: 0, max: 200 });
const draw: fc.Arbitrary<Draw> = fc.oneof(
  ...['cut', 'copy', 'delete', 'duplicate'].map((kind) => simple(kind, spanned)),
  simple('paste', fc.record({ to_ms: ms })),
  simple('remove_time', span.map(spanOf)),
  simple('trim', spanned),
  ofClip('trim', span.map(spanOf)),
  { arbitrary: simple('split', fc.record({ start_ms: ms })), weight: 3 },
  { arbitrary: move, weight: 6 },
  ...['fade_in', 'fade_out'].flatMap((kind) => [simple(kind, fade), ofClip(kind, fade), ofClips(kind, fade)]),
  simple(
    'volume',
    fc.tuple(spanned, value).map(([params, percent]) => ({ ...params, value: percent })),
  ),
  ofClip('volume', fc.record({ value })),
  simple('pan', fc.record({ value: fc.integer({ min: -100, max: 100 }) })),
  ...['mute', 'solo'].map((kind) => simple(kind, fc.record({ value: fc.constantFrom(0, 1) }))),
  {
    arbitrary: fc.tuple(fc.array(point, { minLength: 2, maxLength: 4 }), fc.option(clipNumber), named).map(
      ([drawn, number, lanes]): Draw =>
        (clips) =>
          ({
            operation: 'warp',
            params: {
              points: pointsOf(drawn),
              ...lanes,
              ...(number !== null && { clip_ids: [idOf(clips, number)] }),
            },
          }) as unknown as Edit,
    ),
    weight: 3,
  },
  simple(
    'transpose',
    fc
      .tuple(spanned, fc.integer({ min: -24, max: 24 }))
      .map(([params, semitones]) => ({ ...params, value: semitones })),
  ),
  fc.tuple(clipNumber, fc.constantFrom<0 | 1>(0, 1)).map(
    ([number, direction]): Draw =>
      (clips) => ({ operation: 'reverse', params: { clip_ids: [idOf(clips, number)], value: direction } }),
  ),
  simple('eq', fc.record({ low_db: fc.integer({ min: -24, max: 12 }) })),
  simple(
    'compressor',
    fc.constantFrom({ value: null }, { value: newCompressor }, { stem_type: 'bass', value: newCompressor }),
  ),
  simple('reverb_send', fc.record({ value: fc.integer({ min: 0, max: 100 }) })),
  simple('reverb', fc.constantFrom(newReverb, { ...newReverb, decay_s: 3 })),
  ...['set_notes', 'add_notes'].map((kind) => simple(kind, newNotes)),
  changedNotes,
  deletedNotes,
  simple('marker', fc.record({ start_ms: ms, label: fc.constantFrom('', 'Chorus') })),
);

/** Throws if a state breaks a rule that every state obeys. */
function checkState(state: ProjectState): void {
  projectState.parse(state);
  const sourceMs = new Map(state.sources.map(({ source, length_ms }) => [source, length_ms]));
  const ids = state.lanes.flatMap(({ clips }) => clips.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length, 'ids of clips are unique');
  for (const { clips } of [...state.lanes, ...(state.clipboard?.lanes ?? [])]) {
    for (const [index, clip] of clips.entries()) {
      const lengthMs = sourceMs.get(clip.source) ?? 0;
      const warp = state.warps.find(({ id }) => id === clip.warp);
      assert.equal(warp !== undefined, clip.warp !== null, 'the warp exists');
      // Ends are whole milliseconds: a rounded one may be beyond the source by less than two.
      const endMs = sourceMsAt(warp, clip.from_ms + clip.length_ms);
      assert.ok(endMs <= lengthMs + (warp ? 8 : 2), `within the source: ${endMs} of ${lengthMs}`);
      for (const rate of ratesOf(warp?.points ?? []))
        assert.ok(rate > 0.249 && rate < 4.001, `the tempo is allowed: ${rate}`);
      assert.ok(clip.fade_in.length_ms + clip.fade_out.length_ms <= clip.length_ms, 'fades fit');
      assert.ok(endOf(clip) <= 86_400_000, 'within the timeline');
      const next = clips[index + 1];
      if (next) {
        assert.ok(next.start_ms > clip.start_ms, 'sorted by start');
        assert.ok(endOf(next) > endOf(clip), 'not covered');
      }
      const third = clips[index + 2];
      if (third) assert.ok(third.start_ms >= endOf(clip), 'two at most');
    }
  }
  const noteIds = state.lanes.flatMap(({ notes }) => notes.map(({ id }) => id));
  assert.equal(new Set(noteIds).size, noteIds.length, 'ids of notes are unique');
  for (const { notes } of state.lanes)
    for (const [index, { start_ms, length_ms, pitch }] of notes.entries()) {
      assert.ok(start_ms + length_ms <= 86_400_000, 'notes are within the timeline');
      const before = notes[index - 1];
      const isOrdered =
        !before || before.start_ms < start_ms || (before.start_ms === start_ms && before.pitch <= pitch);
      assert.ok(isOrdered, 'notes are sorted by start and pitch');
    }
  for (const list of [state.markers, state.time_map])
    for (const [index, { start_ms }] of list.entries())
      assert.ok(index === 0 || start_ms > (list[index - 1]?.start_ms ?? 0), 'sorted by start');
}

const numbered = (operation: Edit, number: number): IdentifiedEdit => ({
  ...operation,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
});

/** Applies drawn operations, each to the state after the one before; calls `check` with every step. */
function applyDrawn(
  draws: readonly Draw[],
  check: (before: ProjectState, edit: IdentifiedEdit, after: ProjectState) => void,
): ProjectState {
  let state = newState();
  for (const [number, next] of draws.entries()) {
    const drawn = next(
      state.lanes.flatMap(({ clips }) => clips),
      state.lanes.flatMap(({ notes }) => notes),
    );
    const operation = numbered(edit.parse(drawn), number);
    const before = state;
    state = applyEdit(before, operation);
    check(before, operation, state);
  }
  return state;
}

test('ten thousand random operations keep every rule of a state', () => {
  const changing = new Set<EditKind>();
  fc.assert(
    fc.property(fc.array(draw, { minLength: 100, maxLength: 100, size: 'max' }), (draws) => {
      applyDrawn(draws, (before, { operation }, after) => {
        if (after === before) return;
        changing.add(operation);
        checkState(after);
        assert.notDeepEqual(after, before, `${operation} returns the same object when nothing changes`);
      });
    }),
    { numRuns: 100 },
  );
  assert.deepEqual(changing, new Set(editKinds), 'kinds that changed a state');
});

const short = fc.integer({ min: 1, max: 60 });
const position = fc.integer({ min: 0, max: 200 });
const overlapping: fc.Arbitrary<Draw> = fc.oneof(
  fc.tuple(clipNumber, position).map(
    ([number, to_ms]): Draw =>
      (clips) => ({
        operation: 'move',
        params: { clip_ids: [idOf(clips, number)], to_ms, stem_type: 'vocals' },
      }),
  ),
  ofClip(
    'trim',
    fc.tuple(position, short).map(([start_ms, length]) => ({ start_ms, end_ms: start_ms + length })),
  ),
);

test('clips that are moved over one another on one lane keep every rule of a state', () => {
  const splits = [40, 90, 130, 170, 220, 260, 310].map(
    (start_ms): Draw =>
      () => ({ operation: 'split', params: { start_ms } }),
  );
  fc.assert(
    fc.property(fc.array(overlapping, { minLength: 80, maxLength: 80, size: 'max' }), (draws) => {
      applyDrawn([...splits, ...draws], (_before, _edit, after) => checkState(after));
    }),
    { numRuns: 100 },
  );
});

test('an operation changes neither its state nor a lane that it does not name', () => {
  fc.assert(
    fc.property(fc.array(draw, { maxLength: 30 }), (draws) => {
      applyDrawn(draws, (before, operation, after) => {
        const copy = structuredClone(before);
        assert.deepEqual(applyEdit(before, operation), after, 'the same result each time');
        assert.deepEqual(before, copy);
        if (!('stem_type' in operation.params) || operation.operation === 'move') return;
        for (const [index, lane] of before.lanes.entries())
          if (lane.id !== operation.params.stem_type) assert.equal(after.lanes[index], lane);
      });
    }),
    { numRuns: 100 },
  );
});

/** Source positions that sound at each ms of a lane, with the gain of their clips. */
function sourcesOf({ clips }: { readonly clips: readonly Clip[] }, lengthMs: number): string[] {
  return Array.from({ length: lengthMs }, (_, at) =>
    clips
      .filter((clip) => clip.start_ms <= at && at < endOf(clip))
      .map((clip) => `${clip.source}@${clip.from_ms + at - clip.start_ms}×${clip.volume}`)
      .join('+'),
  );
}

test('a split changes no audio but crossfades, and deleted time has none', () => {
  const silent = (at: number, { start_ms, end_ms }: { start_ms: number; end_ms: number }) =>
    at >= start_ms && at < end_ms;
  fc.assert(
    fc.property(fc.array(draw, { maxLength: 12 }), ms, span.map(spanOf), (draws, at, deleted) => {
      const state = applyDrawn(draws, () => undefined);
      const split = applyEdit(state, numbered({ operation: 'split', params: { start_ms: at } }, 100));
      const less = applyEdit(state, numbered({ operation: 'delete', params: deleted }, 101));
      for (const [index, lane] of state.lanes.entries()) {
        const before = sourcesOf(lane, 600);
        const after = sourcesOf(split.lanes[index] as ProjectState['lanes'][number], 600);
        const rest = sourcesOf(less.lanes[index] as ProjectState['lanes'][number], 600);
        for (const [position, sources] of before.entries()) {
          if (!sources.includes('+')) assert.equal(after[position], sources);
          else assert.ok(sources.split('+').includes(after[position] ?? '') || after[position] === sources);
          if (silent(position, deleted)) assert.equal(rest[position], '');
          else if (!sources.includes('+')) assert.equal(rest[position], sources);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('a state at any position of the log is that of the operations before it', () => {
  fc.assert(
    fc.property(fc.array(draw, { minLength: 1, maxLength: 30 }), fc.nat(), (draws, chosen) => {
      const edits: IdentifiedEdit[] = [];
      const states: ProjectState[] = [newState()];
      applyDrawn(draws, (_before, operation, state) => {
        edits.push(operation);
        states.push(state);
      });
      const position = chosen % states.length;
      assert.deepEqual(edits.slice(0, position).reduce(applyEdit, newState()), states[position]);
    }),
    { numRuns: 100 },
  );
});
