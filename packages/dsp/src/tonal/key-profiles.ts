/** Frequency of each degree of the chromatic scale from the tonic in a key. */
export interface KeyProfile {
  readonly major: readonly number[];
  readonly minor: readonly number[];
}

/**
 * Fractions of segments of the Kostka-Payne corpus in which each degree occurs.
 *
 * @see Temperley, "Music and Probability", MIT Press 2007, table 6.1
 */
export const temperleyProfile: KeyProfile = {
  major: [0.748, 0.06, 0.488, 0.082, 0.67, 0.46, 0.096, 0.715, 0.104, 0.366, 0.057, 0.4],
  minor: [0.712, 0.084, 0.474, 0.618, 0.049, 0.46, 0.105, 0.747, 0.404, 0.067, 0.133, 0.33],
};

/**
 * Fractions of the note durations on each degree in 982 pieces.
 *
 * @see Albrecht and Shanahan, "The use of large corpora to train a new type of key-finding algorithm: an improved
 *   treatment of the minor mode", Music Perception 31, 2013
 */
export const albrechtProfile: KeyProfile = {
  major: [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  minor: [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
};
