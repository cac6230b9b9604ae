import { type DownloadQuality, qualityKbps } from '@stem-studio/contract/resources/download-job';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { FLAC_SAMPLE_RATES } from '@stem-studio/dsp/format/encode-flac';

/** How the received sound becomes the asked quality. */
export type RenditionPlan =
  /** The received bytes are the asked quality already: making them anew would only lose. */
  | { readonly kind: 'copy'; readonly extension: 'flac' | 'mp3' }
  | {
      readonly kind: 'flac';
      readonly extension: 'flac';
      readonly sampleRate: number;
      readonly channels: number;
      readonly bitDepth: 16 | 24;
    }
  | {
      readonly kind: 'mp3';
      readonly extension: 'mp3';
      readonly sampleRate: number;
      readonly channels: 1 | 2;
      readonly bitrateKbps: 128 | 192 | 320;
    };

/** The rate of MPEG-1 Layer III that is nearest in family: only those carry all three bitrates. */
function mp3Rate(sampleRate: number): number {
  if ([32_000, 44_100, 48_000].includes(sampleRate)) return sampleRate;
  return sampleRate % 48_000 === 0 || 48_000 % sampleRate === 0 ? 48_000 : 44_100;
}

/** The received rate where FLAC knows it, otherwise the next one above, at most 192 kHz. */
function flacRate(sampleRate: number): number {
  return FLAC_SAMPLE_RATES.find((rate) => rate >= sampleRate) ?? 192_000;
}

/** An MP3 file has so many frames more than its sound needs: one that tells its length, and the encoder's lead. */
const extraFrames = 4;
const frameSamples = 1152;

/** Whether an MP3 is of this bitrate; what it says itself is a mean, which is above in a file of a few seconds. */
function hasBitrate(info: AudioInfo, kbps: number): boolean {
  const above = (info.bitrate ?? 0) / 1000 - kbps;
  const extra = info.declared_frames ? (kbps * extraFrames * frameSamples) / info.declared_frames : 0;
  return above > -0.5 && above < Math.max(0.5, extra);
}

/**
 * What to make of sound with this `info` for `quality`: `lossless` is FLAC at the received rate and channels, 24-bit
 * when more than 16 bits came in; the others are MP3 at their bitrate, mono or stereo. A FLAC asked as FLAC, and an MP3
 * that has exactly the asked bitrate already, are taken as they are.
 *
 * @spec Downloads
 */
export function planRendition(info: AudioInfo, quality: DownloadQuality): RenditionPlan {
  if (quality === 'lossless') {
    if (info.codec === 'flac') return { kind: 'copy', extension: 'flac' };
    return {
      kind: 'flac',
      extension: 'flac',
      sampleRate: flacRate(info.sample_rate),
      channels: info.channels,
      bitDepth: info.codec !== 'mp3' && (info.bits_per_sample ?? 16) > 16 ? 24 : 16,
    };
  }
  const bitrateKbps = qualityKbps[quality];
  if (info.codec === 'mp3' && hasBitrate(info, bitrateKbps)) return { kind: 'copy', extension: 'mp3' };
  return {
    kind: 'mp3',
    extension: 'mp3',
    sampleRate: mp3Rate(info.sample_rate),
    channels: info.channels === 1 ? 1 : 2,
    bitrateKbps,
  };
}
