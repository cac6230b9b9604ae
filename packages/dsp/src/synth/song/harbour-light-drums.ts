import { renderKick } from '../instrument/kick.ts';
import { closedHat, crash, openHat, renderMetal, ride, shaker } from '../instrument/metal.ts';
import { renderRim } from '../instrument/rim.ts';
import { renderSnare } from '../instrument/snare.ts';
import { renderTom } from '../instrument/tom.ts';
import { createPart, type Part } from '../sequence/arrangement.ts';
import type { Grid } from '../sequence/grid.ts';
import { type Hit, playHits, playOnce, recordTakes } from '../sequence/players.ts';

const kickTone = { bodyHz: 54, sweepHz: 130, decaySeconds: 0.13, click: 0.35 };
const snareTone = { headHz: 172, decaySeconds: 0.12, wires: 0.6 };

/** Kicks by bar of four; the second pair has more syncopation. */
const KICKS = ['9.....4...8.....', '9..3......8..4..', '9.....4...8.....', '9..3..5...8...4.'];
const SNARES = ['....8..2.2..8...', '....8..1.3..8..2', '....8..2.2..8..1', '....8..2.3..8.23'];

/**
 * Creates the drums: rim and hats in the verse, the full set with ghost notes in the chorus, none in the bridge until
 * its fill.
 */
export function harbourLightDrums(grid: Grid): Part[] {
  const kick = recordTakes((velocity, random) => renderKick(velocity, kickTone, random));
  const snare = recordTakes((velocity, random) => renderSnare(velocity, snareTone, random));
  const hat = recordTakes((velocity, random) =>
    renderMetal(velocity, { ...closedHat, decaySeconds: 0.04 }, random),
  );
  const open = recordTakes((velocity, random) => renderMetal(velocity, openHat, random));
  const rideHit = recordTakes((velocity, random) => renderMetal(velocity, ride, random));
  const shake = recordTakes((velocity, random) =>
    renderMetal(velocity, { ...shaker, decaySeconds: 0.05 }, random),
  );
  const kicks = createPart('kick', 'drums', { gainDb: -4, reverb: 0.02 });
  const snares = createPart('snare', 'drums', { gainDb: -4.5, reverb: 0.2 });
  const rims = createPart('rim', 'drums', { gainDb: -13, reverb: 0.22 });
  const hats = createPart('hats', 'drums', { gainDb: -13, reverb: 0.06 });
  const cymbals = createPart('cymbals', 'drums', { gainDb: -14, reverb: 0.15 });
  const toms = createPart('toms', 'drums', { gainDb: -9, reverb: 0.2 });
  for (let bar = 1; bar < 32; bar++) {
    const isVerse = bar >= 2 && bar < 10;
    const isChorus = (bar >= 10 && bar < 18) || (bar >= 22 && bar < 30);
    const isFill = bar === 9 || bar === 17 || bar === 21 || bar === 29;
    const kind = bar % 4;
    if (isVerse || isChorus || bar === 30) playHits(kicks, grid, KICKS[kind]!, kick, { bar });
    if (isVerse && bar < 6)
      playHits(rims, grid, '....7.......7..2', (v, random) => renderRim(v, random), { bar, pan: -0.1 });
    if ((isVerse && bar >= 6) || isChorus || bar === 30) {
      playHits(snares, grid, isFill ? '....8..2.2......' : SNARES[kind]!, snare, {
        bar,
        gain: isVerse ? 0.8 : 1,
      });
    }
    if (bar < 18 || isChorus || bar === 30) {
      const pattern = isChorus ? '6253625362536254' : kind === 3 ? '6.4.6.4.6.43624.' : '6.4.6.4.6.4.6.42';
      playHits(hats, grid, pattern, hat, { bar, pan: 0.25 });
    }
    if (isChorus) playHits(hats, grid, '..............6.', open, { bar, pan: 0.25, gain: 0.8 });
    if (isChorus && bar >= 22)
      playHits(cymbals, grid, '7...4...6...4..3', rideHit, { bar, pan: -0.3, gain: 0.55 });
    if (bar >= 18 && bar < 22) playHits(hats, grid, '3.2.3.2.3.2.3.2.', shake, { bar, pan: -0.35 });
    if (bar >= 6 && isVerse) playHits(hats, grid, '2.3.2.3.2.3.2.3.', shake, { bar, pan: -0.35, gain: 0.8 });
  }
  const tom =
    (hz: number): Hit =>
    (velocity, random) =>
      renderTom(velocity, hz, random);
  for (const [bar, gain] of [
    [9, 0.8],
    [17, 0.7],
    [21, 1],
    [29, 0.9],
  ] as const) {
    playHits(snares, grid, bar === 21 ? '........45677789' : '............7.46', snare, { bar, gain });
    playHits(toms, grid, '........7..6....', tom(146), { bar, gain, pan: 0.3 });
    playHits(toms, grid, '..............7.', tom(98), { bar, gain, pan: -0.3 });
  }
  for (const [bar, gain] of [
    [2, 0.4],
    [10, 0.85],
    [14, 0.45],
    [18, 0.7],
    [22, 0.95],
    [26, 0.5],
    [30, 0.8],
    [32, 0.6],
  ] as const) {
    playOnce(cymbals, grid, (random) => renderMetal(1, crash, random), {
      bar,
      gain,
      pan: bar % 4 === 2 ? 0.25 : -0.2,
    });
  }
  playOnce(kicks, grid, (random) => renderKick(0.9, kickTone, random), { bar: 18 });
  playOnce(kicks, grid, (random) => renderKick(0.9, kickTone, random), { bar: 32 });
  return [kicks, snares, rims, hats, cymbals, toms];
}
