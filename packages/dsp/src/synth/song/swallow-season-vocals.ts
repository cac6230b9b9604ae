import type { LyricLine } from '../demo-song.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { lineOf } from '../sequence/pattern.ts';
import { harmonyAbove, singLine } from '../sequence/players.ts';
import type { Singer } from '../voice/gestures.ts';

const woman: Singer = {
  formants: 'women',
  size: 1,
  vibratoHz: 5.4,
  vibratoCents: 24,
  vibratoAfterSeconds: 0.35,
  portamentoSeconds: 0.07,
  openQuotient: 0.64,
  tiltHz: 4300,
  breath: 0.03,
};
const man: Singer = {
  ...woman,
  formants: 'men',
  size: 0.99,
  vibratoHz: 5.1,
  openQuotient: 0.6,
  tiltHz: 3800,
};
const hum: Singer = { ...woman, openQuotient: 0.72, tiltHz: 2600, breath: 0.06 };

/** Pitch classes of E♭ major. */
const scale = [0, 2, 3, 5, 7, 8, 10];

/** A line, written for the woman; the man sings an octave lower. */
interface SungLine {
  readonly bar: number;
  readonly text: string;
  readonly notes: string;
  readonly manner: 'his verse' | 'her verse' | 'chorus' | 'bridge' | 'outro';
}

const chorus: readonly Omit<SungLine, 'bar' | 'manner'>[] = [
  {
    text: 'Come back, come back again',
    notes: '3:C5:kVm 3:D#5:bAk | 1:D5:kVm 1:C5:bAk 1:A#4:V 2:D5:gEn 1:-',
  },
  {
    text: 'The door is open wide',
    notes: '2:A#4:DV 1:D5:dor 1:C5:Iz 2:A#4:oU | 1:G4:pVn 3:C5:waId 2:-',
  },
  {
    text: 'Over the hills and rain',
    notes: '3:C5:oU 2:D#5:vR 1:D5:DV | 2:C5:hIlz 1:A#4:And 2:D5:rEIn 1:-',
  },
  {
    text: 'Swallow, be my guide',
    notes: '2:A#4:swo 1:G4:loU 2:F4:bi 1:G4:maI | 4:D#4:gaId 2:-',
  },
];

const lines: readonly SungLine[] = [
  {
    bar: 4,
    manner: 'his verse',
    text: 'Swallows on the telephone wire',
    notes: '2:G4:swo 1:F4:loUz 2:D#4:an 1:F4:DV | 1:G4:tE 1:G4:lV 1:A#4:foUn 2:A#4:waIR 1:-',
  },
  {
    bar: 6,
    manner: 'his verse',
    text: 'Counting the days of July',
    notes: '2:C5:kaUn 1:A#4:tIN 2:G#4:DV 1:G4:dEIz | 1:F4:Vv 1:F4:dju 3:A#4:laI 1:-',
  },
  {
    bar: 8,
    manner: 'his verse',
    text: 'I keep a seat by the open fire',
    notes: '1:G4:aI 1:G4:kip 1:F4:V 2:D#4:sit 1:F4:baI | 1:G4:DV 1:A#4:oU 1:A#4:pVn 2:D5:faIR 1:-',
  },
  {
    bar: 10,
    manner: 'his verse',
    text: 'Watching the clouds go by',
    notes: '1:C5:wo 1:C5:tSIN 1:A#4:DV 2:G4:klaUdz 1:F4:goU | 4:F4:baI 2:-',
  },
  ...chorus.map((line, index) => ({ ...line, bar: 12 + index * 2, manner: 'chorus' as const })),
  {
    bar: 20,
    manner: 'her verse',
    text: 'Summer has folded its linen away',
    notes: '1:G4:sV 1:G4:mR 1:F4:hAz 1:D#4:foUl 1:D#4:dId 1:F4:Its | 1:G4:lI 1:A#4:nIn 1:A#4:V 2:A#4:wEI 1:-',
  },
  {
    bar: 22,
    manner: 'her verse',
    text: 'Frost on the apple tree',
    notes: '2:C5:frost 1:A#4:an 2:G#4:DV 1:G4:A | 1:F4:pVl 4:A#4:tri 1:-',
  },
  {
    bar: 24,
    manner: 'her verse',
    text: 'I leave a lamp at the end of the day',
    notes: '1:G4:aI 1:G4:liv 1:F4:V 1:D#4:lAmp 1:D#4:At 1:F4:DV | 1:G4:End 1:A#4:Vv 1:A#4:DV 2:D5:dEI 1:-',
  },
  {
    bar: 26,
    manner: 'her verse',
    text: 'So you remember me',
    notes: '2:C5:soU 1:A#4:ju 2:G4:rI 1:F4:mEm | 1:G4:bR 3:F4:mi 2:-',
  },
  {
    bar: 28,
    manner: 'bridge',
    text: 'And when the north wind turns',
    notes: '2:G4:And 1:G4:wEn 2:D#4:DV 1:G4:norT | 3:A#4:wInd 2:G4:tRnz 1:-',
  },
  {
    bar: 30,
    manner: 'bridge',
    text: 'I will be here',
    notes: '2:B4:aI 1:A#4:wIl 3:G#4:bi | 3:D#5:hi 2:D5:IR 1:-',
  },
  ...chorus.map((line, index) => ({ ...line, bar: 32 + index * 2, manner: 'chorus' as const })),
  {
    bar: 40,
    manner: 'outro',
    text: 'Swallow, be my guide',
    notes: '2:C5:swo 1:A#4:loU 2:G4:bi 1:G4:maI | 3:B4:gaI 2:A#4:aI 1:G#4:aI | 5:G4:aId 1:-',
  },
];

