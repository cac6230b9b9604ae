import { type Cue, type CueKind, cueColors, cueKinds } from '@stem-studio/contract/resources/cue';
import { keyText } from '../../base/key-text.ts';

/** Names of the kinds of cue points. */
export const cueKindNames: Readonly<Record<CueKind, string>> = {
  first_beat: 'First beat',
  intro: 'Intro',
  verse: 'Verse',
  build: 'Build',
  drop: 'Drop',
  chorus: 'Chorus',
  breakdown: 'Breakdown',
  bridge: 'Bridge',
  outro: 'Outro',
  mix_in: 'Mix in',
  mix_out: 'Mix out',
  loop: 'Loop',
  transition: 'Transition',
  phrase: 'Phrase',
  bar: 'Bar',
  beat: 'Beat',
  custom: 'Custom',
};

/** Colours for cue points: those of the kinds, named after them. */
export const colorChoices: readonly { readonly color: string; readonly name: string }[] = cueKinds.map(
  (kind) => ({ color: cueColors[kind], name: cueKindNames[kind] }),
);

/** Label of a cue point with keys as musicians spell them: `Key changes to B♭ minor`. */
export function cueLabelText({ label, source }: Pick<Cue, 'label' | 'source'>): string {
  if (source === 'manual') return label;
  return label.replace(/(?<=^Key changes to ).+/, keyText);
}

/** Text of a cue point's bar and origin, such as `bar 33 · promoted`. */
export function cuePositionText(cue: Pick<Cue, 'bar' | 'source' | 'is_promoted' | 'is_edited'>): string {
  const bar = cue.bar === null ? 'off beat' : cue.bar === 0 ? 'before bar 1' : `bar ${cue.bar}`;
  const origin = cue.is_promoted
    ? 'promoted'
    : cue.source === 'manual'
      ? 'manual'
      : cue.is_edited
        ? 'edited'
        : '';
  return [bar, origin].filter((part) => part !== '').join(' · ');
}

/** Text of a cue point's rank and confidence, such as `Rank 3 · 62 % confidence`; empty if unknown. */
export function cueRankText({ rank, confidence }: Pick<Cue, 'rank' | 'confidence'>): string {
  if (rank === null || confidence === null) return '';
  return `Rank ${rank} · ${Math.round(confidence * 100)} % confidence`;
}
