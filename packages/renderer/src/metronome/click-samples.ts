const DOWNBEAT_HZ = 1760;
const BEAT_HZ = 1175;
/** Audible over full music, and short enough to mark a moment. */
const PEAK = 0.5;
const DECAY_SECONDS = 0.035;

/** Returns the samples of a metronome's click; downbeats have the higher and louder tone. */
export function createClick(isDownbeat: boolean, sampleRateHz: number): Float32Array<ArrayBuffer> {
  const hz = isDownbeat ? DOWNBEAT_HZ : BEAT_HZ;
  const peak = isDownbeat ? PEAK : 0.7 * PEAK;
  const frames = Math.round(DECAY_SECONDS * sampleRateHz);
  const fall = Math.log(500) / frames;
  // The last millisecond fades out.
  const end = sampleRateHz / 1000;
  return Float32Array.from({ length: frames }, (_, n) => {
    const tone = Math.sin((2 * Math.PI * hz * n) / sampleRateHz);
    return peak * tone * Math.exp(-fall * n) * Math.min(1, (frames - n) / end);
  });
}
