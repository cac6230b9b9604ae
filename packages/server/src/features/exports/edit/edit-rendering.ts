import { type FileHandle, open } from 'node:fs/promises';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { type Arrangement, arrangeProject, emptyArrangement } from '@stem-studio/renderer/editor/arrangement';
import { EditMixer } from '@stem-studio/renderer/editor/edit-mixer';
import { neededChunks } from '@stem-studio/renderer/editor/needed-chunks';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import { openStemFile, type ReadableStem } from '@stem-studio/renderer/sources/stem-file';

/** A stem of an export: an absolute path of a WAV file. */
export interface EditSource {
  readonly source: StemType;
  readonly path: string;
}

/** Output frames that are rendered at once. */
const BLOCK_FRAMES = 16_384;

interface OpenSource {
  readonly source: StemType;
  readonly file: FileHandle;
  readonly stem: ReadableStem<null>;
}

async function openSource({ source, path }: EditSource): Promise<OpenSource> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (_path: string, from: number, to: number) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return { bytes: bytes.subarray(0, bytesRead), totalBytes: size };
    };
    return { source, file, stem: await openStemFile<null>(path, read, null) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Renders a project as the page plays it, by the same renderer. The samples near the position are held, whatever the
 * length of the song is.
 */
export class EditRendering {
  readonly sampleRateHz: number;
  readonly #sources: readonly OpenSource[];
  #mixer: EditMixer;
  /** Chunks that the renderer holds. */
  readonly #held = new Set<string>();
  #arrangement: Arrangement = emptyArrangement;

  private constructor(sources: readonly OpenSource[], sampleRateHz: number) {
    this.#sources = sources;
    this.sampleRateHz = sampleRateHz;
    this.#mixer = this.#newMixer();
  }

  #newMixer(): EditMixer {
    const mixer = new EditMixer(this.sampleRateHz, { measuresLoudness: false });
    const sources = this.#sources.map(({ stem: { frames, channels } }) => ({ frames, channels }));
    mixer.apply({ type: 'setup', sources });
    return mixer;
  }

  /** Returns the frames of a state, with the reverb that rings after it. */
  framesOf(state: ProjectState): number {
    const sources = this.#sources.map(({ source }) => source);
    const { frames, tailFrames } = arrangeProject(state, sources, this.sampleRateHz);
    return frames + tailFrames;
  }

  /** Opens the files. Throws where one is no WAV file, or where they have different sample rates. */
  static async open(stems: readonly EditSource[]): Promise<EditRendering> {
    const sources: OpenSource[] = [];
    try {
      for (const stem of stems) sources.push(await openSource(stem));
      const rates = new Set(sources.map(({ stem }) => stem.sampleRateHz));
      const [rateHz] = rates;
      if (rateHz === undefined || rates.size > 1)
        throw new RangeError(`the stems must have one sample rate (got ${[...rates].join(', ')} Hz)`);
      return new EditRendering(sources, rateHz);
    } catch (error) {
      for (const { file } of sources) await file.close();
      throw error;
    }
  }

  /** Lengths of the stems in ms. */
  get durationsMs(): { readonly stem_type: StemType; readonly duration_ms: number }[] {
    return this.#sources.map(({ source, stem }) => ({
      stem_type: source,
      duration_ms: Math.round((1000 * stem.frames) / this.sampleRateHz),
    }));
  }

  /**
   * Yields the rendered blocks, left and right; the last one is shorter. Without a range the reverb rings out after the
   * last clip.
   *
   * @param range part of the timeline in ms; null for all of it
   * @param onProgress called with the rendered fraction
   * @param leastFrames length without a range, if it is longer than the state: silence follows
   */
  async *blocks(
    state: ProjectState,
    range: { readonly start_ms: number; readonly end_ms: number } | null,
    onProgress: (fraction: number) => void = () => {},
    leastFrames = 0,
  ): AsyncGenerator<Float32Array[]> {
    // Nothing rings on from what was rendered before.
    this.#mixer = this.#newMixer();
    this.#held.clear();
    const frameOf = (ms: number) => Math.round((ms * this.sampleRateHz) / 1000);
    const sources = this.#sources.map(({ source }) => source);
    this.#arrangement = arrangeProject(state, sources, this.sampleRateHz);
    const start = range ? frameOf(range.start_ms) : 0;
    const { frames, tailFrames } = this.#arrangement;
    const end = range
      ? Math.min(frameOf(range.end_ms), Math.max(frames, leastFrames))
      : Math.max(frames + tailFrames, leastFrames);
    this.#mixer.apply({ type: 'arrangement', arrangement: this.#arrangement });
    this.#mixer.apply({ type: 'seek', frame: start, id: 1 });
    await this.#load(start);
    this.#mixer.apply({ type: 'play', id: 2, isImmediate: true });
    for (let frame = start; frame < end; frame += BLOCK_FRAMES) {
      await this.#load(frame);
      const count = Math.min(BLOCK_FRAMES, end - frame);
      const block = [new Float32Array(count), new Float32Array(count)] as const;
      this.#mixer.process(block[0], block[1], count);
      onProgress((frame + count - start) / (end - start));
      yield [...block];
    }
  }

  /** Closes the files. */
  async close(): Promise<void> {
    for (const { file } of this.#sources) await file.close();
  }

  /** Loads what the next block plays, and half a second more, without which the renderer would wait; drops the rest. */
  async #load(frame: number): Promise<void> {
    const until = frame + BLOCK_FRAMES + Math.ceil(this.sampleRateHz / 2);
    const lengths = this.#sources.map(({ stem }) => stem.frames);
    const needed = neededChunks(this.#arrangement, frame, until, lengths, this.sampleRateHz);
    const keys = new Set(needed.map(({ source, index }) => `${source} ${index}`));
    for (const key of this.#held) {
      if (keys.has(key)) continue;
      const [source = 0, index = 0] = key.split(' ').map(Number);
      this.#mixer.apply({ type: 'drop', source, index });
      this.#held.delete(key);
    }
    for (const { source, index } of needed) {
      const key = `${source} ${index}`;
      const stem = this.#sources[source]?.stem;
      if (!stem || this.#held.has(key)) continue;
      const from = index * CHUNK_FRAMES;
      const samples = await stem.read(from, Math.min(stem.frames, from + CHUNK_FRAMES), null);
      this.#mixer.apply({ type: 'chunk', source, index, samples });
      this.#held.add(key);
    }
  }
}
