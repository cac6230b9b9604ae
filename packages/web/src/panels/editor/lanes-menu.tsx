import { ContextMenu } from '@base-ui/react/context-menu';
import type { FadeCurve } from '@stem-studio/contract/resources/edit-operation';
import type { ReactElement } from 'react';
import menuStyles from '../../ui/menu.module.css';
import { useStore } from '../../ui/use-store.ts';
import { fadeEdit, targetOf } from './clip-edit.ts';
import type { EditorModel } from './editor-model.ts';
import type { EditorPlayback } from './editor-playback.ts';
import { fadeNames } from './fade-names.ts';
import { selectClip, selectSpan } from './selection.ts';
import type { SelectionEdit } from './selection-edit.ts';

interface MenuLine {
  readonly label: string;
  readonly keys?: string;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
}

/** Menu of the lanes at the pointer, or with Shift F10 of the selection: what the toolbar and the keys do. */
export function LanesMenu({
  model,
  playback,
  isReadOnly,
  onWarp,
  children,
}: {
  model: EditorModel;
  playback: EditorPlayback;
  isReadOnly: boolean;
  onWarp: () => void;
  children: ReactElement;
}) {
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger render={children} />
      <ContextMenu.Portal>
        <ContextMenu.Positioner className={menuStyles['positioner']}>
          <ContextMenu.Popup className={menuStyles['popup']} aria-label="Selection">
            <Lines model={model} playback={playback} isReadOnly={isReadOnly} onWarp={onWarp} />
          </ContextMenu.Popup>
        </ContextMenu.Positioner>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}

function Lines({
  model,
  playback,
  isReadOnly,
  onWarp,
}: {
  model: EditorModel;
  playback: EditorPlayback;
  isReadOnly: boolean;
  onWarp: () => void;
}) {
  const { state, selection } = useStore(model.shown, (shown) => shown);
  const target = targetOf(state, selection);
  const clips = target && 'clip_ids' in target.params ? target.clips : [];
  const isReversed = clips.length > 0 && clips.every((clip) => clip.is_reversed);
  const perform = (label: string, operation: SelectionEdit, keys: string, needsSpan = true): MenuLine => ({
    label,
    keys,
    isDisabled: isReadOnly || (needsSpan && !selection.span),
    onChoose: () => model.perform(operation),
  });
  const lines: readonly MenuLine[] = [
    perform('Cut', 'cut', 'Ctrl X'),
    perform('Copy', 'copy', 'Ctrl C'),
    {
      ...perform('Paste at the cursor', 'paste', 'Ctrl V', false),
      isDisabled: isReadOnly || state.clipboard === null,
    },
    perform('Duplicate', 'duplicate', 'Ctrl D'),
    perform('Delete', 'delete', 'Delete'),
    perform('Remove time', 'remove_time', 'Shift Delete'),
    perform('Split at the cursor', 'split', 'S', false),
    {
      label: isReversed ? 'Play forwards' : 'Reverse',
      isDisabled: isReadOnly || clips.length === 0,
      onChoose: () =>
        model.edit({
          operation: 'reverse',
          params: { clip_ids: clips.map(({ id }) => id), value: isReversed ? 0 : 1 },
        }),
    },
    { label: 'Warp…', isDisabled: isReadOnly, onChoose: onWarp },
    {
      label: 'Loop selection',
      keys: 'L',
      isDisabled: !selection.span,
      onChoose: () => playback.toggleLoop(),
    },
    { label: 'Marker at the cursor', keys: 'K', isDisabled: isReadOnly, onChoose: () => model.act('marker') },
    {
      label: 'Mute lane',
      keys: 'M',
      isDisabled: isReadOnly || selection.lanes.length === 0,
      onChoose: () => model.act('mute'),
    },
    {
      label: 'Solo lane',
      keys: 'Shift S',
      isDisabled: isReadOnly || selection.lanes.length === 0,
      onChoose: () => model.act('solo'),
    },
    {
      label: 'Select lane',
      keys: 'Ctrl Shift A',
      isDisabled: selection.lanes.length === 0,
      onChoose: () => model.act('select-lane'),
    },
  ];
  return (
    <>
      {lines.map(({ label, keys, isDisabled = false, onChoose }) => (
        <ContextMenu.Item key={label} className={menuStyles['item']} disabled={isDisabled} onClick={onChoose}>
          {label}
          {keys !== undefined && <kbd className={menuStyles['note']}>{keys}</kbd>}
        </ContextMenu.Item>
      ))}
      {(['fade_in', 'fade_out'] as const).map((side) => (
        <ContextMenu.SubmenuRoot key={side}>
          <ContextMenu.SubmenuTrigger
            className={menuStyles['item']}
            disabled={isReadOnly || clips.length === 0}
          >
            {side === 'fade_in' ? 'Fade in' : 'Fade out'}
            <span className={menuStyles['note']} aria-hidden="true">
              ›
            </span>
          </ContextMenu.SubmenuTrigger>
          <ContextMenu.Portal>
            <ContextMenu.Positioner className={menuStyles['positioner']}>
              <ContextMenu.Popup className={menuStyles['popup']} aria-label="Curve">
                {(Object.keys(fadeNames) as (FadeCurve | 'none')[]).map((curve) => (
                  <ContextMenu.Item
                    key={curve}
                    className={menuStyles['item']}
                    onClick={() => model.edit(fadeEdit(clips, side, curve))}
                  >
                    {fadeNames[curve]}
                  </ContextMenu.Item>
                ))}
              </ContextMenu.Popup>
            </ContextMenu.Positioner>
          </ContextMenu.Portal>
        </ContextMenu.SubmenuRoot>
      ))}
    </>
  );
}

/** Selects what is under the pointer for the menu, unless it is selected already, and sets the cursor there. */
export function selectForMenu(
  model: EditorModel,
  at: { readonly clipId: string | null; readonly lane: string; readonly ms: number },
): void {
  const { selection, state } = model;
  if (at.clipId !== null) {
    const isSelected = selection.clips.includes(at.clipId);
    const selected = isSelected ? selection : selectClip(selection, state, at.clipId, false);
    model.select({ ...selected, cursorMs: at.ms });
    return;
  }
  const { span, lanes } = selection;
  const isInside = span && lanes.includes(at.lane) && at.ms >= span.startMs && at.ms < span.endMs;
  if (!isInside) model.select(selectSpan(at.ms, at.ms, [at.lane]));
}
