import type { StemBitDepth } from './separator.ts';

/** Properties of an export format. */
interface ExportFormatProperties {
  readonly mediaType: string;
  /** Whether stems are stored in this format: they are sent as stored, with byte ranges, instead of encoded. */
  readonly isStored: boolean;
  /** Bit depths that `studio separate --bit-depth` accepts; none for a lossy format. */
  readonly bitDepths: readonly StemBitDepth[];
  /** Whether the menu of mixes (karaoke, a cappella) offers it. */
  readonly isOfferedForMixes: boolean;
}

/**
 * Every format in which stems and mixes are exported. All lists of formats derive from this table; the server has an
 * encoder for each of its rows.
 */
const formats = {
  wav: {
    mediaType: 'audio/wav',
    isStored: true,
    bitDepths: ['16', '24', '32f'],
    isOfferedForMixes: true,
  },
  flac: { mediaType: 'audio/flac', isStored: false, bitDepths: ['16', '24'], isOfferedForMixes: false },
  mp3: { mediaType: 'audio/mpeg', isStored: false, bitDepths: [], isOfferedForMixes: true },
} as const satisfies Readonly<Record<string, ExportFormatProperties>>;

/** Name of an export format, also the extension of its files. */
export type ExportFormat = keyof typeof formats;

/** Properties of each export format. */
export const exportFormatTable: Readonly<Record<ExportFormat, ExportFormatProperties>> = formats;

/** Names of the export formats. */
export const exportFormats = Object.keys(formats) as [ExportFormat, ...ExportFormat[]];
