import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { targetOf, tempoOf, type WarpKind, warpPoints } from './clip-edit.ts';
import styles from './editor.module.css';
import type { EditorModel } from './editor-model.ts';

const kinds: readonly { value: WarpKind; label: string }[] = [
  { value: 'straighten', label: 'Straighten: each beat on the grid' },
  { value: 'stretch', label: 'Stretch: one tempo change for all' },
];

/** Brings the song, or the selected clips, to a tempo. The pitch stays. */
export function WarpDialog({
  model,
  beatsMs,
  onClose,
}: {
  model: EditorModel;
  /** Beats of the song on the timeline, in ms. */
  beatsMs: readonly number[];
  onClose: () => void;
}) {
  const { state, selection } = model.shown.getState();
  const [target] = useState(() => targetOf(state, selection));
  const clips = target && 'clip_ids' in target.params ? target.clips : [];
  const [part, setPart] = useState<'all' | 'clips'>(clips.length > 0 ? 'clips' : 'all');
  const [kind, setKind] = useState<WarpKind>('straighten');
  const starts = clips.map(({ start_ms }) => start_ms);
  const ends = clips.map(({ start_ms, length_ms }) => start_ms + length_ms);
  const beats =
    part === 'all' ? beatsMs : beatsMs.filter((at) => at >= Math.min(...starts) && at <= Math.max(...ends));
  const tempo = tempoOf(beats);
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (tempo === null ? '' : String(Math.round(tempo * 100) / 100));
  const bpm = Number(shown.replace(',', '.'));
  const points = bpm > 0 ? warpPoints({ kind, beatsMs: beats, bpm }) : null;
  const error =
    tempo === null
      ? 'There are no beats here. Analyse the track, or choose another part.'
      : points
        ? ''
        : 'Must be between a quarter and four times the tempo now';
  const apply = () => {
    if (!points) return;
    const named = part === 'clips' ? { clip_ids: clips.map(({ id }) => id) } : {};
    model.edit({ operation: 'warp', params: { points, ...named } });
    onClose();
  };
  return (
    <Dialog title="Warp" onClose={onClose}>
      <div className={styles['export']}>
        <SelectField
          label="Part"
          value={part}
          options={[
            { value: 'all' as const, label: 'Everything, with bars and markers' },
            ...(clips.length > 0 ? [{ value: 'clips' as const, label: 'Selected clips' }] : []),
          ]}
          onChange={setPart}
        />
        <SelectField label="Beats" value={kind} options={kinds} onChange={setKind} />
        <Field
          label="Tempo in BPM"
          inputMode="decimal"
          value={shown}
          error={error}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button look="primary" disabled={!points} onClick={apply}>
        Warp
      </Button>
    </Dialog>
  );
}
