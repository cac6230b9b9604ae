import { z } from 'zod';
import type { StemType } from './resources/stem.ts';
import { type SeparationModelName, separationModel } from './separation-models.ts';

/**
 * Input and output tensors of a network: 32-bit floats at 44.1 kHz in segments of 343,980 frames, for S stems:
 *
 * - `stft_inside`: `[1, 2, 343980]` → `[1, S, 2, 343980]`.
 * - `stft_outside`: the same input and the spectrogram `[1, 4, 2048, 336]` →
 *   `[1, S, 4, 2048, 336]` and `[1, S, 2, 343980]`, whose sum is the stems.
 */
export const networkContract = z.enum(['stft_inside', 'stft_outside']);
/** Input and output format of a network. */
export type NetworkContract = z.infer<typeof networkContract>;

/** Output stems of networks with four or six stems, in output order. */
export const networkStemTypes = {
  4: ['drums', 'bass', 'other', 'vocals'],
  6: ['drums', 'bass', 'other', 'vocals', 'guitar', 'piano'],
} as const satisfies Readonly<Record<number, readonly StemType[]>>;

/** Number of stems of one network. */
export const networkStemCount = z.union([z.literal(4), z.literal(6)]);
/** Number of stems of one network. */
export type NetworkStemCount = z.infer<typeof networkStemCount>;

/** Networks of each model: their number, and the number of stems of each. */
export const networksOfModels: Readonly<
  Record<SeparationModelName, { readonly networks: 1 | 4; readonly stems: NetworkStemCount }>
> = {
  hybrid_4: { networks: 1, stems: 4 },
  // One network per stem, in the order of networkStemTypes.
  hybrid_4_ft: { networks: 4, stems: 4 },
  hybrid_6: { networks: 1, stems: 6 },
  alt_4: { networks: 1, stems: 4 },
};

/** Devices that networks can run on; `auto` is the first that works on this machine. */
export const networkDevices = ['cpu', 'auto', 'cuda', 'coreml', 'dml', 'webgpu'] as const;
/** One of {@link networkDevices}. */
export const networkDevice = z.enum(networkDevices);
/** One of {@link networkDevices}. */
export type NetworkDevice = z.infer<typeof networkDevice>;

/** Configuration of the networks that the separator uses. */
export const separatorWeights = z.strictObject({
  contract: networkContract,
  stems: networkStemCount,
  /** Absolute paths: one network, or one per stem for four stems. */
  files: z.array(z.string().min(1)).min(1).max(4),
  device: networkDevice,
  /** Whether memory is retained between segments: faster, but uses about twice as much. */
  keeps_memory: z.boolean(),
  /** Resident memory above which the process ends itself with an error message, in MB. */
  memory_mb: z.int().positive(),
  /** Name of a queue: processes on one machine with the same queue run their networks one after the other. */
  queue: z.string().regex(/^[a-z0-9-]{1,60}$/, 'must be 1 to 60 letters, digits and hyphens'),
});
/** Configuration of the networks that the separator uses. */
export type SeparatorWeights = z.infer<typeof separatorWeights>;

/** Request to a process that only inspects a network, or the available runtime. */
export const networkQuestion = z.discriminatedUnion('about', [
  z.strictObject({ about: z.literal('runtime') }),
  z.strictObject({ about: z.literal('network'), path: z.string().min(1) }),
]);
/** Request to a process that only inspects a network, or the available runtime. */
export type NetworkQuestion = z.infer<typeof networkQuestion>;

/** Single-line reply to a {@link NetworkQuestion}. */
export const networkAnswer = z.discriminatedUnion('about', [
  z.strictObject({ about: z.literal('runtime'), version: z.string(), devices: z.array(z.string()) }),
  z.strictObject({
    about: z.literal('network'),
    contract: networkContract,
    stems: networkStemCount,
    /** Names of files in the same folder that hold its weights. */
    beside: z.array(z.string()),
  }),
  z.strictObject({ about: z.literal('error'), message: z.string().min(1) }),
]);
/** Single-line reply to a {@link NetworkQuestion}. */
export type NetworkAnswer = z.infer<typeof networkAnswer>;

const storedFile = z.strictObject({
  /** Path relative to the models folder, with forward slashes. */
  path: z.string().min(1),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

/** Measurements of a self-test. */
const selfTest = z.strictObject({ segment_ms: z.number().positive(), peak_mb: z.number().positive() });

/** Metadata of a model installed by the operator, stored next to its files. */
export const installedModel = z.strictObject({
  model: separationModel,
  contract: networkContract,
  stems: networkStemCount,
  /** Paths of the graphs, one or four. */
  networks: z.array(z.string().min(1)).min(1).max(4),
  /** All files of the model, including the graphs. */
  files: z.array(storedFile).min(1),
  added_at: z.iso.datetime(),
  /**
   * Self-test measurements on this machine with memory retained and released between segments; null if retaining
   * exceeded the memory limit.
   */
  tested: z.strictObject({ keeping_memory: selfTest.nullable(), freeing_memory: selfTest }),
  /** Entry of the catalogue that it was downloaded from; absent for files of the operator's own. */
  network: z.strictObject({ name: z.string(), title: z.string(), licence: z.string() }).optional(),
});
/** Metadata of a model installed by the operator. */
export type InstalledModel = z.infer<typeof installedModel>;
