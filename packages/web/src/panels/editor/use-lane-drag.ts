import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import type { Clip } from '@stem-studio/contract/resources/project';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { warpMarksOf } from './clip-time.ts';
import { type ClipDrag, dragEdit } from './drag-edit.ts';
import type { EditorModel } from './editor-model.ts';
import { findOnset } from './find-onset.ts';
import { type Hit, hitAt } from './hit-test.ts';
import { lanesBetween, selectClip, selectSpan } from './selection.ts';
import { snapped } from './snap.ts';

/** A shorter drag is a click. */
const DRAG_PX = 3;
/** Distance within which the pointer takes an onset, in px, and at most in ms. */
const ONSET_PX = 10;
const ONSET_MS = 200;

const cursorOf: Readonly<Record<Hit['on'], string>> = {
  lane: 'text',
  body: 'text',
  title: 'grab',
  start: 'ew-resize',
  end: 'ew-resize',
  fade_in: 'ew-resize',
  fade_out: 'ew-resize',
};

interface Press {
  readonly x: number;
  readonly ms: number;
  readonly lane: string;
  readonly drag: ClipDrag | null;
  isMoved: boolean;
}

/** Returns where the pointer is: the lane, the position, and what is there. */
export function locate(model: EditorModel, event: MouseEvent) {
  const box = event.currentTarget.getBoundingClientRect();
  const { lanes } = model.state;
  const { fromSeconds, spanSeconds } = model.view.window;
  const laneHeight = box.height / Math.max(1, lanes.length);
  const y = event.clientY - box.top;
  const index = Math.min(lanes.length - 1, Math.max(0, Math.floor(y / laneHeight)));
  const x = event.clientX - box.left;
  const ms = Math.max(0, (fromSeconds + (x / Math.max(1, box.width)) * spanSeconds) * 1000);
  const xOf = (at: number) => ((at / 1000 - fromSeconds) / (spanSeconds || 1)) * box.width;
  const lane = lanes[index];
  const hit: Hit = lane ? hitAt(lane, x, y - index * laneHeight - 1, xOf) : { on: 'lane' };
  return { x, ms, lane: lane?.id ?? '', hit, pxPerMs: box.width / (1000 * (spanSeconds || 1)) };
}

const isCommand = (event: MouseEvent) => event.ctrlKey || event.metaKey;

/** Returns the position of the audio of a clip that the pointer takes: an onset, or else a beat or the pointer itself, in ms. */
function takenMs(model: EditorModel, samples: OnsetSource, clip: Clip, ms: number, pxPerMs: number): number {
  const radiusMs = Math.min(ONSET_MS, ONSET_PX / pxPerMs);
  const onset = findOnset(samples, model.state, clip, ms, radiusMs);
  if (onset !== null) return onset;
  const mark = snapped(ms, model.marks);
  return Math.abs(mark - ms) <= radiusMs ? mark : ms;
}

/** Samples in which onsets are found. */
export type OnsetSource = Parameters<typeof findOnset>[0];

/**
 * Returns the pointer handlers of the lanes: the name of a clip selects and moves it, its edges trim it, with Ctrl
 * stretch it, its handles fade it, and a drag elsewhere selects a span across lanes, or with Ctrl moves the onset under the
 * pointer: audio between the changes of tempo around it is stretched, at most within a selected span. Esc cancels a drag.
 *
 * @param showOnset shows which position would be taken, in ms; null for none
 */
export function useLaneDrag(
  model: EditorModel,
  samples: OnsetSource,
  showOnset: (ms: number | null, lane: string) => void,
) {
  const press = useRef<Press | null>(null);
  const end = () => {
    press.current = null;
    model.setDrag(null);
    model.preview(null);
  };
  const editAt = (event: PointerEvent, from: Press) => {
    const { ms, lane } = locate(model, event);
    return from.drag && dragEdit(model.state, from.drag, ms, lane, event.altKey ? [] : model.marks);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      showOnset(null, '');
      const { x, ms, lane, hit, pxPerMs } = locate(model, event);
      const before = model.selection;
      let drag: ClipDrag | null = null;
      if (hit.on !== 'lane' && hit.on !== 'body') {
        const { clip } = hit;
        if (!before.clips.includes(clip.id) || event.shiftKey) {
          model.select(selectClip(before, model.state, clip.id, event.shiftKey || event.ctrlKey));
        }
        const { clips } = model.selection;
        const isStretch = isCommand(event);
        const moved = clips.includes(clip.id) ? clips : [clip.id];
        drag = { part: hit.on, clip, lane, clips: moved, fromMs: ms, isStretch };
      } else if (hit.on === 'body' && isCommand(event)) {
        const { clip } = hit;
        const taken = takenMs(model, samples, clip, ms, pxPerMs);
        const { span } = before;
        const limits = span && taken > span.startMs && taken < span.endMs ? [span.startMs, span.endMs] : [];
        const fixedMs = [...warpMarksOf(model.state, clip), ...limits];
        drag = { part: 'onset', clip, lane, clips: [clip.id], fromMs: taken, fixedMs };
      } else {
        const at = snapped(ms, model.marks);
        model.select(selectSpan(event.shiftKey ? before.anchorMs : at, at, [lane]));
      }
      press.current = { x, ms, lane, drag, isMoved: false };
      model.setDrag(() => {
        model.select(before);
        end();
      });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = press.current;
      const { x, ms, lane, hit, pxPerMs } = locate(model, event);
      if (!from) {
        const isOnset = hit.on === 'body' && isCommand(event);
        event.currentTarget.style.cursor = isOnset ? 'col-resize' : cursorOf[hit.on];
        showOnset(isOnset ? takenMs(model, samples, hit.clip, ms, pxPerMs) : null, lane);
        return;
      }
      if (!from.isMoved && Math.abs(x - from.x) < DRAG_PX && lane === from.lane) return;
      from.isMoved = true;
      if (from.drag) {
        const edit = editAt(event, from);
        model.preview(edit && applyEdit(model.state, { ...edit, id: 'drag' }));
        return;
      }
      const ids = model.state.lanes.map(({ id }) => id);
      const anchor = event.shiftKey ? model.selection.anchorMs : snapped(from.ms, model.marks);
      model.select(selectSpan(anchor, snapped(ms, model.marks), lanesBetween(ids, from.lane, lane)));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = press.current;
      if (!from) return;
      const edit = from.isMoved ? editAt(event, from) : null;
      end();
      model.edit(edit);
    },
    onPointerCancel: () => model.cancelDrag(),
    onPointerLeave: () => showOnset(null, ''),
  };
}
