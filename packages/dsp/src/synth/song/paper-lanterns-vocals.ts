import type { LyricLine } from '../demo-song.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { harmonyAbove, singLine } from '../sequence/players.ts';
import type { Singer } from '../voice/gestures.ts';

const lead: Singer = {
  formants: 'women',
  size: 0.97,
  vibratoHz: 5.6,
  vibratoCents: 26,
  vibratoAfterSeconds: 0.3,
  portamentoSeconds: 0.055,
  openQuotient: 0.6,
  tiltHz: 5500,
  breath: 0.02,
};
const soft: Singer = { ...lead, openQuotient: 0.7, tiltHz: 3200, breath: 0.06, vibratoCents: 18 };

/** Pitch classes of A minor. */
const scale = [0, 2, 4, 5, 7, 9, 11];

interface SungLine {
  readonly bar: number;
  readonly text: string;
  readonly notes: string;
  readonly manner: 'verse' | 'build' | 'hook' | 'breakdown' | 'outro';
}

const hook: readonly Omit<SungLine, 'bar' | 'manner'>[] = [
  {
    text: 'Light it up, light it up',
    notes: '1:E5:laIt .5:C5:It 1:A4:Vp 1.5:- | 1:D5:laIt .5:B4:It 1:G4:Vp 1.5:-',
  },
  {
    text: 'Let it rise above the town',
    notes: '1:C5:lEt .5:B4:It .5:A4:raIz 1:B4:V 1:C5:bVv | 1:D5:DV 2:E5:taUn 1:-',
  },
  {
    text: 'Light it up, light it up',
    notes: '1:E5:laIt .5:C5:It 1:A4:Vp 1.5:- | 1:D5:laIt .5:B4:It 1:G4:Vp 1.5:-',
  },
  {
    text: 'I can see you coming home',
    notes: '1:C5:aI .5:B4:kAn .5:A4:si 1:B4:ju 1:C5:kVm | 1:B4:IN 2:G#4:hoUm 1:-',
  },
];

const lines: readonly SungLine[] = [
  {
    bar: 4,
    manner: 'verse',
    text: 'Paper lanterns over the water',
    notes: '.5:E4:pEI .5:A4:pR 1:C5:lAn 1:B4:tRnz 1:- | .5:A4:oU .5:A4:vR .5:G4:DV 1:A4:wo .5:E4:tR 1:-',
  },
  {
    bar: 6,
    manner: 'verse',
    text: 'Carry the colour of home',
    notes: '.5:G4:kA .5:G4:ri .5:A4:DV 1:C5:kV .5:B4:lR 1:A4:Vv | 3:G4:hoUm 1:-',
  },
  {
    bar: 8,
    manner: 'verse',
    text: 'Every window is open tonight',
    notes: '.5:E4:E .5:A4:vri .5:C5:wIn 1:D5:doU .5:C5:Iz .5:B4:oU .5:A4:pVn | 1:A4:tu 2:C5:naIt 1:-',
  },
  {
    bar: 10,
    manner: 'verse',
    text: "And nobody's alone, oh",
    notes: '.5:G4:And .5:G4:noU .5:A4:bV 1:C5:diz .5:A4:V 1:B4:loUn | 2.5:D5:oU 1.5:-',
  },
  {
    bar: 12,
    manner: 'build',
    text: 'Higher, higher, let it fly',
    notes: '1:D5:haI 1:C5:jR 1:A4:haI 1:C5:jR | .5:C5:lEt .5:C5:It 1.5:A4:flaI 1.5:-',
  },
  {
    bar: 14,
    manner: 'build',
    text: 'Higher, higher, let it go',
    notes: '1:D5:haI 1:B4:jR 1:G4:haI 1:B4:jR | .5:B4:lEt .5:B4:It 2:E5:goU 1:-',
  },
  ...hook.map((line, index) => ({ ...line, bar: 16 + index * 2, manner: 'hook' as const })),
  {
    bar: 24,
    manner: 'breakdown',
    text: 'Paper lanterns, hold the light',
    notes: '1:F4:pEI .5:F4:pR 1:A4:lAn .5:G4:tRnz 1:- | 1:A4:hoUld .5:G4:DV 2:E4:laIt .5:-',
  },
  {
    bar: 26,
    manner: 'breakdown',
    text: 'Till the morning finds us',
    notes: '.5:A4:tIl .5:A4:DV 1:C5:mor .5:B4:nIN 1:A4:faIndz .5:- | 3:B4:Vs 1:-',
  },
  ...hook.map((line, index) => ({ ...line, bar: 28 + index * 2, manner: 'hook' as const })),
  { bar: 36, manner: 'outro', text: 'Oh', notes: '2:E5:oU 1:C5:oU 1:B4:oU | 3:A4:oU 1:-' },
  {
    bar: 38,
    manner: 'outro',
    text: 'Carry me home',
    notes: '1:- 1:G4:kA 1:G4:ri 1:A4:mi | 3:B4:hoU 1:A4:oU | 2.5:A4:oUm 1.5:-',
  },
];

/** Returns the lyrics with their times. */
export function paperLanternsLyrics(grid: Grid): LyricLine[] {
  return lines.map(({ bar, text, notes }) => {
    const line = lineOf(notes);
    const last = line.at(-1)!;
    return {
      start: grid.secondsAtBeat(bar * 4 + line[0]!.beat),
      end: grid.secondsAtBeat(bar * 4 + last.beat + last.beats),
      text,
    };
  });
}

/** Creates the vocals: lead, its doubles on both sides in the drops, and a second voice a third below and above. */
export function paperLanternsVocals(grid: Grid): Part[] {
  const main = createPart('lead voice', 'vocals', { gainDb: -3, reverb: 0.16, echo: 0.1 });
  const doubles = createPart('doubles', 'vocals', { gainDb: -13.5, reverb: 0.2, echo: 0.12 });
  const harmony = createPart('harmony', 'vocals', { gainDb: -12, reverb: 0.28, echo: 0.1 });
  for (const { bar, notes, manner } of lines) {
    const line = lineOf(notes);
    const isSoft = manner === 'breakdown' || manner === 'outro';
    singLine(main, grid, line, isSoft ? soft : lead, { bar, gain: isSoft ? 0.9 : 1, pan: 0 });
    if (manner === 'hook' || manner === 'build') {
      singLine(doubles, grid, line, lead, { bar, gain: 1, pan: -0.75, cents: -9, lateSeconds: 0.014 });
      singLine(doubles, grid, line, lead, { bar, gain: 1, pan: 0.75, cents: 8, lateSeconds: 0.021 });
    }
    if (manner === 'hook') {
      const below = harmonyAbove(scale, -2);
      singLine(harmony, grid, line, soft, { bar, gain: 0.9, pan: -0.4, transpose: below, cents: 4 });
    }
    if (manner === 'hook' && bar >= 28) {
      const above = harmonyAbove(scale, 2);
      singLine(harmony, grid, line, soft, { bar, gain: 0.7, pan: 0.45, transpose: above, cents: -4 });
    }
    if (manner === 'breakdown') {
      const above = harmonyAbove(scale, 2);
      singLine(harmony, grid, line, soft, { bar, gain: 0.7, pan: 0.4, transpose: above, lateSeconds: 0.012 });
    }
  }
  return [main, doubles, harmony];
}
