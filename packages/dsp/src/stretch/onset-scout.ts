import type { StereoReader } from '../signal/stereo-reader.ts';

/** Samples over which energy is summed: 1.5 ms at 44.1 kHz. */
const STEP = 64;
/** Steps after a candidate that are compared with {@link BEFORE} steps before it. */
const AFTER = 4;
const BEFORE = 10;
/** An onset is the steepest rise among this many steps on each side: 23 ms. */
const APART = 16;
/** Smallest ratio of energies that counts as a rise. */
const RISE = 4;
/** Energy of a step below which a rise is inaudible: −80 dB. */
const FLOOR = STEP * 1e-8;
/** Number of onsets that are remembered. */
const REMEMBERED = 32;
/** Number of steps that are remembered, a power of two. */
const RING = 64;
const READ = 1024;
/** Samples before the first position of interest at which a scan must begin. */
export const SCOUT_LEAD = STEP * (BEFORE + APART + 1);

/**
 * Scans ahead through a song and finds onsets.
 *
 * An onset is where the energy, or the energy of the differences (in which a hi-hat stands out from a bass), rises
 * fourfold within some milliseconds. The result depends on the song alone, not on where the scan began. Allocates
 * nothing in use.
 *
 * @see C. Duxbury, M. Davies, M. Sandler, "Improved time-scaling of musical audio using phase locking at transients",
 *   AES 112th Convention, 2002
 */
export class OnsetScout {
  /** Ring of onset positions in samples of the song, ascending from number {@link first} on. */
  readonly positions = new Float64Array(REMEMBERED);
  /** Numbers of the oldest remembered onset and of the next one to be found. */
  first = 0;
  next = 0;
  readonly #left = new Float32Array(READ + 1);
  readonly #right = new Float32Array(READ + 1);
  readonly #energies = new Float64Array(RING);
  readonly #edges = new Float64Array(RING);
  readonly #rises = new Float64Array(RING);
  #step = 0;
  #begun = 0;

  /** Restarts the scan: the first onset that can be found is some 40 ms after `position`, {@link SCOUT_LEAD} samples. */
  reset(position: number): void {
    this.#step = Math.floor(position / STEP);
    this.#begun = this.#step;
    this.first = this.next;
  }

  /** Continues the scan until all onsets before `position` are known. */
  walk(reader: StereoReader, position: number): void {
    const last = Math.ceil(position / STEP) + AFTER + APART;
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

  /** Records a rise as an onset if it is a local maximum within {@link APART} steps. */
  #judge(at: number): void {
    const rise = this.#rises[at & (RING - 1)]!;
    if (rise < RISE || at - APART < this.#begun) return;
    for (let near = at - APART; near <= at + APART; near++) {
      const other = this.#rises[near & (RING - 1)]!;
      if (other > rise || (other === rise && near < at)) return;
    }
    this.positions[this.next++ % this.positions.length] = at * STEP;
    this.first = Math.max(this.first, this.next - this.positions.length);
  }
}

function riseOf(energies: Float64Array, at: number, floor: number): number {
  let before = 0;
  let after = 0;
  for (let step = at - BEFORE; step < at; step++) before += energies[step & (RING - 1)]!;
  for (let step = at; step < at + AFTER; step++) after += energies[step & (RING - 1)]!;
  return after / AFTER / (before / BEFORE + floor);
}
