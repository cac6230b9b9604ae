import type { FourStemEstimates, StereoAudio } from '@stem-studio/dsp/separate/four-stems';
import { medianAlongFrequency, medianAlongTime } from '@stem-studio/dsp/separate/sliding-median';
import { binCount, binHz, type SpectrogramTransform } from '@stem-studio/dsp/separate/stereo-spectrogram';

/**
 * Separates with simple methods, as a baseline: harmonic–percussive separation, everything steady below 200 Hz as bass,
 * and half of the centred signal from 200 Hz to 8 kHz as vocals.
 *
 * @see Fitzgerald, Harmonic/Percussive Separation Using Median Filtering, DAFx 2010
 */
export function separateByCentreAndHpss(
  transform: SpectrogramTransform,
  audio: StereoAudio,
): FourStemEstimates {
  const spectrogram = transform.analyse(audio.left, audio.right);
  const { leftRe, leftIm, rightRe, rightIm } = spectrogram;
  const magnitude = leftRe.map((re, i) =>
    Math.hypot(re, leftIm[i] as number, rightRe[i] as number, rightIm[i] as number),
  );
  const steady = medianAlongTime(magnitude, binCount, 8);
  const broad = medianAlongFrequency(magnitude, binCount, 15);
  const drums = broad.map((p, i) => p ** 2 / (p ** 2 + (steady[i] as number) ** 2 + 1e-12));
  const isBass = (i: number): boolean => (i % binCount) * binHz < 200;
  const isVoice = (i: number): boolean => !isBass(i) && (i % binCount) * binHz < 8000;
  const vocals = drums.map((drum, i) => {
    if (!isVoice(i)) return 0;
    const [a, b, c, d] = [leftRe, leftIm, rightRe, rightIm].map((plane) => plane[i] as number) as [
      number,
      number,
      number,
      number,
    ];
    const middle = (a + c) ** 2 + (b + d) ** 2;
    const side = (a - c) ** 2 + (b - d) ** 2;
    return (0.5 * (1 - drum) * middle) / (middle + 4 * side + 1e-12);
  });
  return {
    vocals: transform.synthesise(spectrogram, vocals),
    drums: transform.synthesise(spectrogram, drums),
    bass: transform.synthesise(
      spectrogram,
      drums.map((drum, i) => (isBass(i) ? 1 - drum : 0)),
    ),
  };
}
