import type { DjEnginePort } from '@stem-studio/audio/dj-engine/dj-engine-port';
import { type SamplerPad, samplerPad } from '@stem-studio/contract/resources/sampler-pad';
import { prepareSample, type RecordedSample } from '@stem-studio/renderer/sampler/prepare-sample';
import type {
  CaptureCommand,
  CaptureEvent,
  PadReport,
  SamplerCommand,
} from '@stem-studio/renderer/sampler/sampler-messages';
import { createStore } from 'zustand/vanilla';
import { defaultPads, defaultSample } from './default-pads.ts';
import type { SampleStore, StoredPad } from './sample-store.ts';

/** A pad as the page shows it. */
export interface PadView {
  settings: SamplerPad;
  /** Whether it has the sample of the default bank. */
  isDefault: boolean;
  state: PadReport['state'];
}

/** State of the sampler. */
export interface SamplerState {
  /** Whether this window plays the audio: pads sound only there. */
  isHere: boolean;
  pads: readonly PadView[];
  /** 0 to 1. */
  volume: number;
  isCued: boolean;
}

/** Samples of a captured region. */
export interface CapturedRegion {
  sampleRateHz: number;
  left: Float32Array<ArrayBuffer>;
  right: Float32Array<ArrayBuffer>;
}

type SamplerPort = Pick<DjEnginePort, 'sampleRateHz' | 'post' | 'wake'>;

/** Storage of the user's pads, and of whose they are. */
export interface SamplerOptions {
  store: SampleStore;
  userId: () => Promise<number | null>;
  /** Shows a title and a sentence to the user. */
  notify: (title: string, text: string) => void;
}

/** The sampler of the page: the user's bank of pads, their storage, and the engine that plays them. */
export class SamplerBoard {
  readonly state = createStore<SamplerState>(() => ({
    isHere: false,
    pads: defaultPads.map(({ settings }) => ({ settings, isDefault: true, state: 'idle' })),
    volume: 1,
    isCued: false,
  }));
  readonly #options: SamplerOptions;
  /** Own samples of the pads; undefined for those of the default bank. */
  readonly #samples = new Map<number, RecordedSample>();
  /** Pads that were changed since the page was opened: what is read from the storage must not replace them. */
  readonly #changed = new Set<number>();
  readonly #captures = new Map<number, PromiseWithResolvers<CapturedRegion>>();
  readonly #restored: Promise<void>;
  #captureId = 0;
  #port: SamplerPort | null = null;

  constructor(options: SamplerOptions) {
    this.#options = options;
    this.#restored = this.#restore();
  }

  /** Resolves when the stored pads are read. */
  get restored(): Promise<void> {
    return this.#restored;
  }

