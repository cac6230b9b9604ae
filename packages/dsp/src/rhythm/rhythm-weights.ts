import type { BarWeights } from './bar-path.ts';

/** Weights of the evidence for beats and bars. */
export interface RhythmWeights {
  /** Log-odds of a beat at a frame; the second set has no network. */
  readonly frames: readonly { readonly features: readonly number[]; readonly bias: number }[];
  readonly bars: BarWeights;
  /** Weights of the features of beats, that of the bars last. */
  readonly beats: readonly number[];
  /**
   * Log-odds that the most probable beats are right: weights of the log-odds of their probability and of the confidence
   * of the tracked tempo, and offset.
   */
  readonly confidence: readonly [probability: number, tracked: number, offset: number];
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
    0.065564, -0.00093627, 0.03123, -0.087053, 0.014599, -1.3049, -0.057249, 0.040144, -0.27125, -0.1551,
    1.1081, 0.30331, -0.019666, 0.64128, 0.7944, 0.068933, 0.085861, 0.32006, 0.91169, 0.031466, 0.65491,
    1.3334, -0.8794, 0.62274, 0.62952, 0.58461, 0.54283, 0.46343, 0.084896, -0.029131, -0.39467, -0.43445,
    -2.3734, -0.076236, 0.016323, -0.080067, -0.24193, -0.050391, -0.095234, 0.55147, 0.0073948, -0.0064902,
    0.26396, 0.0036407, 14.063, -0.1764, -0.026277, 0.085513, -0.30338, 0.63728, 0.079526, 0.17386, 0.74208,
    -0.16714,
  ],
  confidence: [0.48532, 0.68722, -0.64027],
};
