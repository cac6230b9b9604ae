/** Setting of the microphone. */
export interface MicrophoneSetting {
  isOn: boolean;
  /** Linear gain, 0 to 32. */
  gain: number;
  /** Whether rumble and handling noise below the speech are removed. */
  hasLowCut: boolean;
  /** Whether the music gets quieter while somebody speaks. */
  isTalkOver: boolean;
  /** Level of the speech from which the music gets quieter, in dB of full scale. */
  thresholdDb: number;
  /** Change of the music's level while somebody speaks, in dB, at most 0. */
  depthDb: number;
  attackMs: number;
  releaseMs: number;
  /** Whether the speech, and the music as it is turned down, are recorded. */
  isRecorded: boolean;
}

/** State of the microphone in a report. */
export interface MicrophoneReport {
  /** Peak sample after gain and low-cut since the last report. */
  peak: number;
  /** Lowest gain of the music since the last report; 1 while it is not turned down. */
  duckGain: number;
}
