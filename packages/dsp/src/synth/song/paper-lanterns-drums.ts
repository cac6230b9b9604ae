import { MovingFilter } from '../effect/automation.ts';
import { renderClap } from '../instrument/clap.ts';
import { renderKick } from '../instrument/kick.ts';
import { closedHat, crash, openHat, renderMetal, reverseSamples, ride, shaker } from '../instrument/metal.ts';
import { renderSnare } from '../instrument/snare.ts';
import { renderTom } from '../instrument/tom.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { type Hit, playHits, playOnce, recordTakes } from '../sequence/players.ts';

const kickTone = { bodyHz: 49, sweepHz: 190, decaySeconds: 0.15, click: 0.55 };
const snareTone = { headHz: 190, decaySeconds: 0.09, wires: 0.68 };

/** Whether the kick plays four to the floor in a bar. */
export function isKickBar(bar: number): boolean {
  return (bar >= 2 && bar < 14) || (bar >= 16 && bar < 24) || (bar >= 28 && bar < 38);
}

/**
 * Creates the drums: the kick pauses before each drop, hats and claps enter every eight bars, fills lead from section
 * to section.
 */
export function paperLanternsDrums(grid: Grid): Part[] {
  const kick = recordTakes((velocity, random) => renderKick(velocity, kickTone, random));
  const snare = recordTakes((velocity, random) => renderSnare(velocity, snareTone, random));
  const clap = recordTakes((velocity, random) => renderClap(velocity, random));
  const hat = recordTakes((velocity, random) => renderMetal(velocity, closedHat, random));
  const open = recordTakes((velocity, random) => renderMetal(velocity, openHat, random));
  const shake = recordTakes((velocity, random) => renderMetal(velocity, shaker, random));
  const rideHit = recordTakes((velocity, random) => renderMetal(velocity, ride, random));
  const kicks = createPart('kick', 'drums', { gainDb: -6.5, reverb: 0.015 });
  const claps = createPart('clap', 'drums', { gainDb: -9, reverb: 0.22 });
  const snares = createPart('snare', 'drums', {
    gainDb: -11,
    reverb: 0.16,
    createInserts: () => [
      new MovingFilter('high', [
        [grid.secondsAtBeat(12 * 4), 120],
        [grid.secondsAtBeat(16 * 4 - 0.1), 900],
        [grid.secondsAtBeat(16 * 4), 120],
      ]),
    ],
  });
  const hats = createPart('hats', 'drums', { gainDb: -13, reverb: 0.05 });
  const cymbals = createPart('cymbals', 'drums', { gainDb: -12.5, reverb: 0.14 });
  const toms = createPart('toms', 'drums', { gainDb: -9, reverb: 0.16 });

  for (let bar = 0; bar < 40; bar++) {
    const isDrop = (bar >= 16 && bar < 24) || (bar >= 28 && bar < 36);
    const isVerse = bar >= 4 && bar < 12;
    const isSecondDrop = bar >= 28 && bar < 36;
    if (isKickBar(bar)) {
      const last = bar === 11 || bar === 19 || bar === 31;
      playHits(kicks, grid, last ? '9...8...9...8.5.' : '9...8...9...8...', kick, { bar }, 0.3);
    }
    if (bar === 14) playHits(kicks, grid, '8.......8.......', kick, { bar }, 0.3);
    if ((isVerse && bar >= 6) || isDrop || bar === 12 || bar === 13 || bar === 36 || bar === 37) {
      playHits(claps, grid, '....8.......8...', clap, { bar, gain: isDrop ? 1 : 0.75 });
    }
    if (isDrop)
      playHits(snares, grid, bar % 4 === 3 ? '....7..2.2..7.34' : '....7....2..7..1', snare, { bar });
    if (bar >= 2 && bar < 14) playHits(hats, grid, '2.5.2.5.2.5.2.52', hat, { bar, pan: 0.22 });
    if (isDrop) {
      playHits(hats, grid, '5243524352435246', hat, { bar, pan: 0.22 });
      playHits(hats, grid, '..7...7...7...7.', open, { bar, pan: 0.12, gain: 0.8 });
    }
    if (isVerse || isDrop || bar >= 36) {
      playHits(hats, grid, '2143214321432143', shake, { bar, pan: -0.35, gain: bar >= 38 ? 0.6 : 1 });
    }
    if (isSecondDrop) playHits(cymbals, grid, '6.3.6.3.6.3.6.34', rideHit, { bar, pan: -0.28, gain: 0.45 });
    if (bar >= 24 && bar < 27) playHits(hats, grid, '..3...3...3..13.', shake, { bar, pan: -0.3 });
  }
  playHits(snares, grid, '6...6...6...6...', snare, { bar: 12, gain: 0.5 });
  playHits(snares, grid, '6.5.6.5.6.5.6.5.', snare, { bar: 13, gain: 0.6 });
  playHits(snares, grid, '6565656565656576', snare, { bar: 14, gain: 0.65 });
  playHits(snares, grid, '7.6.7.6.7.6.7.7.7676787878......', snare, { bar: 15, gain: 0.75 });
  playHits(snares, grid, '44556677........', snare, { bar: 27, beat: 2, gain: 0.8 });

  const tom =
    (hz: number): Hit =>
    (velocity, random) =>
      renderTom(velocity, hz, random);
  playHits(toms, grid, '........7.......', tom(170), { bar: 23, pan: 0.35 });
  playHits(toms, grid, '..........6.7...', tom(130), { bar: 23, pan: 0.05 });
  playHits(toms, grid, '.............78.', tom(96), { bar: 23, pan: -0.35 });
  playHits(toms, grid, '............7...', tom(130), { bar: 27, pan: 0.2 });
  playHits(toms, grid, '..............87', tom(92), { bar: 27, pan: -0.25 });
  playHits(toms, grid, '........6.6.....', tom(150), { bar: 35, pan: 0.3 });
  playHits(toms, grid, '............7.7.', tom(100), { bar: 35, pan: -0.2 });

  for (const [bar, gain] of [
    [4, 0.55],
    [16, 0.9],
    [20, 0.5],
    [24, 0.7],
    [28, 0.95],
    [32, 0.55],
    [36, 0.8],
  ] as const) {
    playOnce(cymbals, grid, (random) => renderMetal(1, crash, random), {
      bar,
      gain,
      pan: bar % 8 === 0 ? -0.2 : 0.2,
    });
  }
  for (const bar of [16, 28]) {
    // The reversed crash ends on the downbeat: it is four beats long.
    playOnce(
      cymbals,
      grid,
      (random) => reverseSamples(renderMetal(0.8, { ...crash, decaySeconds: 0.375 }, random)),
      {
        bar: bar - 1,
        beat: 0.15,
        gain: 0.6,
      },
    );
  }
  return [kicks, claps, snares, hats, cymbals, toms];
}
