import { decodeAudioFile } from '@stem-studio/audio/base/decode-audio-file';
import { errorText } from '../../../client/api-error.ts';
import { readSampleFile, sampleName } from '../../../state/sampler/read-sample-file.ts';
import type { SamplerBoard } from '../../../state/sampler/sampler-board.ts';
import { toastError } from '../../../state/toasts.state.ts';

/** Fills a pad with an audio file; a failure is shown to the user, and the pad stays as it is. */
export async function fillFromFile(board: SamplerBoard, pad: number, file: File): Promise<void> {
  try {
    const sample = await readSampleFile(file, decodeAudioFile);
    board.fill(pad, sample, { name: sampleName(file.name) });
  } catch (error) {
    const text = errorText(error);
    toastError(`Pad ${pad + 1} not changed`, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  }
}