  /** Plays by this engine from now on; null while this window plays no audio. */
  attach(port: SamplerPort | null): void {
    this.#port = port;
    for (const [id] of this.#captures) this.#settle(id, null);
    this.state.setState({ isHere: port !== null });
    this.receive(this.state.getState().pads.map(() => ({ state: 'idle', progress: 0 })));
    if (!port) return;
    this.#sendOutput();
    for (const [pad] of this.state.getState().pads.entries()) {
      this.#sendSample(pad);
      this.#sendSettings(pad);
    }
  }

  /** Shows what the pads do, by a report of the engine. */
  receive(reports: readonly PadReport[]): void {
    const { pads } = this.state.getState();
    if (pads.every((pad, index) => pad.state === (reports[index]?.state ?? 'idle'))) return;
    this.state.setState({
      pads: pads.map((pad, index) => ({ ...pad, state: reports[index]?.state ?? 'idle' })),
    });
  }

  /** Presses a pad. @param velocity above 0 up to 1 */
  press(pad: number, velocity: number): void {
    this.#port?.wake();
    this.#send({ type: 'press', pad, velocity });
  }

  /** Releases a pad. */
  release(pad: number): void {
    this.#send({ type: 'release', pad });
  }

  /** Stops a pad; all of them for null. */
  stop(pad: number | null): void {
    this.#send({ type: 'stop', pad });
  }

  /**
   * Copies a region of a deck. Rejects with a message for the user where it is not loaded, or where this window does not
   * play the audio.
   */
  capture(region: Omit<CaptureCommand, 'type' | 'id'>): Promise<CapturedRegion> {
    if (!this.#port)
      return Promise.reject(new Error('only the window that plays the audio can capture a loop'));
    const captured = Promise.withResolvers<CapturedRegion>();
    const id = ++this.#captureId;
    this.#captures.set(id, captured);
    this.#port.post({ type: 'capture', id, ...region });
    return captured.promise;
  }

  /** Takes a region that the engine has copied. */
  receiveCapture({ id, sampleRateHz, samples }: CaptureEvent): void {
    this.#settle(id, samples && { sampleRateHz, ...samples });
  }

  /** Sets the volume of the sampler, 0 to 1. */
  setVolume(volume: number): void {
    this.state.setState({ volume });
    this.#sendOutput();
  }

  /** Puts the sampler on the headphones, or takes it off. */
  setCued(isCued: boolean): void {
    this.state.setState({ isCued });
    this.#sendOutput();
  }

  /** Changes the settings of a pad and stores them. Throws where a value is not allowed. */
  edit(pad: number, changes: Partial<SamplerPad>): void {
    const view = this.state.getState().pads[pad];
    if (!view) return;
    const settings = samplerPad.parse({ ...view.settings, ...changes });
    this.#changed.add(pad);
    this.#show(pad, { ...view, settings });
    const hasNewBeats = settings.beats !== view.settings.beats;
    if (hasNewBeats) this.#sendSample(pad);
    this.#sendSettings(pad);
    void this.#keep(pad);
  }

  /** Replaces the sample of a pad and stores it. Throws where a value is not allowed. */
  fill(pad: number, sample: RecordedSample, changes: Partial<SamplerPad>): void {
    const view = this.state.getState().pads[pad];
    if (!view) return;
    const settings = samplerPad.parse({ ...view.settings, ...changes, beats: sample.beats });
    this.#changed.add(pad);
    this.#samples.set(pad, sample);
    this.#show(pad, { ...view, settings, isDefault: false });
    this.#sendSample(pad);
    this.#sendSettings(pad);
    void this.#keep(pad);
  }

  /** Gives a pad the sample and settings of the default bank. */
  reset(pad: number): void {
    const view = this.state.getState().pads[pad];
    const original = defaultPads[pad];
    if (!view || !original) return;
    this.#changed.add(pad);
    this.#samples.delete(pad);
    this.#show(pad, { ...view, settings: original.settings, isDefault: true });
    this.#sendSample(pad);
    this.#sendSettings(pad);
    void this.#write(pad, null);
  }

  async #restore(): Promise<void> {
    const userId = await this.#options.userId().catch(() => null);
    if (userId === null) return;
    let stored: ReadonlyMap<number, StoredPad>;
    try {
      stored = await this.#options.store.read(userId);
    } catch {
      // Without storage the bank lasts until the page is left.
      return;
    }
    for (const [pad, { settings, sample }] of stored) {
      const view = this.state.getState().pads[pad];
      if (!view || this.#changed.has(pad)) continue;
      if (sample) {
        const { sample_rate_hz: sampleRateHz, left, right } = sample;
        this.#samples.set(pad, { sampleRateHz, left, right: right ?? left, beats: settings.beats });
      }
      this.#show(pad, { ...view, settings, isDefault: sample === null });
      this.#sendSample(pad);
      this.#sendSettings(pad);
    }
  }

  #settle(id: number, region: CapturedRegion | null): void {
    const captured = this.#captures.get(id);
    this.#captures.delete(id);
    if (region) captured?.resolve(region);
    else captured?.reject(new Error('the region is not loaded yet; try again in a moment'));
  }

  #show(pad: number, view: PadView): void {
    this.state.setState(({ pads }) => ({
      pads: pads.map((one, index) => (index === pad ? { ...view, state: one.state } : one)),
    }));
  }

  async #keep(pad: number): Promise<void> {
    const view = this.state.getState().pads[pad];
    if (!view) return;
    const own = this.#samples.get(pad);
    const sample = own && {
      sample_rate_hz: own.sampleRateHz,
      left: own.left,
      right: own.right === own.left ? null : own.right,
    };
    await this.#write(pad, { settings: view.settings, sample: sample ?? null });
  }

  async #write(pad: number, stored: StoredPad | null): Promise<void> {
    // A stored pad that is read late must not replace a change.
    await this.#restored;
    try {
      const userId = await this.#options.userId();
      if (userId !== null) await this.#options.store.write(userId, pad, stored);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.notify(`Pad ${pad + 1} not saved`, `It plays until you leave the page: ${reason}.`);
    }
  }

  #sendSample(pad: number): void {
    const view = this.state.getState().pads[pad];
    const original = defaultPads[pad];
    if (!this.#port || !view || !original) return;
    const recorded = this.#samples.get(pad) ?? defaultSample(original);
    const sample = prepareSample({ ...recorded, beats: view.settings.beats }, this.#port.sampleRateHz);
    this.#send({ type: 'sample', pad, sample });
  }

  #sendSettings(pad: number): void {
    const settings = this.state.getState().pads[pad]?.settings;
    if (!settings) return;
    const { mode, quantize, tempo, gain_db, choke_group: chokeGroup } = settings;
    const setting = { mode, quantize, tempo, gain: 10 ** (gain_db / 20), chokeGroup };
    this.#send({ type: 'pad', pad, setting });
  }

  #sendOutput(): void {
    const { volume, isCued } = this.state.getState();
    this.#send({ type: 'output', volume, isCued });
  }

  #send(command: SamplerCommand): void {
    this.#port?.post({ type: 'sampler', command });
  }
}
