import { editBounds } from '@stem-studio/contract/limits';
import type { FadeCurve } from '@stem-studio/contract/resources/edit-operation';
import { clockText, countText } from '../../base/format.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Select } from '../../ui/select.tsx';
import { useStore } from '../../ui/use-store.ts';
import { commonOf, type EditTarget, fadeEdit, targetOf } from './clip-edit.ts';
import styles from './clip-inspector.module.css';
import type { EditorModel } from './editor-model.ts';
import { fadeNames } from './fade-names.ts';

const VOLUME_STEP = 5;
const fadeOptions = (['none', 'linear', 'equal_power', 'exponential', 's_curve'] as const).map((value) => ({
  value,
  label: fadeNames[value],
}));

function nameOf(target: EditTarget | null): string {
  if (!target) return 'Nothing selected';
  const { params, clips } = target;
  if ('clip_ids' in params) return countText(clips.length, 'clip');
  return `${clockText(params.start_ms / 1000)} to ${clockText(params.end_ms / 1000)}`;
}

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100);

/** Volume, transposition, direction and fades of the selected clips or span, and their warp. */
export function ClipInspector({
  model,
  isReadOnly,
  onWarp,
}: {
  model: EditorModel;
  isReadOnly: boolean;
  onWarp: () => void;
}) {
  const { state, selection } = useStore(model.shown, (shown) => shown);
  const target = targetOf(state, selection);
  const clips = target?.clips ?? [];
  const isDisabled = isReadOnly || !target;
  const areClips = target !== null && 'clip_ids' in target.params;
  const volume = commonOf(clips, (clip) => clip.volume);
  const semitones = commonOf(clips, (clip) => clip.semitones);
  const isReversed = commonOf(clips, (clip) => clip.is_reversed) === true;
  const setVolume = (value: number) =>
    target && model.edit({ operation: 'volume', params: { ...target.params, value } });
  const transpose = (value: number) =>
    target && model.edit({ operation: 'transpose', params: { ...target.params, value } });
  const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
  return (
    <div className={styles['inspector']} role="group" aria-label="Selection">
      <span className={styles['name']}>{nameOf(target)}</span>
      <span aria-hidden="true">Volume</span>
      <NumberField
        name="Volume of the selection"
        unit="%"
        value={target ? rounded(volume) : 100}
        min={0}
        max={editBounds.volumePercent}
        isDisabled={isDisabled}
        onSet={setVolume}
        onStep={(direction) =>
          setVolume(clamp((volume ?? 100) + direction * VOLUME_STEP, 0, editBounds.volumePercent))
        }
      />
      <span aria-hidden="true">Transpose</span>
      <NumberField
        name="Transposition of the selection"
        unit="st"
        value={target ? rounded(semitones) : 0}
        min={-editBounds.semitones}
        max={editBounds.semitones}
        isDisabled={isDisabled}
        onSet={transpose}
        onStep={(direction) =>
          transpose(clamp((semitones ?? 0) + direction, -editBounds.semitones, editBounds.semitones))
        }
      />
      <Button
        small
        look="quiet"
        aria-pressed={isReversed}
        disabled={isDisabled || !areClips}
        title={areClips ? 'Plays the clips backwards' : 'Select clips by their name bar'}
        onClick={() =>
          model.edit({
            operation: 'reverse',
            params: { clip_ids: clips.map(({ id }) => id), value: isReversed ? 0 : 1 },
          })
        }
      >
        Reverse
      </Button>
      <Button small look="quiet" disabled={isReadOnly} title="Changes tempo, keeps pitch" onClick={onWarp}>
        Warp…
      </Button>
      {(['fade_in', 'fade_out'] as const).map((side) => (
        <Select
          key={side}
          label={side === 'fade_in' ? 'Fade in' : 'Fade out'}
          value={fadeOf(target, side)}
          options={fadeOptions.map(({ value, label }) => ({
            value,
            label: `${side === 'fade_in' ? 'Fade in' : 'Fade out'}: ${label}`,
          }))}
          disabled={isDisabled || !areClips}
          onChange={(curve) => model.edit(fadeEdit(clips, side, curve))}
        />
      ))}
    </div>
  );
}

function fadeOf(target: EditTarget | null, side: 'fade_in' | 'fade_out'): FadeCurve | 'none' {
  return (
    commonOf(target?.clips ?? [], (clip) => (clip[side].length_ms > 0 ? clip[side].curve : 'none')) ?? 'none'
  );
}
