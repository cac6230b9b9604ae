import type { StemType } from '@stem-studio/contract/resources/stem';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';

/** Two sides of equal length, samples nominally in −1…1. */
export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/**
 * The estimates for one segment, each as long as the segment: every stem of the model but the last, which is what
 * the others leave of the mixture.
 */
export type StemEstimates = Readonly<Partial<Record<StemType, Stereo>>>;

/**
 * One way to separate a segment of sound: the port behind which methods with and without weights stand side
 * by side. A backend sees segments only; cutting, joining and files are done around it.
 */
export interface Backend {
  /** Recorded with every stem. */
  readonly name: string;
  /** Length of a segment, at 44.1 kHz; the last one of a track may be up to half as long again, or shorter. */
  readonly segmentFrames: number;
  /** How much two neighbouring segments share. */
  readonly overlapFrames: number;
  /** How many segments it can work on at the same time. */
  readonly parallelSegments: number;
  /**
   * Prepares for a model.
   *
   * @throws SeparationError `model_not_available` for a model that it cannot serve
   */
  load(model: SeparationModelName): Promise<void>;
  /**
   * Separates one segment of 44.1 kHz stereo. The same segment always gives the same samples.
   *
   * @param audio the segment; its buffers are given away and must not be used afterwards
   * @param report told the part of the segment that is done, 0 to 1, never falling
   */
  separate(audio: Stereo, report: (part: number) => void): Promise<StemEstimates>;
  /** Ends threads and frees memory; pending separations are rejected. */
  close(): Promise<void>;
}
