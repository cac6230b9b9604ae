import { z } from 'zod';
import type { StemType } from './resources/stem.ts';
import { type SeparationModelName, separationModel } from './separation-models.ts';

/**
 * How a network takes and gives sound, all of it 32-bit floats at 44.1 kHz in segments of 343,980 frames:
 *
 * - `stft_inside`: `[1, 2, 343980]` → `[1, S, 2, 343980]`.
 * - `stft_outside`: that and `[1, 4, 2048, 336]`, the spectrogram → `[1, S, 4, 2048, 336]` and `[1, S, 2, 343980]`,
 *   whose sum the stems are.
 */
export const networkContract = z.enum(['stft_inside', 'stft_outside']);
/** How a network takes and gives sound. */
export type NetworkContract = z.infer<typeof networkContract>;

/** The stems that a network of four or six gives, in its order. */
export const networkStemTypes = {
  4: ['drums', 'bass', 'other', 'vocals'],
  6: ['drums', 'bass', 'other', 'vocals', 'guitar', 'piano'],
} as const satisfies Readonly<Record<number, readonly StemType[]>>;

/** Stems of one network. */
export const networkStemCount = z.union([z.literal(4), z.literal(6)]);
/** Stems of one network. */
export type NetworkStemCount = z.infer<typeof networkStemCount>;

/** What each model is made of: how many networks, and how many stems each of them gives. */
export const networksOfModels: Readonly<
  Record<SeparationModelName, { readonly networks: 1 | 4; readonly stems: NetworkStemCount }>
> = {
  hybrid_4: { networks: 1, stems: 4 },
  // One network for each stem, in the order of networkStemTypes.
  hybrid_4_ft: { networks: 4, stems: 4 },
  hybrid_6: { networks: 1, stems: 6 },
  alt_4: { networks: 1, stems: 4 },
};

/** Where networks can run; `auto` is the first of this machine's that works. */
export const networkDevices = ['cpu', 'auto', 'cuda', 'coreml', 'dml', 'webgpu'] as const;
/** One of {@link networkDevices}. */
export const networkDevice = z.enum(networkDevices);
/** One of {@link networkDevices}. */
export type NetworkDevice = z.infer<typeof networkDevice>;

/** What the separator is told of the networks that it is to use. */
export const separatorWeights = z.strictObject({
  contract: networkContract,
  stems: networkStemCount,
  /** Absolute paths: one network, or one for each of four stems. */
  files: z.array(z.string().min(1)).min(1).max(4),
  device: networkDevice,
  /** Whether memory is kept from one segment to the next: faster, and about twice as much. */
  keeps_memory: z.boolean(),
  /** The process ends itself with a sentence when it has more than this resident. */
  memory_mb: z.int().positive(),
  /** Processes of one machine that name the same queue use their networks one after the other. */
  queue: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be 1 to 60 letters, digits and hyphens'),
});
/** What the separator is told of the networks that it is to use. */
export type SeparatorWeights = z.infer<typeof separatorWeights>;

/** What a process is asked that only looks at a network, or at what could run one. */
export const networkQuestion = z.discriminatedUnion('about', [
  z.strictObject({ about: z.literal('runtime') }),
  z.strictObject({ about: z.literal('network'), path: z.string().min(1) }),
]);
/** What a process is asked that only looks at a network. */
export type NetworkQuestion = z.infer<typeof networkQuestion>;

/** Its one line of answer. */
export const networkAnswer = z.discriminatedUnion('about', [
  z.strictObject({ about: z.literal('runtime'), version: z.string(), devices: z.array(z.string()) }),
  z.strictObject({
    about: z.literal('network'),
    contract: networkContract,
    stems: networkStemCount,
    /** Names of files beside it that hold its values. */
    beside: z.array(z.string()),
  }),
  z.strictObject({ about: z.literal('error'), message: z.string().min(1) }),
]);
/** Its one line of answer. */
export type NetworkAnswer = z.infer<typeof networkAnswer>;

const storedFile = z.strictObject({
  /** Relative to the folder of models, with forward slashes. */
  path: z.string().min(1),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

/** What a self-test measured. */
const selfTest = z.strictObject({ segment_ms: z.number().positive(), peak_mb: z.number().positive() });

/** A model of the operator's own, as it is written down beside its files. */
export const installedModel = z.strictObject({
  model: separationModel,
  contract: networkContract,
  stems: networkStemCount,
  /** Paths of the graphs, one of them or four. */
  networks: z.array(z.string().min(1)).min(1).max(4),
  /** Every file that belongs to it, graphs among them. */
  files: z.array(storedFile).min(1),
  added_at: z.iso.datetime(),
  /** What the self-test measured on this machine, in both ways of using memory; null where that went over the bound. */
  tested: z.strictObject({ keeping_memory: selfTest.nullable(), freeing_memory: selfTest }),
});
/** A model of the operator's own. */
export type InstalledModel = z.infer<typeof installedModel>;
