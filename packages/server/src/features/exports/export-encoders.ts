import { type ExportFormat, exportFormats } from '@stem-studio/contract/export-formats';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import type { AudioInfo } from '@stem-studio/dsp/format/audio-source';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { fitsIntegers } from './sum-of-files.ts';

/** Audio to be encoded. */
interface EncoderInput {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Bits per sample of the stored stems; null if their format has none. */
  readonly storedBits: number | null;
  /** Largest absolute sample value; 1 is full scale. */
  readonly peak: number;
}

/** Encoder of one export format. */
export interface ExportEncoder {
  readonly open: (input: EncoderInput) => AudioEncoder | Promise<AudioEncoder>;
  /** Whether samples above full scale are kept. Other formats clip, so their gain is lowered. */
  readonly keepsOverloads: boolean;
  /** File size in bytes from which tags can no longer be written. */
  readonly tagLimitBytes: number;
}

const MP3_BITRATE_KBPS = 320;
/** Size of a WAV file below which its 32-bit size fields have space for tags and cover art. */
const WAV_TAG_LIMIT = 2 ** 32 - 2 ** 26;

const encoders: Readonly<Record<ExportFormat, ExportEncoder>> = {
  wav: {
    open({ sampleRate, channels, storedBits, peak }) {
      const bits = storedBits === 16 ? 16 : 24;
      const isInteger = storedBits !== 32 && fitsIntegers(peak, bits);
      return createWavEncoder({
        sampleRate,
        channels,
        bitDepth: isInteger ? (bits === 16 ? '16' : '24') : '32f',
      });
    },
    keepsOverloads: true,
    tagLimitBytes: WAV_TAG_LIMIT,
  },
  flac: {
    open: ({ sampleRate, channels, storedBits }) =>
      createFlacEncoder({ sampleRate, channels, bitDepth: storedBits === 16 ? 16 : 24 }),
    keepsOverloads: false,
    tagLimitBytes: Number.POSITIVE_INFINITY,
  },
  mp3: {
    open: ({ sampleRate, channels }) =>
      createMp3Encoder({ sampleRate, channels, bitrateKbps: MP3_BITRATE_KBPS }),
    keepsOverloads: false,
    tagLimitBytes: Number.POSITIVE_INFINITY,
  },
};

/** Returns the encoder of an export format. Throws a RangeError that names the formats for any other value. */
export function exportEncoder(format: ExportFormat): ExportEncoder {
  if (Object.hasOwn(encoders, format)) return encoders[format];
  const last = exportFormats.at(-1) ?? '';
  const names = `${exportFormats.slice(0, -1).join(', ')} or ${last}`;
  throw new RangeError(`export format must be ${names} (got ${format || 'nothing'})`);
}

/** Opens the encoder for audio of stored stems. */
export function openEncoder(encoder: ExportEncoder, info: AudioInfo, peak: number): Promise<AudioEncoder> {
  const channels = info.channels === 1 ? 1 : 2;
  const input = { sampleRate: info.sample_rate, channels, storedBits: info.bits_per_sample, peak } as const;
  return Promise.resolve(encoder.open(input));
}
