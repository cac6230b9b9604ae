import type { StereoReader } from '../signal/stereo-reader.ts';

/** Samples whose energy is taken together: 1.5 ms at 44.1 kHz. */
const STEP = 64;
/** Steps that are compared with {@link BEFORE} others before them. */
const AFTER = 4;
const BEFORE = 10;
/** An onset is the sharpest rise among so many steps on each side, 23 ms. */
const APART = 16;
/** Four times the energy is a rise. */
const RISE = 4;
/** Energies of a step below this rise to nothing that is heard: −80 dB. */
const FLOOR = STEP * 1e-8;
/** Onsets that are remembered. */
const REMEMBERED = 32;
/** Steps that are remembered, a power of two. */
const RING = 64;
const READ = 1024;
/** So much before the first place that matters a walk must begin. */
export const SCOUT_LEAD = STEP * (BEFORE + APART + 1);

/**
 * Walks ahead through a song and finds where something is struck: the energy, or the energy of the differences (in which
 * a hi-hat stands out from a bass), rises fourfold within some milliseconds. What it finds depends on the song alone, not
 * on where the walk began. Allocates nothing in use.
 *
 * @see C. Duxbury, M. Davies, M. Sandler, "Improved time-scaling of musical audio using phase locking at transients", AES
 *   112th Convention, 2002
 */
export class OnsetScout {
  /** Where onsets were found, in samples of the song, ascending from number {@link first} on; a ring. */
  readonly places = new Float64Array(REMEMBERED);
  /** Number of the oldest one remembered, and of the one that will be found next. */
  first = 0;
  next = 0;
  readonly #left = new Float32Array(READ + 1);
  readonly #right = new Float32Array(READ + 1);
  readonly #energies = new Float64Array(RING);
  readonly #edges = new Float64Array(RING);
  readonly #rises = new Float64Array(RING);
  #step = 0;
  #begun = 0;

  /** Begins anew: the first onset that can be found is some 40 ms after `place`, {@link SCOUT_LEAD} samples. */
  reset(place: number): void {
    this.#step = Math.floor(place / STEP);
    this.#begun = this.#step;
    this.first = this.next;
  }

  /** Walks on until what lies before `place` is known. */
  walk(reader: StereoReader, place: number): void {
    const last = Math.ceil(place / STEP) + AFTER + APART;
    while (this.#step < last) {
      const steps = Math.min(READ / STEP, last - this.#step);
      reader.read(this.#step * STEP - 1, this.#left, this.#right, steps * STEP + 1);
      for (let index = 0; index < steps; index++) this.#take(index * STEP);
    }
  }

  #take(from: number): void {
    let energy = 0;
    let edge = 0;
    for (let n = from + 1; n <= from + STEP; n++) {
      const l = this.#left[n]!;
      const r = this.#right[n]!;
      energy += l * l + r * r;
      const dl = l - this.#left[n - 1]!;
      const dr = r - this.#right[n - 1]!;
      edge += dl * dl + dr * dr;
    }
    const step = this.#step++;
    this.#energies[step & (RING - 1)] = energy;
    this.#edges[step & (RING - 1)] = edge;
    const at = step - AFTER + 1;
    this.#rises[at & (RING - 1)] =
      at - BEFORE < this.#begun
        ? 0
        : Math.max(riseOf(this.#energies, at, FLOOR), riseOf(this.#edges, at, FLOOR / 16));
    this.#judge(at - APART);
  }

  /** A rise is an onset where it is the greatest around. */
  #judge(at: number): void {
    const rise = this.#rises[at & (RING - 1)]!;
    if (rise < RISE || at - APART < this.#begun) return;
    for (let near = at - APART; near <= at + APART; near++) {
      const other = this.#rises[near & (RING - 1)]!;
      if (other > rise || (other === rise && near < at)) return;
    }
    this.places[this.next++ % this.places.length] = at * STEP;
    this.first = Math.max(this.first, this.next - this.places.length);
  }
}

function riseOf(energies: Float64Array, at: number, floor: number): number {
  let before = 0;
  let after = 0;
  for (let step = at - BEFORE; step < at; step++) before += energies[step & (RING - 1)]!;
  for (let step = at; step < at + AFTER; step++) after += energies[step & (RING - 1)]!;
  return after / AFTER / (before / BEFORE + floor);
}
