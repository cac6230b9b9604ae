import type { LyricLine } from '../demo-song.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { harmonyAbove, singLine } from '../sequence/players.ts';
import type { Singer } from '../voice/gestures.ts';

const lead: Singer = {
  formants: 'men',
  size: 1.02,
  vibratoHz: 5.3,
  vibratoCents: 30,
  vibratoAfterSeconds: 0.35,
  portamentoSeconds: 0.085,
  openQuotient: 0.58,
  tiltHz: 4500,
  breath: 0.022,
};
const choir: Singer = { ...lead, formants: 'women', size: 1, openQuotient: 0.7, tiltHz: 2800, breath: 0.06 };
const soft: Singer = { ...lead, openQuotient: 0.66, tiltHz: 2800, breath: 0.06 };

/** Pitch classes of F# major. */
const scale = [1, 3, 5, 6, 8, 10, 11];

interface SungLine {
  readonly bar: number;
  readonly text: string;
  readonly notes: string;
  readonly manner: 'verse' | 'chorus' | 'bridge' | 'outro';
}

const chorus: readonly Omit<SungLine, 'bar' | 'manner'>[] = [
  {
    text: 'Harbour light, lead me in',
    notes: '1:D#4:har 1:C#4:bR 1.75:F#4:laIt .25:- | 1:F4:lid .5:D#4:mi 2:C#4:In .5:-',
  },
  {
    text: 'Harbour light, through the wind',
    notes: '1:C#4:har 1:A#3:bR 1.75:F4:laIt .25:- | 1:F#4:Tru .5:D#4:DV 2:A#3:wInd .5:-',
  },
  {
    text: 'One more night, one more sea',
    notes: '1:D#4:wVn .5:D#4:mor 2:F#4:naIt .5:- | 1:G#4:wVn .5:F4:mor 2:C#4:si .5:-',
  },
  {
    text: 'Harbour light, shine on me',
    notes: '.5:C#4:har .5:D#4:bR 1.5:C#4:laIt 1:A#3:SaIn .5:G#3:an | 3:F#3:mi 1:-',
  },
];

const lines: readonly SungLine[] = [
  {
    bar: 2,
    manner: 'verse',
    text: 'Slow boat sleeping on the tide',
    notes: '1:A#3:sloU 1:C#4:boUt .5:D#4:sli .5:C#4:pIN .5:A#3:an .5:G#3:DV | 2.5:F#3:taId 1.5:-',
  },
  {
    bar: 4,
    manner: 'verse',
    text: 'I left my coat on the other side',
    notes:
      '.5:F#3:aI .5:G#3:lEft .5:A#3:maI 1:B3:koUt .5:A#3:an .5:G#3:DV .5:F#3:V | 1:G#3:DR 2:G#3:saId 1:-',
  },
  {
    bar: 6,
    manner: 'verse',
    text: 'Salt in the rope and the rain on the stone',
    notes:
      '1:A#3:solt .5:A#3:In .5:C#4:DV 1:D#4:roUp .5:C#4:And .5:A#3:DV | 1:A#3:rEIn .5:G#3:an .5:G#3:DV 1.5:F#3:stoUn .5:-',
  },
  {
    bar: 8,
    manner: 'verse',
    text: 'You were the window I walked to alone',
    notes:
      '.5:D#4:ju .5:D#4:wR .5:C#4:DV 1:B3:wIn .5:A#3:doU .5:G#3:aI .5:A#3:wokt | .5:B3:tu .5:A#3:V 2:G#3:loUn 1:-',
  },
  ...chorus.map((line, index) => ({ ...line, bar: 10 + index * 2, manner: 'chorus' as const })),
  {
    bar: 18,
    manner: 'bridge',
    text: 'And if the water takes my name',
    notes: '.5:F#3:And .5:F#3:If .5:A#3:DV 1:C#4:wo .5:A#3:tR 1:A#3:tEIks | .5:B3:maI 2.5:A#3:nEIm 1:-',
  },
  {
    bar: 20,
    manner: 'bridge',
    text: 'Keep the window burning',
    notes: '1:B3:kip .5:B3:DV 1:D#4:wIn 1:C#4:doU .5:- | 1:C#4:bR 2:F#4:nIN 1:-',
  },
  ...chorus.map((line, index) => ({ ...line, bar: 22 + index * 2, manner: 'chorus' as const })),
  {
    bar: 30,
    manner: 'outro',
    text: 'Harbour light',
    notes: '1:D#4:har 1:C#4:bR 2:D#4:laI | 2:C#4:aI 1.5:B3:aI .5:G#3:aIt | 3:F#3:oU 1:-',
  },
];

/** Returns the lyrics with their times. */
export function harbourLightLyrics(grid: Grid): LyricLine[] {
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

/** Creates the vocals: lead; in the choruses doubles on both sides and women a third and a sixth above. */
export function harbourLightVocals(grid: Grid): Part[] {
  const main = createPart('lead voice', 'vocals', { gainDb: -2.8, reverb: 0.17, echo: 0.07 });
  const doubles = createPart('doubles', 'vocals', { gainDb: -13, reverb: 0.25, echo: 0.08 });
  const women = createPart('choir', 'vocals', { gainDb: -13, reverb: 0.4, echo: 0.05 });
  for (const { bar, notes, manner } of lines) {
    const line = lineOf(notes);
    singLine(main, grid, line, manner === 'chorus' ? lead : soft, { bar, gain: 1, pan: 0 });
    if (manner === 'chorus') {
      singLine(doubles, grid, line, lead, { bar, gain: 1, pan: -0.7, cents: -8, lateSeconds: 0.016 });
      singLine(doubles, grid, line, lead, { bar, gain: 1, pan: 0.7, cents: 7, lateSeconds: 0.024 });
      const third = harmonyAbove(scale, 2);
      singLine(women, grid, line, choir, { bar, gain: 0.9, pan: -0.45, transpose: third, lateSeconds: 0.01 });
      if (bar >= 22) {
        const sixth = harmonyAbove(scale, 4);
        singLine(women, grid, line, choir, {
          bar,
          gain: 0.75,
          pan: 0.5,
          transpose: sixth,
          lateSeconds: 0.018,
        });
      }
    }
    if (manner === 'outro') {
      const third = harmonyAbove(scale, 2);
      singLine(women, grid, line, choir, { bar, gain: 0.7, pan: 0.4, transpose: third, lateSeconds: 0.015 });
    }
  }
  const breathed = [
    { bar: 6, notes: '4:C#5:u | 3.5:A#4:u .5:-' },
    { bar: 8, notes: '4:D#5:u | 3:C#5:u 1:-' },
    { bar: 18, notes: '4:F#4:u | 3.5:F#4:u .5:- | 4:G#4:u | 3:G#4:u 1:-' },
    { bar: 18, notes: '4:A#4:u | 3.5:A#4:u .5:- | 4:B4:u | 3:C#5:u 1:-' },
  ];
  breathed.forEach(({ bar, notes }, index) =>
    singLine(women, grid, lineOf(notes), choir, {
      bar,
      gain: 0.55,
      pan: index % 2 === 0 ? 0.5 : -0.5,
      cents: index * 3 - 4,
    }),
  );
  return [main, doubles, women];
}
