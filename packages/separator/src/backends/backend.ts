import type { StemType } from '@stem-studio/contract/resources/stem';
import type { Segment, SegmentPlan } from '../segments.ts';
import type { Stereo } from '../stereo.ts';

/**
 * The estimates for one segment, each as long as its piece of the track: every stem of the model but the last, which
 * is what the others leave of the mixture.
 */
export type StemEstimates = Readonly<Partial<Record<StemType, Stereo>>>;

/**
 * One way to separate a segment of sound: the port behind which methods with and without weights stand side
 * by side. A backend sees segments only; cutting, joining and files are done around it.
 */
export interface Backend {
  /** Recorded with every stem; final once the backend is open. */
  readonly name: string;
  /** How it wants a track cut, at 44.1 kHz. */
  readonly plan: SegmentPlan;
  /** How many segments it can work on at the same time. */
  readonly parallelSegments: number;
  /** Told the whole track, block after block, before the first segment; a backend without it needs no such look. */
  readonly listen?: (block: Stereo) => void;
  /** Sentences about what was not as asked. */
  warnings(): readonly string[];
  /** The stems that are not in the track, once all of its segments are separated. */
  absentStems(): readonly StemType[];
  /** The median time of a segment in milliseconds, from a backend that knows it. */
  segmentMs(): number | null;
  /**
   * Separates one segment. The same segment always gives the same samples.
   *
   * @param segment its buffers are given away and must not be used afterwards
   * @param report told the part of the segment that is done, 0 to 1, never falling
   */
  separate(segment: Segment, report: (part: number) => void): Promise<StemEstimates>;
  /** Forgets the track that has been separated and keeps what is loaded, for the next one; false where that cannot be. */
  rest(): boolean;
  /** Ends threads and frees memory; pending separations are rejected. */
  close(): Promise<void>;
}
