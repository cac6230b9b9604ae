import { Menu } from '@base-ui/react/menu';
import { redoPosition, undoPosition } from '@stem-studio/contract/projects/edit-history';
import { editText } from '@stem-studio/contract/projects/edit-text';
import { countText } from '../../base/format.ts';
import { Button, buttonClass, IconButton } from '../../ui/button.tsx';
import menuStyles from '../../ui/menu.module.css';
import { Select } from '../../ui/select.tsx';
import { useStore } from '../../ui/use-store.ts';
import type { LogStep } from './edit-queue.ts';
import styles from './editor.module.css';
import type { EditorModel } from './editor-model.ts';
import type { SelectionEdit } from './selection-edit.ts';
import { type SnapKind, snapKinds } from './snap.ts';

const snapNames: Readonly<Record<SnapKind, string>> = {
  bar: 'Bar',
  beat: 'Beat',
  section: 'Section',
  off: 'Off',
};
const snapOptions = snapKinds.map((value) => ({ value, label: `Snap: ${snapNames[value]}` }));

const stepText = ({ edit, operation }: LogStep) => (edit ? editText(edit) : operation);

const tools: readonly { operation: SelectionEdit; label: string; needsSpan: boolean }[] = [
  { operation: 'split', label: 'Split', needsSpan: false },
  { operation: 'cut', label: 'Cut', needsSpan: true },
  { operation: 'copy', label: 'Copy', needsSpan: true },
  { operation: 'paste', label: 'Paste', needsSpan: false },
  { operation: 'duplicate', label: 'Duplicate', needsSpan: true },
  { operation: 'delete', label: 'Delete', needsSpan: true },
  { operation: 'trim', label: 'Trim to selection', needsSpan: true },
  { operation: 'fade_in', label: 'Fade in', needsSpan: true },
  { operation: 'fade_out', label: 'Fade out', needsSpan: true },
  { operation: 'remove_time', label: 'Remove time', needsSpan: true },
];

/** Undo, redo, history and the operations on the selection. */
export function EditorToolbar({ model, isReadOnly }: { model: EditorModel; isReadOnly: boolean }) {
  const { steps, position } = useStore(model.editor.shown, ({ log }) => log);
  const selection = useStore(model.shown, (shown) => shown.selection);
  const hasClipboard = useStore(model.shown, ({ state }) => state.clipboard !== null);
  const undone = undoPosition(steps, position);
  const redone = redoPosition(steps, position);
  const undoStep = undone === null ? undefined : steps[undone];
  const redoStep = redone === null ? undefined : steps[redone - 1];
  return (
    <div className={styles['tools']} role="toolbar" aria-label="Edit">
      <Button
        small
        icon="undo"
        disabled={!undoStep || isReadOnly}
        title="Undo (Ctrl Z)"
        className={styles['step']}
        onClick={() => model.editor.undo()}
      >
        {undoStep ? `Undo ${stepText(undoStep)}` : 'Undo'}
      </Button>
      <Button
        small
        icon="redo"
        disabled={!redoStep || isReadOnly}
        title="Redo (Ctrl Shift Z)"
        className={styles['step']}
        onClick={() => model.editor.redo()}
      >
        {redoStep ? `Redo ${stepText(redoStep)}` : 'Redo'}
      </Button>
      <HistoryMenu model={model} steps={steps} position={position} isReadOnly={isReadOnly} />
      <span className={styles['gap']} />
      {tools.map(({ operation, label, needsSpan }) => (
        <Button
          key={operation}
          small
          look="quiet"
          disabled={isReadOnly || (needsSpan && !selection.span) || (operation === 'paste' && !hasClipboard)}
          onClick={() => model.perform(operation)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** Snapping, zoom and the list of keyboard shortcuts. */
export function ViewTools({
  model,
  snap,
  onSnap,
  onListKeys,
}: {
  model: EditorModel;
  snap: SnapKind;
  onSnap: (kind: SnapKind) => void;
  onListKeys: () => void;
}) {
  return (
    <div className={styles['viewTools']}>
      <Select label="Snap" value={snap} options={snapOptions} onChange={onSnap} />
      <IconButton small icon="zoomOut" label="Zoom out (−)" onClick={() => model.act('zoom-out')} />
      <IconButton small icon="zoomIn" label="Zoom in (+)" onClick={() => model.act('zoom-in')} />
      <IconButton small icon="fitWidth" label="Zoom to fit (0)" onClick={() => model.act('fit')} />
      <IconButton small icon="keyboard" label="Keyboard shortcuts (?)" onClick={onListKeys} />
    </div>
  );
}

/** List of the steps, the newest first; a choice undoes or redoes to it. */
function HistoryMenu({
  model,
  steps,
  position,
  isReadOnly,
}: {
  model: EditorModel;
  steps: readonly LogStep[];
  position: number;
  isReadOnly: boolean;
}) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        className={buttonClass({ small: true })}
        disabled={steps.length === 0 || isReadOnly}
        title={`${countText(position, 'step')} applied`}
      >
        History
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} sideOffset={4}>
          <Menu.Popup className={`${menuStyles['popup']} ${menuStyles['long']}`} aria-label="History">
            {steps
              .map((step, index) => ({ step, number: index + 1 }))
              .toReversed()
              .map(({ step, number }) => (
                <Menu.Item
                  key={step.id}
                  className={menuStyles['item']}
                  aria-current={number === position ? 'step' : undefined}
                  onClick={() => model.editor.moveTo(number)}
                >
                  {number}. {stepText(step)}
                  {number > position && <span className={menuStyles['note']}>undone</span>}
                  {number === position && <span className={menuStyles['note']}>now</span>}
                </Menu.Item>
              ))}
            <Menu.Item
              className={menuStyles['item']}
              aria-current={position === 0 ? 'step' : undefined}
              onClick={() => model.editor.moveTo(0)}
            >
              Stems as separated
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
