import type { Track } from '@stem-studio/contract/resources/track';
import { type Compatibility, compatibility } from '@stem-studio/dsp/mix/compatibility';
import type { KeyRelation } from '@stem-studio/dsp/tonal/key-relation';
import {
  activeReferences,
  type ReferenceSlot,
  referenceName,
  references,
} from '../../state/reference.state.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './row-fit.module.css';

/** Short texts of key relations, as steps on the Camelot wheel. */
const relationMarks: Readonly<Record<KeyRelation, string>> = {
  same: 'same',
  relative: 'rel.',
  step_up: '+1',
  step_down: '−1',
  boost_tone: '+2',
  boost_semitone: '+7',
  clash: '',
  unknown: '',
};

/** Text of a tempo change, such as `+1.6 %`, `½ −3.0 %` or `0 %`; empty if unknown. */
function tempoMark(tempo: Compatibility['tempo']): string {
  if (tempo === null) return '';
  const count = tempo.factor === 1 ? '' : tempo.factor === 2 ? '½ ' : '2× ';
  const size = Math.abs(tempo.percent).toFixed(1);
  if (size === '0.0') return `${count}0 %`;
  return `${count}${tempo.percent > 0 ? '+' : '−'}${size} %`;
}

/** How a track fits each reference: marked if it fits or lifts the energy, omitted if it clashes. */
export function RowFit({ track }: { track: Track }) {
  const active = activeReferences(useStore(references, (state) => state));
  const fits = active
    .filter((reference) => reference.track.id !== track.id)
    .map((reference) => ({ reference, fit: compatibility(reference.track, track) }))
    .filter(({ fit }) => fit.verdict === 'fits' || fit.verdict === 'lifts');
  if (fits.length === 0) return null;
  return (
    <span className={styles['fits']} data-count={fits.length}>
      {fits.map(({ reference, fit }) => (
        <FitMark key={reference.slot} slot={reference.slot} name={referenceName(reference)} fit={fit} />
      ))}
    </span>
  );
}

function FitMark({ slot, name, fit }: { slot: ReferenceSlot; name: string; fit: Compatibility }) {
  const text = `${fit.verdict === 'fits' ? 'Mixes well with' : 'Energy boost after'} ${name}: ${fit.reasons.join(', ')}`;
  return (
    <span className={styles['fit']} data-slot={slot} data-verdict={fit.verdict} title={text}>
      <span className="visually-hidden">{text}</span>
      <span className={styles['badge']} aria-hidden="true">
        {slot === 'picked' ? '◆' : slot.toUpperCase()}
      </span>
      <span aria-hidden="true">{relationMarks[fit.key]}</span>
      <span className={styles['move']} aria-hidden="true">
        {tempoMark(fit.tempo)}
      </span>
    </span>
  );
}
