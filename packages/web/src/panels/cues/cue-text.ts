import { type Cue, type CueKind, cueColors, cueKinds } from '@stem-studio/contract/resources/cue';

/** What each kind of cue point is called. */
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
  custom: 'Your own',
};

/** The colours that a cue point can be given: those of the kinds, each named after its kind. */
export const colorChoices: readonly { readonly color: string; readonly words: string }[] = cueKinds.map(
  (kind) => ({ color: cueColors[kind], words: cueKindNames[kind] }),
);

/** Where in the music a cue point stands and whose it is: `bar 33 · promoted`. */
export function cuePositionText(cue: Pick<Cue, 'bar' | 'source' | 'is_promoted' | 'is_edited'>): string {
  const bar = cue.bar === null ? 'on no beat' : cue.bar === 0 ? 'before bar 1' : `bar ${cue.bar}`;
  const whose = cue.is_promoted
    ? 'promoted'
    : cue.source === 'manual'
      ? 'your own'
      : cue.is_edited
        ? 'edited'
        : '';
  return [bar, whose].filter((part) => part !== '').join(' · ');
}

/** How useful the analysis finds a cue point: `Number 3 by use, 62 % sure`; empty where it says nothing. */
export function cueRankText({ rank, confidence }: Pick<Cue, 'rank' | 'confidence'>): string {
  if (rank === null || confidence === null) return '';
  return `Number ${rank} by use, ${Math.round(confidence * 100)} % sure`;
}
