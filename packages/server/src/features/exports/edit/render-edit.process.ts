import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditManifest } from '@stem-studio/contract/resources/edit-manifest';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { readEnd } from '../../../platform/files/read-end.ts';
import { serveProcess } from '../../../platform/process/serve-process.ts';
import { writeAudioFile } from '../write-audio-file.ts';
import { EditRendering, type EditSource } from './edit-rendering.ts';
import { manifestState } from './manifest-state.ts';
import { type EditOutput, type EditRange, type WrittenEdit, writeEdit } from './write-edit.ts';
import { writeLanes } from './write-lanes.ts';

/** Request to the rendering process. Paths are absolute. */
export interface RenderEditRequest {
  readonly stems: readonly EditSource[];
  /** What to render: uploaded stems of any format by a manifest, or stored stems by the state of a project. */
  readonly edit:
    | { readonly manifest: EditManifest }
    | { readonly state: ProjectState; readonly range: EditRange };
  /** Folder for decoded stems. */
  readonly folder: string;
  /** Format, level and path of the file; of a ZIP of files of this format if `isPerLane`. */
  readonly output: EditOutput;
  /** Whether each audible lane becomes a file. */
  readonly isPerLane?: boolean;
  readonly maxDurationSeconds: number;
}

/** Result: the written file, or the stem that cannot be read. */
export type RenderEditResult =
  | WrittenEdit
  | { readonly refusal: { readonly source: string; readonly message: string } };

/** Returns whether a file is a WAV file that the renderer reads as it is. */
async function isReadableWav(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return (
      /^(RIFF|RF64)$/.test(buffer.toString('latin1', 0, 4)) && buffer.toString('latin1', 8, 12) === 'WAVE'
    );
  } finally {
    await file.close();
  }
}

/** Reads a stem to its end and, unless it is a WAV file already, writes it as one of 32-bit floats. */
async function readableStem({ source, path }: EditSource, request: RenderEditRequest): Promise<EditSource> {
  const { folder, maxDurationSeconds } = request;
  const audio = await openAudio(createReadStream(path, { highWaterMark: 1 << 18 }), {
    maxDurationSeconds,
    readEnd: (count) => readEnd(path, count),
  });
  try {
    const { channels, sample_rate: sampleRate } = audio.info;
    if (channels <= 2 && (await isReadableWav(path))) {
      // Damage and excess length are found before anything is written.
      for await (const block of audio.blocks) void block;
      return { source, path };
    }
    const decodedPath = join(folder, `${source}.decoded.wav`);
    const stereo = async function* () {
      for await (const block of audio.blocks) yield block.length > 2 ? downmixToStereo(block) : block;
    };
    const encoder = createWavEncoder({ sampleRate, channels: channels === 1 ? 1 : 2, bitDepth: '32f' });
    await writeAudioFile(encoder, stereo(), decodedPath);
    return { source, path: decodedPath };
  } finally {
    await audio.close();
  }
}

async function render(
  request: RenderEditRequest,
  report: (fraction: number) => void,
): Promise<RenderEditResult> {
  const { stems, edit, output } = request;
  const readable: EditSource[] = [];
  for (const stem of stems) {
    try {
      readable.push('manifest' in edit ? await readableStem(stem, request) : stem);
    } catch (error) {
      if (!(error instanceof AudioFormatError)) throw error;
      return { refusal: { source: stem.source, message: error.message } };
    }
  }
  const rendering = await EditRendering.open(readable).catch((error: unknown) => {
    if (error instanceof RangeError) return error.message;
    throw error;
  });
  if (typeof rendering === 'string') return { refusal: { source: 'stems', message: rendering } };
  try {
    const state = 'manifest' in edit ? manifestState(edit.manifest, rendering.durationsMs) : edit.state;
    const range = 'manifest' in edit ? edit.manifest.range : edit.range;
    if (request.isPerLane === true)
      return await writeLanes(rendering, { state, range, output, folder: request.folder }, report);
    return await writeEdit(rendering, state, range, output, report);
  } finally {
    await rendering.close();
  }
}

/** Renders an edit into a file. Progress is a fraction. */
serveProcess<RenderEditRequest, RenderEditResult>(render);
