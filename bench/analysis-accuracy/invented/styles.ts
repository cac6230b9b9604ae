/** Instrument that plays the chords. */
export type ChordPlayer = 'piano' | 'electric piano' | 'guitar' | 'pad' | 'organ' | 'stab';

/** A musical style by its conventions; patterns are bars in the letters of `hitsOf`. */
export interface Style {
  readonly name: string;
  /** Written beats per bar, and the number of them in one counted beat: 3 in 6/8. */
  readonly beatsPerBar: number;
  readonly writtenPerBeat: 1 | 3;
  readonly timeSignature: '4/4' | '3/4' | '6/8';
  /** Range of counted beats per minute. */
  readonly bpm: readonly [from: number, to: number];
  readonly swing: number;
  readonly kick: string;
  readonly snare: string;
  readonly snareIs: 'snare' | 'clap' | 'rim';
  readonly hats: string;
  readonly openHats: string;
  readonly chords: string;
  readonly chordPlayer: ChordPlayer;
  /** Items `beats:degree`: r the root, f the fifth, o the octave, - a rest. */
  readonly bass: string;
  readonly hasVoice: boolean;
  /** Course of the tempo: constant for machines and players with a click track, changing for others. */
  readonly time: 'straight' | 'ramp' | 'rubato';
  readonly mode: 'major' | 'minor' | 'either';
}

const plain: Style = {
  name: 'rock',
  beatsPerBar: 4,
  writtenPerBeat: 1,
  timeSignature: '4/4',
  bpm: [105, 165],
  swing: 0.5,
  kick: '9..... 7.8.......'.replaceAll(' ', '').slice(0, 16),
  snare: '....8.......8...',
  snareIs: 'snare',
  hats: '6.4.6.4.6.4.6.4.',
  openHats: '................',
  chords: '8...6...8...6...',
  chordPlayer: 'guitar',
  bass: '.5:r .5:r .5:r .5:r .5:r .5:r .5:r .5:f',
  hasVoice: true,
  time: 'straight',
  mode: 'either',
};

/** Styles of the synthetic songs. */
export const styles: readonly Style[] = [
  plain,
  {
    ...plain,
    name: 'pop',
    bpm: [88, 120],
    chordPlayer: 'piano',
    chords: '8.......6.......',
    bass: '1.5:r .5:r 1:f 1:o',
  },
  {
    ...plain,
    name: 'house',
    bpm: [118, 130],
    kick: '9...9...9...9...',
    snareIs: 'clap',
    hats: '..6...6...6...6.',
    chords: '..8..8....8..8..',
    chordPlayer: 'stab',
    bass: '.5:- .5:r .5:- .5:r .5:- .5:r .5:- .5:o',
    mode: 'minor',
  },
  {
    ...plain,
    name: 'off-beat trance',
    bpm: [132, 142],
    kick: '9...9...9...9...',
    snareIs: 'clap',
    hats: '2.2.2.2.2.2.2.2.',
    openHats: '..9...9...9...9.',
    chords: '8...............',
    chordPlayer: 'pad',
    bass: '.25:- .25:r .25:r .25:r .25:- .25:r .25:r .25:r .25:- .25:r .25:r .25:r .25:- .25:r .25:r .25:o',
    hasVoice: false,
    mode: 'minor',
  },
  {
    ...plain,
    name: 'reggae',
    bpm: [68, 84],
    kick: '........9.......',
    snare: '........7.......',
    snareIs: 'rim',
    hats: '5..45..45..45..4',
    chords: '....8.......8...',
    chordPlayer: 'organ',
    bass: '1:- .5:r .5:f 1:r .5:- .5:o',
  },
  {
    ...plain,
    name: 'ballad',
    bpm: [62, 80],
    kick: '8.......8.......',
    snare: '....6.......6...',
    snareIs: 'rim',
    hats: '4.3.4.3.4.3.4.3.',
    chords: '8...5...6...5...',
    chordPlayer: 'piano',
    bass: '2:r 2:f',
  },
  {
    ...plain,
    name: 'drum and bass',
    bpm: [168, 178],
    kick: '9.........9.....',
    snare: '....9.......9...',
    hats: '6.5.6.5.6.5.6.5.',
    chords: '8...............',
    chordPlayer: 'pad',
    bass: '1.5:r 1:r 1.5:f',
    hasVoice: false,
    mode: 'minor',
  },
  {
    ...plain,
    name: 'waltz',
    beatsPerBar: 3,
    timeSignature: '3/4',
    bpm: [90, 170],
    kick: '8...........',
    snare: '....4...4...',
    snareIs: 'rim',
    hats: '............',
    openHats: '............',
    chords: '....7...7...',
    chordPlayer: 'piano',
    bass: '3:r',
  },
  {
    ...plain,
    name: 'rock in three',
    beatsPerBar: 3,
    timeSignature: '3/4',
    bpm: [95, 150],
    kick: '9...........',
    snare: '....6...8...',
    hats: '6.4.5.4.5.4.',
    openHats: '............',
    chords: '8...5...5...',
    bass: '1:r 1:r 1:f',
  },
  {
    ...plain,
    name: 'jig',
    beatsPerBar: 6,
    writtenPerBeat: 3,
    timeSignature: '6/8',
    bpm: [56, 76],
    kick: '9.........4.',
    snare: '......8.....',
    hats: '6.4.4.6.4.4.',
    openHats: '............',
    chords: '8.5.5.7.5.5.',
    bass: '3:r 2:f 1:r',
  },
  {
    ...plain,
    name: 'swing',
    bpm: [120, 190],
    swing: 0.667,
    kick: '3...3...3...3...',
    snare: '................',
    hats: '6...5.4.6...5.4.',
    chords: '..7.......7.....',
    chordPlayer: 'piano',
    bass: '1:r 1:o 1:f 1:o',
    hasVoice: false,
  },
  {
    ...plain,
    name: 'bass and hats',
    bpm: [96, 128],
    kick: '................',
    snare: '................',
    openHats: '..5...5...5...5.',
    hats: '3...3...3...3...',
    chords: '................',
    bass: '1:r .5:r .5:f 1:r 1:o',
    hasVoice: false,
  },
  { ...plain, name: 'ramp', time: 'ramp', bpm: [96, 132] },
  {
    ...plain,
    name: 'rubato piano',
    time: 'rubato',
    bpm: [60, 84],
    kick: '................',
    snare: '................',
    hats: '................',
    chords: '8...5...6...5...',
    chordPlayer: 'piano',
    bass: '2:r 2:f',
    hasVoice: false,
  },
  {
    ...plain,
    name: 'a cappella',
    bpm: [70, 110],
    kick: '................',
    snare: '................',
    hats: '................',
    chords: '................',
    bass: '4:-',
  },
];
