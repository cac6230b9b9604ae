import type { DjEnginePort } from '@stem-studio/audio/dj-engine/dj-engine-port';
import type { MicrophoneDevice, MicrophoneInput } from '@stem-studio/audio/dj-engine/microphone-input';
import { microphoneControls } from '@stem-studio/contract/sampler-controls';
import type { MicrophoneReport } from '@stem-studio/renderer/microphone/microphone-messages';
import { z } from 'zod';
import { createStore } from 'zustand/vanilla';
import { errorText } from '../../client/api-error.ts';
import { parseStored } from '../browser-storage.ts';

const storageKey = 'stem-studio.microphone';

const within = ({ range: { min, max } }: { range: { min: number; max: number } }) =>
  z.number().min(min).max(max);

/** Settings of the microphone, stored in the browser: they belong to its devices, not to the account. */
const microphoneSettings = z.strictObject({
  /** Id of the device; null for the default one. */
  device: z.string().nullable(),
  gain_db: within(microphoneControls.microphone_gain),
  has_low_cut: z.boolean(),
  is_talk_over: z.boolean(),
  threshold_db: within(microphoneControls.microphone_threshold),
  depth_db: within(microphoneControls.microphone_depth),
  attack_ms: within(microphoneControls.microphone_attack),
  release_ms: within(microphoneControls.microphone_release),
  is_recorded: z.boolean(),
});
/** Settings of the microphone. */
export type MicrophoneSettings = z.infer<typeof microphoneSettings>;

const resting: MicrophoneSettings = {
  device: null,
  gain_db: 0,
  has_low_cut: true,
  is_talk_over: true,
  threshold_db: microphoneControls.microphone_threshold.range.rest,
  depth_db: microphoneControls.microphone_depth.range.rest,
  attack_ms: microphoneControls.microphone_attack.range.rest,
  release_ms: microphoneControls.microphone_release.range.rest,
  is_recorded: true,
};

/** State of the microphone. */
export interface MicrophoneState {
  /** Whether this window plays the audio: only there a microphone can be opened. */
  isHere: boolean;
  /** `opening` waits for the browser's permission. */
  status: 'off' | 'opening' | 'on';
  /** Why it is off although it was turned on; empty otherwise. */
  trouble: string;
  devices: readonly MicrophoneDevice[];
  settings: MicrophoneSettings;
}

/** Storage of the settings as text. */
export interface MicrophoneStorage {
  read: (key: string) => string | null | undefined;
  write: (key: string, text: string) => void;
}

type MicrophonePort = Pick<DjEnginePort, 'post' | 'wake' | 'microphone'>;

const SILENT: MicrophoneReport = { peak: 0, duckGain: 1 };

/** The microphone of the page: its device, its settings, and the engine that mixes it. */
export class MicrophoneBoard {
  readonly state;
  readonly #storage: MicrophoneStorage;
  #port: MicrophonePort | null = null;
  #report = SILENT;
  #requests = 0;

  constructor(storage: MicrophoneStorage) {
    this.#storage = storage;
    const settings = parseStored(storage.read(storageKey), microphoneSettings) ?? resting;
    this.state = createStore<MicrophoneState>(() => ({
      isHere: false,
      status: 'off',
      trouble: '',
      devices: [],
      settings,
    }));
  }

  /** Peak level of the speech, and the gain of the music, at the last report. */
  get report(): MicrophoneReport {
    return this.#report;
  }

  /** Uses this engine from now on; null while this window plays no audio, which turns the microphone off. */
  attach(port: MicrophonePort | null): void {
    this.switchOff();
    this.#port = port;
    this.state.setState({ isHere: (port?.microphone ?? null) !== null, trouble: '' });
    const input = port?.microphone;
    input?.onEnd(() => this.#lose());
    input?.onChange(() => void this.#look());
    this.#send();
  }

  /** Takes a report of the engine. */
  receive(report: MicrophoneReport): void {
    this.#report = report;
  }

  /** Opens the device and turns the microphone on; must follow a user gesture. A failure is shown as `trouble`. */
  async switchOn(): Promise<void> {
    const input = this.#port?.microphone;
    if (!input) {
      this.state.setState({ trouble: 'Only the window that plays the audio can use a microphone.' });
      return;
    }
    this.#port?.wake();
    const request = ++this.#requests;
    this.state.setState({ status: 'opening', trouble: '' });
    try {
      const device = await this.#open(input);
      if (request !== this.#requests) return;
      this.state.setState({ status: device ? 'on' : 'off' });
    } catch (error) {
      if (request !== this.#requests) return;
      this.state.setState({ status: 'off', trouble: sentence(errorText(error)) });
    }
    this.#send();
    await this.#look();
  }

  /** Turns the microphone off and releases the device. */
  switchOff(): void {
    this.#requests++;
    this.#report = SILENT;
    this.state.setState({ status: 'off', trouble: '' });
    this.#send();
    this.#port?.microphone?.close();
  }

  /** Changes settings and stores them; another device is opened at once. */
  async edit(changes: Partial<MicrophoneSettings>): Promise<void> {
    const before = this.state.getState().settings;
    const settings = microphoneSettings.parse({ ...before, ...changes });
    this.state.setState({ settings });
    this.#storage.write(storageKey, JSON.stringify(settings));
    this.#send();
    if (settings.device !== before.device && this.state.getState().status !== 'off') await this.switchOn();
  }

  /** Opens the selected device; where it is gone, the default one. */
  async #open(input: MicrophoneInput): Promise<MicrophoneDevice | null> {
    const { device } = this.state.getState().settings;
    if (device === null) return input.open(null);
    const devices = await input.devices().catch(() => []);
    return input.open(devices.some(({ id }) => id === device) ? device : null);
  }

  #lose(): void {
    this.switchOff();
    this.state.setState({ trouble: 'The microphone was unplugged, or the browser withdrew its permission.' });
    void this.#look();
  }

  async #look(): Promise<void> {
    const devices = await (this.#port?.microphone?.devices() ?? Promise.resolve([])).catch(() => []);
    this.state.setState({ devices });
  }

  #send(): void {
    const { settings, status } = this.state.getState();
    this.#port?.post({
      type: 'microphone',
      setting: {
        isOn: status === 'on',
        gain: 10 ** (settings.gain_db / 20),
        hasLowCut: settings.has_low_cut,
        isTalkOver: settings.is_talk_over,
        thresholdDb: settings.threshold_db,
        depthDb: settings.depth_db,
        attackMs: settings.attack_ms,
        releaseMs: settings.release_ms,
        isRecorded: settings.is_recorded,
      },
    });
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
