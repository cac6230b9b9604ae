import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import type { ClickLeader } from '../metronome/click-track.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { type PadReport, SAMPLER_PADS, type SamplerCommand } from './sampler-messages.ts';
import { SamplerPad } from './sampler-pad.ts';

/** Pads that can play by key lock at a time; further ones play by varispeed. Each takes as much time as that of a deck. */
const KEY_LOCKS = 2;

/**
 * Sampler of eight pads: `pads → sum → volume → (headphones) → master`.
 *
 * A pad starts at once or exactly on a beat of the leading deck, wherever in a block it falls. `process` allocates
 * nothing.
 *
 * @spec Sampler
 */
export class Sampler {
  readonly #pads: readonly SamplerPad[];
  readonly #locks: readonly KeyLock[];
  readonly #starts = new Float64Array(SAMPLER_PADS);
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  readonly #volume: GainRamp;
  readonly #cue: GainRamp;

  constructor(outputRateHz: number) {
    this.#pads = Array.from({ length: SAMPLER_PADS }, () => new SamplerPad(outputRateHz));
    this.#locks = Array.from({ length: KEY_LOCKS }, () => new KeyLock(outputRateHz));
    const ramp = Math.floor(GAIN_RAMP_SECONDS * outputRateHz);
    this.#volume = new GainRamp(1, ramp);
    this.#cue = new GainRamp(0, ramp);
  }

  /** Carries out a command; one for a pad that does not exist is ignored. */
  apply(command: SamplerCommand): void {
    if (command.type === 'output') {
      this.#volume.set(Math.min(1, Math.max(0, command.volume)));
      this.#cue.set(command.isCued ? 1 : 0);
      return;
    }
    if (command.type === 'stop' && command.pad === null) {
      for (const pad of this.#pads) pad.stop(0);
      return;
    }
    const pad = this.#pads[command.pad ?? -1];
    if (!pad) return;
    if (command.type === 'sample') pad.setSample(command.sample);
    else if (command.type === 'pad') pad.set(command.setting);
    else if (command.type === 'press') pad.press(command.velocity);
    else if (command.type === 'release') pad.release();
    else pad.stop(0);
  }

  /**
   * Adds the next block, of at most {@link BLOCK_FRAMES}, to the master and headphone buses.
   *
   * @param leader the leading deck, after its block was rendered; null for none
   * @param sampleRateHz of the leading deck's song
   */
  process(
    leader: ClickLeader | null,
    sampleRateHz: number,
    frames: number,
    master: readonly [Float32Array, Float32Array],
    headphones: readonly [Float32Array, Float32Array],
  ): void {
    if (!this.#start(leader, sampleRateHz, frames)) return;
    this.#left.fill(0, 0, frames);
    this.#right.fill(0, 0, frames);
    for (let index = 0; index < SAMPLER_PADS; index++) {
      const pad = this.#pads[index]!;
      if (pad.isActive) pad.process(leader, sampleRateHz, this.#left, this.#right, frames);
    }
    for (let n = 0; n < frames; n++) {
      const cue = this.#cue.next();
      const volume = this.#volume.next();
      const left = this.#left[n]!;
      const right = this.#right[n]!;
      headphones[0][n]! += left * cue;
      headphones[1][n]! += right * cue;
      master[0][n]! += left * volume;
      master[1][n]! += right * volume;
    }
  }

  /** Returns the state of the pads. */
  report(): PadReport[] {
    return this.#pads.map((pad) => pad.report());
  }

  /** Starts the pads that are due in this block. Returns whether any pad is active. */
  #start(leader: ClickLeader | null, sampleRateHz: number, frames: number): boolean {
    let isActive = false;
    for (let index = 0; index < SAMPLER_PADS; index++) {
      const pad = this.#pads[index]!;
      isActive ||= pad.isActive;
      this.#starts[index] = pad.isActive ? pad.plan(leader, sampleRateHz, frames) : -1;
    }
    if (!isActive) return false;
    for (let index = 0; index < SAMPLER_PADS; index++) {
      const at = this.#starts[index]!;
      if (at < 0) continue;
      const pad = this.#pads[index]!;
      if (pad.setting.chokeGroup > 0) this.#chokeOthers(pad, at);
      pad.start(at, this.#freeLock());
    }
    return true;
  }

  /** Fades out the other pads of a pad's group. */
  #chokeOthers(pad: SamplerPad, at: number): void {
    for (let index = 0; index < SAMPLER_PADS; index++) {
      const other = this.#pads[index]!;
      if (other !== pad && other.setting.chokeGroup === pad.setting.chokeGroup) other.choke(at);
    }
  }

  #freeLock(): KeyLock | null {
    for (let index = 0; index < this.#locks.length; index++) {
      const lock = this.#locks[index]!;
      let isFree = true;
      for (let pad = 0; pad < SAMPLER_PADS; pad++) if (this.#pads[pad]!.holds(lock)) isFree = false;
      if (isFree) return lock;
    }
    return null;
  }
}
