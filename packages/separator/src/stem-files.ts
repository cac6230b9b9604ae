import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { StemBitDepth } from '@stem-studio/contract/separator';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import { bytesPerSample, encodeBlock, foldSamples, type StemBlock, widenToFloat } from './stem-encoder.ts';

/** Subfolder for unfinished stems. */
const stagingFolderName = '.unfinished-stems';
const copyBytes = 6 * 65_536;

/** The finished stem files. */
export interface WrittenStems {
  readonly paths: Readonly<Record<string, string>>;
  readonly peaks: Readonly<Record<string, number>>;
  readonly bitDepth: StemBitDepth;
  readonly frames: number;
}

/**
 * Writes the stem files of one job.
 *
 * Unfinished files are in a staging folder and are renamed when all are complete, so `vocals.wav` is always a finished
 * file. When a stem exceeds full scale, all files of the job become 32f; what is already written is converted without
 * loss. Writing is synchronous, so that an aborted job can clean up within one task of the event loop.
 */
export class StemFiles {
  readonly #folder: string;
  readonly #stagingFolder: string;
  readonly #names: readonly string[];
  readonly #sampleRate: number;
  readonly #peaks: number[];
  #depth: StemBitDepth;
  #handles: number[] = [];
  #frames = 0;
  #named: string[] = [];

  /** @param names the estimated stems in their order, then the residual */
  constructor(folder: string, names: readonly string[], sampleRate: number, depth: StemBitDepth) {
    this.#folder = folder;
    this.#stagingFolder = join(folder, stagingFolderName);
    this.#names = names;
    this.#sampleRate = sampleRate;
    this.#depth = depth;
    this.#peaks = names.map(() => 0);
    mkdirSync(folder, { recursive: true });
    // Left by a process that was killed.
    rmSync(this.#stagingFolder, { recursive: true, force: true });
    mkdirSync(this.#stagingFolder);
    this.#handles = names.map((name) => this.#create(name, depth));
  }

  /** Appends a block to every stem. */
  write(block: StemBlock): void {
    let encoded = encodeBlock(block, this.#depth);
    if (!encoded.fits) {
      this.#widen();
      encoded = encodeBlock(block, this.#depth);
    }
    for (const [i, buffer] of encoded.buffers.entries()) {
      writeFully(this.#handles[i] as number, buffer);
      this.#peaks[i] = Math.max(this.#peaks[i] as number, encoded.peaks[i] as number);
    }
    this.#frames += block.frames;
  }

  /**
   * Adds a stem to the residual and replaces it by silence. The sum of all stems does not change.
   *
   * @throws RangeError when there is no such stem, or it is the residual
   */
  foldIntoResidual(name: string): void {
    const stem = this.#names.indexOf(name);
    const rest = this.#names.length - 1;
    if (stem < 0 || stem === rest) {
      const names = this.#names.slice(0, -1).join(', ');
      throw new RangeError(`the stem to fold must be one of ${names} (got ${name})`);
    }
    this.#peaks[stem] = 0;
    this.#peaks[rest] = 0;
    const [added, sum] = [Buffer.allocUnsafe(copyBytes), Buffer.allocUnsafe(copyBytes)];
    // Counted in samples: the files may be converted to 32f during the loop.
    for (let done = 0; done < 2 * this.#frames; ) {
      const width = bytesPerSample[this.#depth];
      const at = this.#header(this.#depth, 0).length + done * width;
      const bytes = Math.min(copyBytes, (2 * this.#frames - done) * width);
      const [stemHandle, restHandle] = [this.#handles[stem] as number, this.#handles[rest] as number];
      readFully(stemHandle, added, bytes, at);
      readFully(restHandle, sum, bytes, at);
      const folded = foldSamples(added.subarray(0, bytes), sum.subarray(0, bytes), this.#depth);
      if (!folded.fits) {
        this.#widen();
        continue;
      }
      this.#peaks[rest] = Math.max(this.#peaks[rest], folded.peak);
      writeFully(restHandle, sum.subarray(0, bytes), at);
      writeFully(stemHandle, added.subarray(0, bytes).fill(0), at);
      done += bytes / width;
    }
  }

  /** Completes the files and renames them to their final names. */
  finish(): WrittenStems {
    for (const handle of this.#handles) {
      const header = this.#header(this.#depth, this.#frames);
      writeSync(handle, header, 0, header.length, 0);
      fsyncSync(handle);
    }
    this.#closeHandles();
    const paths: Record<string, string> = {};
    for (const name of this.#names) {
      const path = join(this.#folder, `${name}.wav`);
      renameSync(this.#path(name), path);
      this.#named.push(path);
      paths[name] = path;
    }
    rmSync(this.#stagingFolder, { recursive: true, force: true });
    return {
      paths,
      peaks: Object.fromEntries(this.#names.map((name, i) => [name, this.#peaks[i] as number])),
      bitDepth: this.#depth,
      frames: this.#frames,
    };
  }

  /** Removes everything that was written, renamed or not. */
  discard(): void {
    this.#closeHandles();
    for (const path of this.#named) rmSync(path, { force: true });
    rmSync(this.#stagingFolder, { recursive: true, force: true });
  }

  #widen(): void {
    const from = this.#depth;
    if (from === '32f') return;
    for (const [i, name] of this.#names.entries()) {
      const source = this.#handles[i] as number;
      const target = this.#create(`${name}.32f`, '32f');
      const chunk = Buffer.allocUnsafe(copyBytes);
      let position = this.#header(from, 0).length;
      for (;;) {
        const count = readSync(source, chunk, 0, copyBytes, position);
        if (count === 0) break;
        writeFully(target, widenToFloat(chunk.subarray(0, count), from));
        position += count;
      }
      closeSync(source);
      this.#handles[i] = target;
      renameSync(this.#path(`${name}.32f`), this.#path(name));
    }
    this.#depth = '32f';
  }

  #create(name: string, depth: StemBitDepth): number {
    const handle = openSync(this.#path(name), 'w+');
    // Reserves the header; its lengths are known at the end.
    writeFully(handle, this.#header(depth, 0));
    return handle;
  }

  /** Creates a header, RF64 if a stem exceeds 4 GiB. Its size depends on the bit depth only. */
  #header(depth: StemBitDepth, frames: number): Uint8Array {
    return createWavHeader({ sampleRate: this.#sampleRate, channels: 2, bitDepth: depth }, frames, true);
  }

  #path(name: string): string {
    return join(this.#stagingFolder, name);
  }

  #closeHandles(): void {
    for (const handle of this.#handles) closeSync(handle);
    this.#handles = [];
  }
}

/** Writes at the current position of the file, or at a given byte. */
function writeFully(handle: number, buffer: Uint8Array, at: number | null = null): void {
  for (let done = 0; done < buffer.length; ) {
    done += writeSync(handle, buffer, done, buffer.length - done, at === null ? null : at + done);
  }
}

function readFully(handle: number, buffer: Uint8Array, bytes: number, at: number): void {
  for (let done = 0; done < bytes; ) done += readSync(handle, buffer, done, bytes - done, at + done);
}
