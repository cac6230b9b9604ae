import { renderKick } from '../instrument/kick.ts';
import { closedHat, crash, renderMetal, ride, shaker } from '../instrument/metal.ts';
import { renderRim } from '../instrument/rim.ts';
import { renderSnare } from '../instrument/snare.ts';
import { renderTom } from '../instrument/tom.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { type Hit, playHits, playOnce, recordTakes } from '../sequence/players.ts';

const kickTone = { bodyHz: 58, sweepHz: 95, decaySeconds: 0.12, click: 0.22 };
const snareTone = { headHz: 184, decaySeconds: 0.13, wires: 0.55 };

/** Twelve sixteenths per bar; the snare falls on the second beat, the fourth eighth. */
const VERSE_KICKS = ['8.........4.', '8...........'];
const CHORUS_KICKS = ['9.....3...6.', '9...5.....5.'];
const CHORUS_SNARES = ['..1...8....2', '..1...8...2.'];

/**
 * Creates the drums: cross-stick and shaker in the verses, snare and ride in the choruses, toms alone in the bridge.
 */
export function swallowSeasonDrums(grid: Grid): Part[] {
  const kick = recordTakes((velocity, random) => renderKick(velocity, kickTone, random));
  const snare = recordTakes((velocity, random) => renderSnare(velocity, snareTone, random));
  const rim = recordTakes((velocity, random) => renderRim(velocity, random));
  const hat = recordTakes((velocity, random) =>
    renderMetal(velocity, { ...closedHat, decaySeconds: 0.045 }, random),
  );
  const rideHit = recordTakes((velocity, random) => renderMetal(velocity, ride, random));
  const shake = recordTakes((velocity, random) =>
    renderMetal(velocity, { ...shaker, decaySeconds: 0.05 }, random),
  );
  const kicks = createPart('kick', 'drums', { gainDb: -4.5, reverb: 0.03 });
  const snares = createPart('snare', 'drums', { gainDb: -1.5, reverb: 0.2 });
  const rims = createPart('rim', 'drums', { gainDb: -11.5, reverb: 0.24 });
  const hats = createPart('hats', 'drums', { gainDb: -14, reverb: 0.08 });
  const cymbals = createPart('cymbals', 'drums', { gainDb: -14, reverb: 0.16 });
  const toms = createPart('toms', 'drums', { gainDb: -8, reverb: 0.2 });
  for (let bar = 2; bar < 42; bar++) {
    const isVerse = (bar >= 4 && bar < 12) || (bar >= 20 && bar < 28);
    const isChorus = (bar >= 12 && bar < 20) || (bar >= 32 && bar < 40);
    const isFill = bar === 11 || bar === 19 || bar === 27 || bar === 31 || bar === 39;
    const variant = bar % 2;
    if (isVerse) {
      playHits(kicks, grid, VERSE_KICKS[variant]!, kick, { bar, gain: bar < 20 ? 0.85 : 1 });
      playHits(rims, grid, variant === 0 ? '......8.....' : '......8...3.', rim, { bar, pan: -0.1 });
      playHits(hats, grid, bar < 8 ? '3...2.4...2.' : '4.2.3.5.2.31', shake, { bar, pan: -0.35 });
      if (bar >= 20) playHits(hats, grid, '5...3.4...3.', hat, { bar, pan: 0.25 });
    }
    if (isChorus) {
      playHits(kicks, grid, CHORUS_KICKS[variant]!, kick, { bar });
      playHits(snares, grid, isFill ? '......8.....' : CHORUS_SNARES[variant]!, snare, { bar });
      playHits(hats, grid, '6.4.4.6.4.4.', hat, { bar, pan: 0.25 });
      playHits(cymbals, grid, bar >= 32 ? '7.4.5.6.4.53' : '6...4.5...4.', rideHit, {
        bar,
        pan: -0.3,
        gain: 0.5,
      });
      if (bar >= 32) playHits(hats, grid, '4.2.3.5.2.31', shake, { bar, pan: -0.4 });
    }
    if (bar < 4 || (bar >= 28 && bar < 31)) {
      playHits(hats, grid, '3...2.4...2.', shake, { bar, pan: -0.35, gain: 0.8 });
    }
    if (bar >= 40) {
      playHits(kicks, grid, '7...........', kick, { bar, gain: 0.8 });
      playHits(rims, grid, '......7.....', rim, { bar, pan: -0.1 });
    }
  }
  const tom =
    (hz: number): Hit =>
    (velocity, random) =>
      renderTom(velocity, hz, random);
  for (let bar = 28; bar < 31; bar++) {
    playHits(toms, grid, '7.....5...4.', tom(88), { bar, pan: -0.25, gain: 0.8 });
    playHits(toms, grid, '........3...', tom(132), { bar, pan: 0.25, gain: 0.8 });
  }
  for (const [bar, gain] of [
    [11, 0.7],
    [19, 0.65],
    [27, 0.55],
    [31, 1],
    [39, 0.85],
  ] as const) {
    playHits(snares, grid, bar === 31 ? '4.4.5.567778' : '........5.67', snare, { bar, gain });
    playHits(toms, grid, '........6...', tom(146), { bar, gain, pan: 0.3 });
    playHits(toms, grid, '..........7.', tom(96), { bar, gain, pan: -0.3 });
  }
  playHits(kicks, grid, '8.....7.....', kick, { bar: 31 });
  for (const [bar, gain] of [
    [4, 0.3],
    [12, 0.8],
    [16, 0.4],
    [20, 0.45],
    [28, 0.55],
    [32, 0.9],
    [36, 0.5],
    [40, 0.7],
    [42, 0.4],
  ] as const) {
    playOnce(cymbals, grid, (random) => renderMetal(1, crash, random), {
      bar,
      gain,
      pan: bar % 8 === 4 ? 0.25 : -0.2,
    });
  }
  for (const bar of [28, 42]) {
    playOnce(kicks, grid, (random) => renderKick(0.8, kickTone, random), { bar });
  }
  return [kicks, snares, rims, hats, cymbals, toms];
}
