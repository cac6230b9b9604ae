import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { crossfadeGains } from '@stem-studio/dsp/mix/crossfade';
import { MasterEffect } from '../effects/master-effect.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SafetyLimiter } from '../gain/safety-limiter.ts';
import { ClickTrack } from '../metronome/click-track.ts';
import { MicrophoneChannel } from '../microphone/microphone-channel.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { LoopCapture } from '../sampler/loop-capture.ts';
import { Sampler } from '../sampler/sampler.ts';
import { BeatSync } from './beat-sync.ts';
import { ChannelStrip } from './channel-strip.ts';
import type { DeckReport, DjEngineCommand, DjEngineReport, MasterSetting } from './dj-engine-messages.ts';
import { EngineDeck } from './engine-deck.ts';
import { HeadphoneMix } from './headphone-mix.ts';
import { RecordedMix } from './recorded-mix.ts';
import { RecordingTap } from './recording-tap.ts';

/** Repeated here, because the module that defines them also contains schemas too large for an audio thread. */
const deckIds: readonly DeckId[] = ['a', 'b'];

/**
 * Audio graph of both decks and the mixer.
 *
 * `decks → channel strips, effects → crossfader, sampler → master effect → ducking → master volume → microphone, clicks
 * → limiter → master output → recorder`
 * `channel strips, effects, sampler → cue, master → headphone output`
 *
 * Both decks are rendered in the same block, so that a follower knows the leader's position to the sample, and a mix
 * can be rendered and measured without a browser. `process` allocates nothing but recorded chunks that are not
 * returned.
 *
 * @spec DJ decks
 */
export class DjEngine {
  readonly recorder = new RecordingTap();
  readonly capture = new LoopCapture();
  /** Latency between mixing and output, in output samples. */
  readonly delayFrames: number;
  readonly #decks: Readonly<Record<DeckId, EngineDeck>>;
  readonly #strips: Readonly<Record<DeckId, ChannelStrip>>;
  readonly #sync = new BeatSync();
  readonly #effect: MasterEffect;
  readonly #clicks: ClickTrack;
  readonly #headphones: HeadphoneMix;
  readonly #sampler: Sampler;
  readonly #microphone: MicrophoneChannel;
  readonly #recordedMix: RecordedMix;
  readonly #limiter: SafetyLimiter;
  readonly #volume: GainRamp;
  readonly #clickVolume: GainRamp;
  readonly #peaks = new Float32Array(2);
  readonly #master: readonly [Float32Array, Float32Array] = [block(), block()];
  readonly #cued: readonly [Float32Array, Float32Array] = [block(), block()];
  readonly #click = block();
  #leader: DeckId | null = null;
  /** Tempo of the follower: the leader's, or the last one it had; null where it has its own. */
  #followedTempo: number | null = null;
  /** Factor on that tempo that corrects the phase. */
  #phaseCorrection = 1;
  #hasPhase = false;
  #areBarsSynced = false;
  #clickLeader: DeckId | null = null;
  #areClicksOnMaster = true;

  constructor(outputRateHz: number) {
    this.#decks = { a: new EngineDeck(outputRateHz), b: new EngineDeck(outputRateHz) };
    this.#strips = { a: new ChannelStrip(outputRateHz), b: new ChannelStrip(outputRateHz) };
    this.#effect = new MasterEffect(outputRateHz);
    this.#clicks = new ClickTrack(outputRateHz);
    this.#headphones = new HeadphoneMix(outputRateHz);
    this.#sampler = new Sampler(outputRateHz);
    this.#microphone = new MicrophoneChannel(outputRateHz);
    this.#recordedMix = new RecordedMix(outputRateHz);
    this.#limiter = new SafetyLimiter(outputRateHz);
    this.delayFrames = this.#limiter.delayFrames;
    const ramp = Math.floor(GAIN_RAMP_SECONDS * outputRateHz);
    this.#volume = new GainRamp(1, ramp);
    this.#clickVolume = new GainRamp(0, ramp);
    this.#setMaster({ crossfader: 0, curve: 'linear', volume: 1, headphoneVolume: 1, headphoneMix: -1 });
  }

