import type { BarWeights } from './bar-path.ts';

/** Weights of the evidence for beats and bars. */
export interface RhythmWeights {
  /** Log-odds of a beat at a frame; the second set has no network. */
  readonly frames: readonly { readonly features: readonly number[]; readonly bias: number }[];
  readonly bars: BarWeights;
  /** Weights of the features of beats, that of the bars last. */
  readonly beats: readonly number[];
  /** Slope and offset of the log-odds that the most probable beats are right. */
  readonly confidence: readonly [slope: number, offset: number];
}

/** Weights learned by `training/fit-rhythm-weights.ts` from 270 songs: do not edit. */
export const rhythmWeights: RhythmWeights = {
  frames: [
    {
      features: [0.40615, 0.388, -0.034292, 0.13031, -0.23806, 0.47189],
      bias: 0.20085,
    },
    {
      features: [0, 0.90353, 0.031257, 0.12879, -0.25947, 0.53003],
      bias: -1.1908,
    },
  ],
  bars: {
    features: [0.038388, 0.00088246, 0.082749, 0.046441, 0.0069638, -0.054895, 0.17952, 0.011101],
    bias: -0.04259,
    lengths: [
      [-2.5473, -2.6583, -0.22876, -3.3112, -3.3112, -3.3112],
      [-0.90004, -2.416, -1.1102, -2.416, -2.416, -2.416],
    ],
  },
  beats: [
    0.07433, -0.033643, -0.052603, -0.032741, 0.03257, -2.1325, -0.051079, 0.069601, -0.31455, -0.12873,
    1.3248, 0.2942, -0.26366, 0.89723, 1.4293, 0.097423, 0.059725, 0.58169, 1.5402, -0.099424, 1.3787, 1.7706,
    -1.7892, 0.36272, 0.8701, 1.1135, 0.6637, 0.15962, 0.035384, -0.41961, -0.54358, 0.010128, -3.9389,
    -0.13944, 0.075361, 0.085705, -0.2528, 0.12548, 0.11131, 0.97728, 16.698, -0.47187, 0.073754, 0.4955,
    -0.26257,
  ],
  confidence: [0.70155, 0.24044],
};
