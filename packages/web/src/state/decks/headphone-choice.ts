import type { HeadphoneDevice, HeadphoneOutput } from '@stem-studio/audio/dj-engine/headphone-output';
import { createStore } from 'zustand/vanilla';
import { errorText } from '../../client/api-error.ts';
import type { StoredHeadphones } from './stored-headphones.ts';

/** Available headphone outputs and the selected one. */
export interface HeadphoneState {
  /** Whether an output can be selected: only the window that plays the audio has headphones. */
  isHere: boolean;
  devices: readonly HeadphoneDevice[];
  /** Id of the output in use; null if the headphones are silent. */
  chosen: string | null;
}

const nobody: HeadphoneState = { isHere: false, devices: [], chosen: null };

/**
 * Selection of the headphone output, stored in the browser: the output is used again when the page is opened again and
 * when it is plugged in again. Without it the headphones are silent; cued decks never go to the master instead.
 */
export class HeadphoneChoice {
  readonly state = createStore<HeadphoneState>(() => nobody);
  readonly #kept: StoredHeadphones;
  readonly #notify: (title: string, text: string) => void;
  #output: HeadphoneOutput | null = null;
  /** Output to use whenever it is available. */
  #wanted: HeadphoneDevice | null;
  /** Whether the user was notified that the output is not available. */
  #isMissed = false;
  /** Number of requests to the output; replies to earlier ones are ignored. */
  #asked = 0;

  /**
   * @param kept storage of the selection
   * @param notify shows a title and a sentence to the user
   */
  constructor(kept: StoredHeadphones, notify: (title: string, text: string) => void) {
    this.#kept = kept;
    this.#notify = notify;
    this.#wanted = kept.read();
  }

  /** Switches to the output of another audio graph, or to none while this window plays no audio. */
  async use(output: HeadphoneOutput | null): Promise<void> {
    this.#output = output;
    this.#asked++;
    this.state.setState({ ...nobody, isHere: output !== null });
    output?.onChange(() => void this.#look());
    await this.#look();
  }

  /** Selects and stores a device, null for silence. If the device fails, nothing changes. */
  async choose(id: string | null): Promise<void> {
    const { devices, chosen } = this.state.getState();
    if (!this.#output) return;
    const before = chosen;
    if (!(await this.#goTo(id, 'The headphones cannot use this output'))) {
      if (before !== null) await this.#goTo(before, 'Headphone output failed');
      return;
    }
    this.#isMissed = false;
    this.#wanted = devices.find((device) => device.id === id) ?? null;
    this.#kept.write(this.#wanted);
  }

  /** Requests the browser's permission for further devices; must follow a user gesture. */
  async askForMore(): Promise<void> {
    try {
      await this.#output?.ask();
    } catch (error) {
      this.#notify('No further outputs found', sentence(errorText(error)));
    }
    await this.#look();
  }

  /** Updates the devices: a selected one that appeared is used, one in use that is gone is reported. */
  async #look(): Promise<void> {
    const output = this.#output;
    if (!output) return;
    const devices = await output.devices().catch(() => []);
    if (output !== this.#output) return;
    this.state.setState({ devices });
    const { chosen } = this.state.getState();
    const wanted = this.#wanted;
    const isThere = devices.some(({ id }) => id === (chosen ?? wanted?.id));
    if (isThere && chosen === null && wanted && (await this.#goTo(wanted.id, 'Headphone output failed')))
      this.#isMissed = false;
    if (isThere) return;
    if (chosen !== null) await this.#goTo(null, 'Headphone output failed');
    if (!wanted || this.#isMissed) return;
    this.#isMissed = true;
    this.#notify(
      'Headphones not connected',
      `“${wanted.label || 'The last headphone output'}” is not connected, or the browser does not list it. The master keeps playing. Reconnect it, or select another headphone output.`,
    );
  }

  async #goTo(id: string | null, trouble: string): Promise<boolean> {
    const request = ++this.#asked;
    try {
      await this.#output?.choose(id);
    } catch (error) {
      if (request !== this.#asked) return true;
      this.state.setState({ chosen: null });
      this.#notify(trouble, `${sentence(errorText(error))} The master keeps playing.`);
      return false;
    }
    if (request === this.#asked) this.state.setState({ chosen: id });
    return true;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
