import { qualityKbps } from '@stem-studio/contract/download-qualities';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { FLAC_SAMPLE_RATES } from '@stem-studio/dsp/format/encode-flac';

/** Plan that turns received audio into the requested quality. */
export type RenditionPlan =
  /** The received bytes already have the requested quality; encoding again would only degrade them. */
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

/** Returns the MPEG-1 Layer III sample rate of the same family. Only MPEG-1 rates support all three bitrates. */
function mp3Rate(sampleRate: number): number {
  if ([32_000, 44_100, 48_000].includes(sampleRate)) return sampleRate;
  return sampleRate % 48_000 === 0 || 48_000 % sampleRate === 0 ? 48_000 : 44_100;
}

/** Returns the received rate if FLAC supports it, otherwise the next higher one, at most 192 kHz. */
function flacRate(sampleRate: number): number {
  return FLAC_SAMPLE_RATES.find((rate) => rate >= sampleRate) ?? 192_000;
}

/** Frames that an MP3 file has beyond its audio: the one that holds the length, and the encoder delay. */
const extraFrames = 4;
const frameSamples = 1152;

/**
 * Returns whether an MP3 has this bitrate. The declared bitrate is a mean, which is too high in a file of a few
 * seconds.
 */
function hasBitrate(info: AudioInfo, kbps: number): boolean {
  const above = (info.bitrate ?? 0) / 1000 - kbps;
  const extra = info.declared_frames ? (kbps * extraFrames * frameSamples) / info.declared_frames : 0;
  return above > -0.5 && above < Math.max(0.5, extra);
}

/**
 * Returns the plan that encodes audio with this `info` in `quality`. `lossless` is FLAC at the received rate and
 * channels, 24-bit when the input has more than 16 bits; the others are MP3 at their bitrate, mono or stereo. A FLAC
 * requested as lossless and an MP3 that already has the exact bitrate are copied.
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
