import type { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { BeatSync } from '../dj-engine/beat-sync.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import type { ClickLeader } from '../metronome/click-track.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { LoadedSample } from './loaded-sample.ts';
import { beatInBlock, hasBeats, lateSeconds } from './quantized-start.ts';
import type { PadReport, PadSample, PadSetting } from './sampler-messages.ts';
import { SamplerVoice } from './sampler-voice.ts';

const MAX_GAIN = 32;
/** A pad that waits for a bar starts on a beat after this many beats: the grid has no bars there. */
const PATIENCE_BEATS = 8;
/** Velocity that stands for no press. */
const NOT_WAITING = -1;

/** A setting of a pad before any was sent. */
export const restingPad: PadSetting = {
  mode: 'one-shot',
  quantize: 'off',
  tempo: 'recorded',
  gain: 1,
  chokeGroup: 0,
};

/**
 * One pad: a press waits for its beat, then starts one of two voices, so that the last sound fades out under the new one.
 * Allocates nothing in {@link plan} and {@link process}.
 */
export class SamplerPad {
  setting: PadSetting = restingPad;
  readonly #outputRateHz: number;
  readonly #voices: readonly [SamplerVoice, SamplerVoice];
  readonly #sync = new BeatSync();
  readonly #gain: GainRamp;
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  #sample: LoadedSample | null = null;
  /** Velocity of a press that waits for its beat; −1 for none. */
  #waiting = NOT_WAITING;
  #isNewPress = false;
  #beatsWaited = 0;
  #current = 0;
  #rate = 1;
  /** Position in the sample at which the pending start enters. */
  #entryFrame = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.#voices = [new SamplerVoice(outputRateHz), new SamplerVoice(outputRateHz)];
    this.#gain = new GainRamp(1, Math.floor(GAIN_RAMP_SECONDS * outputRateHz));
  }

  /** Whether it plays, or a press waits. */
  get isActive(): boolean {
    return this.#waiting >= 0 || this.#voices[0].isPlaying || this.#voices[1].isPlaying;
  }

  /** Replaces the sample; what plays fades out. */
  setSample(sample: PadSample | null): void {
    this.stop(0);
    this.#sample =
      sample && sample.left.length > 0 && sample.left.length === sample.right.length
        ? new LoadedSample(sample, this.#outputRateHz)
        : null;
  }

  /** Changes the settings; a loop that was turned into another mode fades out. */
  set(setting: PadSetting): void {
    if (setting.mode !== this.setting.mode) this.stop(0);
    this.setting = setting;
    this.#gain.set(Math.min(MAX_GAIN, Math.max(0, setting.gain)), !this.isActive);
  }

  /** Presses the pad. @param velocity 0 to 1 */
  press(velocity: number): void {
    if (!this.#sample) return;
    if (this.setting.mode === 'loop' && (this.#waiting >= 0 || this.#voice.isHeld)) {
      this.stop(0);
      return;
    }
    this.#waiting = Math.min(1, Math.max(0, velocity));
    this.#isNewPress = true;
    this.#beatsWaited = 0;
  }

  /** Releases the pad: one that plays while it is held fades out. */
  release(): void {
    if (this.setting.mode === 'hold') this.stop(0);
  }

  /** Fades out from sample `at` of the next block on, and forgets a press that waits. */
  stop(at: number): void {
    this.#waiting = NOT_WAITING;
    this.#voices[0].release(at);
    this.#voices[1].release(at);
  }

  /** Fades out what plays from sample `at` of the present block on, as another pad of its group starts. */
  choke(at: number): void {
    this.#voices[0].release(at);
    this.#voices[1].release(at);
  }

  /** Returns the sample of the present block at which a waiting press starts, with its fraction; −1 where none does. */
  plan(leader: ClickLeader | null, sampleRateHz: number, frames: number): number {
    if (this.#waiting < 0) return -1;
    const isNewPress = this.#isNewPress;
    this.#isNewPress = false;
    this.#entryFrame = 0;
    const { quantize } = this.setting;
    if (quantize === 'off' || !hasBeats(leader)) return 0;
    const wantsBar = quantize === 'bar' && this.#beatsWaited < PATIENCE_BEATS;
    const late = isNewPress ? lateSeconds(leader, sampleRateHz, this.#outputRateHz, wantsBar) : -1;
    if (late >= 0) {
      this.#follow(leader, sampleRateHz);
      this.#entryFrame = Math.round(late * this.#outputRateHz * this.#rate);
      return 0;
    }
    const at = beatInBlock(leader, sampleRateHz, frames, wantsBar);
    if (at < 0 && wantsBar && beatInBlock(leader, sampleRateHz, frames, false) >= 0) this.#beatsWaited++;
    return at;
  }

  /** Starts the press that waits, at sample `at` of the present block. @param lock a free key lock, where there is one */
  start(at: number, lock: KeyLock | null): void {
    const sample = this.#sample;
    const velocity = this.#waiting;
    this.#waiting = NOT_WAITING;
    if (!sample) return;
    this.#voice.release(at);
    this.#current = 1 - this.#current;
    this.#voice.start({
      sample,
      isLoop: this.setting.mode === 'loop',
      at,
      frame: this.#entryFrame,
      gain: velocity,
      lock: this.#usesLock ? lock : null,
    });
    this.#sync.reset();
  }

  /** Whether one of its voices uses a key lock. */
  holds(lock: KeyLock): boolean {
    return this.#voices[0].lock === lock || this.#voices[1].lock === lock;
  }

  /** Adds the next block to `left` and `right`. */
  process(
    leader: ClickLeader | null,
    sampleRateHz: number,
    left: Float32Array,
    right: Float32Array,
    frames: number,
  ): void {
    this.#left.fill(0, 0, frames);
    this.#right.fill(0, 0, frames);
    this.#follow(leader, sampleRateHz);
    for (let index = 0; index < 2; index++) {
      this.#voices[index]!.process(this.#left, this.#right, frames, this.#rate);
    }
    for (let n = 0; n < frames; n++) {
      const gain = this.#gain.next();
      left[n]! += this.#left[n]! * gain;
      right[n]! += this.#right[n]! * gain;
    }
  }

  /** Returns the state of the pad. */
  report(): PadReport {
    const frames = this.#sample?.frames ?? 1;
    const voice = this.#voice;
    if (this.#waiting >= 0) return { state: 'waiting', progress: 0 };
    if (!voice.isHeld) return { state: 'idle', progress: 0 };
    return { state: 'playing', progress: Math.min(1, Math.max(0, (voice.frame % frames) / frames)) };
  }

  get #voice(): SamplerVoice {
    return this.#voices[this.#current]!;
  }

  get #usesLock(): boolean {
    return this.setting.tempo === 'key-lock' && (this.#sample?.beats.hasTempo ?? false);
  }

  /** Sets the rate by the tempo of the leading deck; while that stands still the last one stays. */
  #follow(leader: ClickLeader | null, sampleRateHz: number): void {
    const beats = this.#sample?.beats;
    if (this.setting.tempo === 'recorded' || !beats?.hasTempo) {
      this.#rate = 1;
      return;
    }
    if (!hasBeats(leader)) return;
    const { blockFrame, blockStep, position } = leader;
    const leaderRate = (blockStep * this.#outputRateHz) / sampleRateHz;
    const leaderSeconds = blockFrame / sampleRateHz;
    const seconds = this.#voice.frame / this.#outputRateHz;
    this.#sync.measure(position.grid, leaderSeconds, leaderRate, beats, seconds);
    this.#rate = this.#sync.tempo(position.grid, leaderSeconds, leaderRate, beats, seconds);
    // Only what repeats can drift away from the beat; a pad without quantisation is off the beat on purpose.
    const isKept = this.setting.quantize !== 'off' && this.#voice.isHeld && this.#voice.isLoop;
    if (isKept) this.#rate *= this.#sync.phaseCorrection;
  }
}
