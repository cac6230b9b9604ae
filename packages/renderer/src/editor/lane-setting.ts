import { mixBounds } from '@stem-studio/contract/limits';
import type { LaneCompressor } from '@stem-studio/contract/resources/lane-effects';
import type { Lane } from '@stem-studio/contract/resources/project';
import { panGain } from '../gain/pan-law.ts';
import type { BandGains } from '../gain/switched-eq.ts';

/** Largest gain of a band of a lane, as a factor. */
export const MOST_LANE_EQ_GAIN = 10 ** (mixBounds.eqDb.max / 20);

/** Channel strip of a lane, in factors. */
export interface LaneSetting {
  readonly leftGain: number;
  readonly rightGain: number;
  readonly eq: BandGains;
  readonly compressor: LaneCompressor | null;
  /** Part of the output that goes to the reverb. */
  readonly send: number;
}

/** Returns the strip of a lane: one that is muted, or not soloed beside soloed ones, has the gain 0. */
export function laneSetting(lane: Omit<Lane, 'clips'>, isSoloing: boolean): LaneSetting {
  const level = lane.is_muted || (isSoloing && !lane.is_soloed) ? 0 : lane.volume / 100;
  const pan = lane.pan / 100;
  const { low_db, mid_db, high_db } = lane.eq;
  return {
    leftGain: level * panGain(pan),
    rightGain: level * panGain(-pan),
    eq: { low: bandGain(low_db), mid: bandGain(mid_db), high: bandGain(high_db) },
    compressor: lane.compressor,
    send: lane.reverb_send / 100,
  };
}

/** The lowest gain removes the band. */
const bandGain = (db: number) => (db <= mixBounds.eqDb.min ? 0 : 10 ** (db / 20));