  /** Carries out a command. */
  apply(command: DjEngineCommand): void {
    switch (command.type) {
      case 'play':
        this.#decks[command.deck].play(command.id);
        if (command.keepsPhase && command.deck === this.#follower) this.#alignPhase();
        break;
      case 'sync':
        this.#areBarsSynced = command.unit === 'bar';
        this.#setLeader(command.leader, command.keepsPhase);
        break;
      case 'strip':
        this.#strips[command.deck].set(command.strip);
        break;
      case 'master':
        this.#setMaster(command.master);
        break;
      case 'effect':
        this.#strips[command.deck].effects.set(command.slot, command.effect);
        break;
      case 'master-effect':
        this.#effect.set(command.effect);
        break;
      case 'metronome':
        this.#clickLeader = command.leader;
        this.#areClicksOnMaster = command.output === 'master';
        this.#clickVolume.set(command.isOn ? Math.min(1, Math.max(0, command.volume)) : 0);
        break;
      case 'sampler':
        this.#sampler.apply(command.command);
        break;
      case 'capture':
        this.capture.start(command, this.#decks[command.deck].position.slot);
        break;
      case 'microphone':
        this.#microphone.set(command.setting);
        break;
      case 'record':
        if (command.isOn) this.recorder.start();
        else this.recorder.stop();
        break;
      case 'record-buffer':
        this.recorder.recycle(command.samples);
        break;
      default:
        this.#decks[command.deck].apply(command);
    }
  }

  /**
   * Renders the next samples of master and headphones.
   *
   * @param microphone samples of the microphone, mono; null for none
   */
  process(
    left: Float32Array,
    right: Float32Array,
    headLeft: Float32Array,
    headRight: Float32Array,
    frames: number,
    microphone: Float32Array | null = null,
  ): void {
    for (let from = 0; from < frames; from += BLOCK_FRAMES) {
      const count = Math.min(BLOCK_FRAMES, frames - from);
      this.#microphone.process(microphone, from, count);
      this.#mix(count);
      for (let n = 0; n < count; n++) {
        left[from + n] = this.#master[0][n]!;
        right[from + n] = this.#master[1][n]!;
        headLeft[from + n] = this.#cued[0][n]!;
        headRight[from + n] = this.#cued[1][n]!;
      }
    }
  }

  /** Returns the state of the engine; peaks and the limiter's gain are those since the last report. */
  report(timeSeconds: number): DjEngineReport {
    const report: DjEngineReport = {
      type: 'report',
      timeSeconds,
      decks: { a: this.#reportDeck('a'), b: this.#reportDeck('b') },
      masterPeaks: [this.#peaks[0]!, this.#peaks[1]!],
      limiterGain: this.#limiter.lowestGain,
      pads: this.#sampler.report(),
      microphone: this.#microphone.report(),
    };
    this.#peaks.fill(0);
    this.#limiter.lowestGain = 1;
    return report;
  }

  get #follower(): DeckId | null {
    if (this.#leader === null) return null;
    return this.#leader === 'a' ? 'b' : 'a';
  }

  #mix(frames: number): void {
    this.#follow();
    const [left, right] = this.#master;
    left.fill(0);
    right.fill(0);
    this.#cued[0].fill(0);
    this.#cued[1].fill(0);
    const follower = this.#follower;
    for (let index = 0; index < deckIds.length; index++) {
      const id = deckIds[index]!;
      const deck = this.#decks[id];
      const tempo =
        id === follower && this.#followedTempo !== null
          ? this.#followedTempo * this.#phaseCorrection
          : deck.tempo;
      deck.process(frames, tempo * deck.bend);
      this.#moveClock(id, tempo * deck.bend);
      this.#strips[id].process(deck.left, deck.right, frames, this.#master, this.#cued);
    }
    const leader = this.#clickLeader === null ? null : this.#decks[this.#clickLeader];
    const leaderRateHz = leader?.position.slot.sampleRateHz ?? 1;
    this.#sampler.process(leader, leaderRateHz, frames, this.#master, this.#cued);
    this.#effect.process(left, right, frames);
    this.capture.process();
    this.#clicks.process(leader, leaderRateHz, this.#click, frames);
    for (let n = 0; n < frames; n++) this.#click[n]! *= this.#clickVolume.next();
    const onMaster = this.#areClicksOnMaster;
    this.#headphones.process(this.#cued, this.#master, onMaster ? null : this.#click, frames);
    for (let n = 0; n < frames; n++) {
      const volume = this.#volume.next();
      left[n]! *= volume;
      right[n]! *= volume;
    }
    const click = onMaster ? this.#click : null;
    this.#recordedMix.take(left, right, click, this.#microphone, frames);
    this.#limiter.process(left, right, frames);
    for (let n = 0; n < frames; n++) {
      this.#peaks[0] = Math.max(this.#peaks[0]!, Math.abs(left[n]!));
      this.#peaks[1] = Math.max(this.#peaks[1]!, Math.abs(right[n]!));
    }
    this.#recordedMix.record(left, right, this.recorder, frames);
  }

  /** Moves the clock of a deck's effects, and of the master's, to the beginning of the block. */
  #moveClock(id: DeckId, rate: number): void {
    const { effects } = this.#strips[id];
    const leads = id === this.#clickLeader;
    if (!effects.isActive && !(leads && this.#effect.isActive)) return;
    const deck = this.#decks[id];
    const { grid, slot } = deck.position;
    const isMoving = deck.isSteady && deck.blockStep > 0;
    effects.clock.follow(grid, deck.blockFrame / slot.sampleRateHz, rate, isMoving);
    if (leads) this.#effect.follow(effects.clock);
  }

  /** Computes the tempo of the follower. Both decks are at the beginning of the same block. */
  #follow(): void {
    const id = this.#follower;
    this.#hasPhase = false;
    if (id === null || this.#leader === null) return;
    const own = this.#decks[id];
    const leader = this.#decks[this.#leader];
    if (!leader.position.grid.hasTempo || !own.position.grid.hasTempo) {
      this.#followedTempo = null;
      return;
    }
    this.#phaseCorrection = 1;
    // While the leader is paused, buffering or scratched the follower keeps its tempo.
    if (!leader.isSteady) return;
    const tempo = leader.tempo * leader.bend;
    const there = leader.position;
    const here = own.position;
    this.#sync.measure(there.grid, there.seconds, tempo, here.grid, here.seconds);
    this.#followedTempo = this.#sync.tempo(there.grid, there.seconds, tempo, here.grid, here.seconds);
    this.#hasPhase = own.isSteady;
    if (own.isSteady && own.bend === 1) this.#phaseCorrection = this.#sync.phaseCorrection;
  }

  #setLeader(leader: DeckId | null, keepsPhase: boolean): void {
    if (leader !== this.#leader) {
      const before = this.#follower;
      // A deck that stops following keeps its tempo until it gets another.
      if (before !== null && this.#followedTempo !== null) this.#decks[before].tempo = this.#followedTempo;
      this.#leader = leader;
      this.#followedTempo = null;
      this.#sync.reset();
      for (const id of deckIds) this.#decks[id].isFollowing = id === this.#follower;
    }
    const follower = this.#follower;
    if (keepsPhase && follower !== null && this.#decks[follower].isPlaying) this.#alignPhase();
  }

  /** Moves the follower onto the leader's beat, or onto the same beat of its bar. */
  #alignPhase(): void {
    this.#follow();
    const id = this.#follower;
    if (id === null || this.#leader === null || !this.#decks[this.#leader].isSteady) return;
    if (this.#followedTempo === null) return;
    const { position } = this.#decks[id];
    if (this.#areBarsSynced) position.shiftBeats(-this.#sync.barError, this.#sync.barPeriod);
    else position.shiftBeats(-this.#sync.error);
  }

  #setMaster(master: MasterSetting): void {
    const gains = crossfadeGains(master.curve, master.crossfader);
    this.#strips.a.setFader(gains.a);
    this.#strips.b.setFader(gains.b);
    this.#volume.set(Math.min(1, Math.max(0, master.volume)));
    this.#headphones.set(master);
  }

  #reportDeck(id: DeckId): DeckReport {
    const deck = this.#decks[id];
    const { position } = deck;
    const sourcePeaks = position.slot.sources?.peaks;
    const { peaks } = this.#strips[id];
    const report: DeckReport = {
      transport: deck.transport,
      load: position.slot.load,
      frame: position.frame,
      rate: deck.rate,
      commandId: deck.commandId,
      slipFrame: position.slipFrame,
      phaseError: id === this.#follower && this.#hasPhase ? this.#sync.error : null,
      peaks: [peaks[0]!, peaks[1]!],
      sourcePeaks: sourcePeaks ? [...sourcePeaks] : [],
    };
    peaks.fill(0);
    sourcePeaks?.fill(0);
    return report;
  }
}

function block(): Float32Array {
  return new Float32Array(BLOCK_FRAMES);
}