/** Returns the lyrics with their times. */
export function swallowSeasonLyrics(grid: Grid): LyricLine[] {
  return lines.map(({ bar, text, notes }) => {
    const line = lineOf(notes);
    const last = line.at(-1)!;
    return {
      start: grid.secondsAtBeat(bar * grid.beatsPerBar + line[0]!.beat),
      end: grid.secondsAtBeat(bar * grid.beatsPerBar + last.beat + last.beats),
      text,
    };
  });
}

/**
 * Creates the vocals: the man sings the first verse, the woman the second; in the choruses she leads, he sings a third
 * below, and others join.
 */
export function swallowSeasonVocals(grid: Grid): Part[] {
  const lead = createPart('lead voice', 'vocals', { gainDb: -3, reverb: 0.16, echo: 0.06 });
  const second = createPart('second voice', 'vocals', { gainDb: -9, reverb: 0.2, echo: 0.04 });
  const choir = createPart('choir', 'vocals', { gainDb: -13.5, reverb: 0.36, echo: 0.04 });
  const below = harmonyAbove(scale, -2);
  const above = harmonyAbove(scale, 2);
  for (const { bar, notes, manner } of lines) {
    const line = lineOf(notes);
    const isHis = manner === 'his verse';
    singLine(lead, grid, line, isHis ? man : woman, {
      bar,
      gain: 1,
      pan: 0,
      transpose: isHis ? -12 : 0,
    });
    if (manner === 'chorus') {
      singLine(second, grid, line, man, { bar, gain: 1, pan: -0.25, transpose: below, lateSeconds: 0.012 });
      singLine(choir, grid, line, hum, { bar, gain: 0.9, pan: 0.65, cents: 7, lateSeconds: 0.022 });
      singLine(choir, grid, line, man, { bar, gain: 0.9, pan: -0.65, transpose: -12, lateSeconds: 0.018 });
      if (bar >= 32) {
        singLine(choir, grid, line, hum, { bar, gain: 0.7, pan: 0.4, transpose: above, lateSeconds: 0.016 });
      }
    } else if (!isHis && manner !== 'her verse') {
      singLine(second, grid, line, man, { bar, gain: 0.9, pan: -0.2, transpose: -12, lateSeconds: 0.01 });
    }
  }
  const breathed = [
    { bar: 8, notes: '6:A#4:u | 5:A#4:u 1:- | 6:G4:u | 5:G#4:u 1:-' },
    { bar: 24, notes: '6:D#4:u | 5:D4:u 1:- | 6:D#4:u | 5:F4:u 1:-' },
    { bar: 28, notes: '6:D#5:u | 5:D5:u 1:- | 6:D#5:u | 5:F5:u 1:-' },
    { bar: 42, notes: '6:A#4:u | 5:A#4:u 1:-' },
  ];
  breathed.forEach(({ bar, notes }, index) =>
    singLine(choir, grid, lineOf(notes), hum, {
      bar,
      gain: 0.65,
      pan: index % 2 === 0 ? 0.5 : -0.5,
      cents: index * 3 - 4,
    }),
  );
  return [lead, second, choir];
}
