import type { RecordingDirectory } from './recording-directory.ts';
import type { RecordingCommand, RecordingEvent } from './recording-messages.ts';
import { RecordingWriter } from './recording-writer.ts';

/**
 * Carries out the commands of one recording in their order. After a failure it stores nothing more, but returns all
 * buffers and answers `finish`.
 */
export class RecordingService {
  readonly #openRoot: () => Promise<RecordingDirectory>;
  readonly #send: (event: RecordingEvent, transfer: ArrayBuffer[]) => void;
  #writer: RecordingWriter | null = null;
  #tail: Promise<void> = Promise.resolve();

  /** @param openRoot opens the root directory of the private storage; rejects where there is none */
  constructor(
    openRoot: () => Promise<RecordingDirectory>,
    send: (event: RecordingEvent, transfer: ArrayBuffer[]) => void,
  ) {
    this.#openRoot = openRoot;
    this.#send = send;
  }

  /** Carries out a command after all earlier ones. */
  apply(command: RecordingCommand): void {
    this.#tail = this.#after(this.#tail, command);
  }

  async #after(earlier: Promise<void>, command: RecordingCommand): Promise<void> {
    await earlier;
    try {
      await this.#perform(command);
    } catch (error) {
      await this.#fail(error);
    }
    this.#acknowledge(command);
  }

  async #perform(command: RecordingCommand): Promise<void> {
    switch (command.type) {
      case 'open':
        this.#writer = await RecordingWriter.open(await this.#openRoot(), command.id, command.description);
        this.#send({ type: 'opened' }, []);
        return;
      case 'samples':
        return this.#writer?.add(command.samples);
      case 'note':
        return this.#writer?.note(command.note);
      case 'finish':
        return this.#writer?.finish();
      default:
        command satisfies never;
    }
  }

  #acknowledge(command: RecordingCommand): void {
    if (command.type === 'samples')
      this.#send({ type: 'buffer', samples: command.samples }, [command.samples.buffer]);
    else if (command.type === 'finish') this.#send({ type: 'finished' }, []);
  }

  async #fail(error: unknown): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    try {
      await writer?.close();
    } catch {
      // The error that is reported is the one that came first.
    }
    const name = error instanceof Error ? error.name : '';
    const message = error instanceof Error ? error.message : String(error);
    this.#send({ type: 'failed', isFull: name === 'QuotaExceededError', message }, []);
  }
}
