import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Segment, SegmentPlan } from '../segments.ts';
import type { Stereo } from '../stereo.ts';

/**
 * The estimated stems of one segment, without its context: every stem of the model but the last, the residual.
 */
export type StemEstimates = Readonly<Partial<Record<StemType, Stereo>>>;

/**
 * One way to separate a segment, with or without weights.
 *
 * A backend sees segments only; cutting, joining and files are done outside.
 */
export interface Backend {
  /** Recorded with every stem. */
  readonly name: string;
  /** How the track is cut, at 44.1 kHz. */
  readonly plan: SegmentPlan;
  /** Number of segments separated at the same time. */
  readonly parallelSegments: number;
  /** Receives the whole track, block by block, before the first segment; absent if the backend does not need it. */
  readonly measure?: (block: Stereo) => void;
  /** Returns messages about what differs from the request. */
  warnings(): readonly string[];
  /** Returns the stems absent from the track; valid once all of its segments are separated. */
  absentStems(): readonly StemType[];
  /** Returns the median time of a segment in ms, or null if it was not measured. */
  segmentMs(): number | null;
  /**
   * Separates one segment, deterministically.
   *
   * @param segment its buffers are transferred and must not be used afterwards
   * @param report receives the fraction done, 0 to 1, never falling
   */
  separate(segment: Segment, report: (part: number) => void): Promise<StemEstimates>;
  /** Forgets the separated track and keeps what is loaded. Returns false if the backend cannot be reused. */
  rest(): boolean;
  /** Ends threads and frees memory; pending separations are rejected. */
  close(): Promise<void>;
}
