import type { HeadphoneDevice, HeadphoneOutput } from '@stem-studio/audio/booth/headphone-output';
import { createStore } from 'zustand/vanilla';
import { wordsOf } from '../../client/api-error.ts';
import type { StoredHeadphones } from './stored-headphones.ts';

/** Where the headphones can be heard, and are. */
export interface HeadphoneState {
  /** Whether something can be chosen: only the window that sounds has headphones. */
  isHere: boolean;
  devices: readonly HeadphoneDevice[];
  /** Id of the one that is heard; null is silence. */
  chosen: string | null;
}

const nobody: HeadphoneState = { isHere: false, devices: [], chosen: null };

/**
 * The headphones that somebody chose, for as long as the page is open and, as this browser's own, beyond: they are gone
 * back to when the page is opened again and when they are plugged in again. What is cued is never sent to the master
 * instead: where there are no headphones, it is silent.
 */
export class HeadphoneChoice {
  readonly state = createStore<HeadphoneState>(() => nobody);
  readonly #kept: StoredHeadphones;
  readonly #tell: (title: string, words: string) => void;
  #output: HeadphoneOutput | null = null;
  /** What is to be heard whenever it is there. */
  #wanted: HeadphoneDevice | null;
  /** It was said that they are not there. */
  #isMissed = false;
  /** Counts what was asked of the output: the answer to an earlier one means nothing. */
  #asked = 0;

  /**
   * @param kept where the choice outlives the page
   * @param tell says a title and a sentence to the person at the page
   */
  constructor(kept: StoredHeadphones, tell: (title: string, words: string) => void) {
    this.#kept = kept;
    this.#tell = tell;
    this.#wanted = kept.read();
  }

  /** Goes on with another output of the engine, or with none while this window does not sound. */
  async use(output: HeadphoneOutput | null): Promise<void> {
    this.#output = output;
    this.#asked++;
    this.state.setState({ ...nobody, isHere: output !== null });
    output?.onChange(() => void this.#look());
    await this.#look();
  }

  /** Goes over to a device, null for silence, and remembers it. One that cannot be heard leaves all as it was. */
  async choose(id: string | null): Promise<void> {
    const { devices, chosen } = this.state.getState();
    if (!this.#output) return;
    const before = chosen;
    if (!(await this.#goTo(id, 'The headphones are not heard there'))) {
      if (before !== null) await this.#goTo(before, 'The headphones are silent');
      return;
    }
    this.#isMissed = false;
    this.#wanted = devices.find((device) => device.id === id) ?? null;
    this.#kept.write(this.#wanted);
  }

  /** Asks the browser to name what it keeps to itself; it has to follow a press. */
  async askForMore(): Promise<void> {
    try {
      await this.#output?.ask();
    } catch (error) {
      this.#tell('No more outputs are named', sentence(wordsOf(error)));
    }
    await this.#look();
  }

  /** Sees what is there now: what was wanted and has come is heard, what was heard and has gone is missed. */
  async #look(): Promise<void> {
    const output = this.#output;
    if (!output) return;
    const devices = await output.devices().catch(() => []);
    if (output !== this.#output) return;
    this.state.setState({ devices });
    const { chosen } = this.state.getState();
    const wanted = this.#wanted;
    const isThere = devices.some(({ id }) => id === (chosen ?? wanted?.id));
    if (isThere && chosen === null && wanted && (await this.#goTo(wanted.id, 'The headphones are silent')))
      this.#isMissed = false;
    if (isThere) return;
    if (chosen !== null) await this.#goTo(null, 'The headphones are silent');
    if (!wanted || this.#isMissed) return;
    this.#isMissed = true;
    this.#tell(
      'The headphones are not there',
      `“${wanted.label || 'The output chosen last'}” is not connected, or the browser does not name it. The master plays on. Plug it in again, or choose another output beside the headphones' volume.`,
    );
  }

  async #goTo(id: string | null, trouble: string): Promise<boolean> {
    const turn = ++this.#asked;
    try {
      await this.#output?.choose(id);
    } catch (error) {
      if (turn !== this.#asked) return true;
      this.state.setState({ chosen: null });
      this.#tell(trouble, `${sentence(wordsOf(error))} The master plays on.`);
      return false;
    }
    if (turn === this.#asked) this.state.setState({ chosen: id });
    return true;
  }
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
