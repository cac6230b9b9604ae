import { readFile } from 'node:fs/promises';
import { stemType } from '@stem-studio/contract/resources/stem';
import { separationModel, separationModelNames } from '@stem-studio/contract/separation-models';
import { networkStemTypes, networksOfModels } from '@stem-studio/contract/separation-weights';
import { z } from 'zod';
import type { Config } from '../../../platform/config.ts';
import { messageOf } from '../../../platform/errors.ts';

const builtInPath = new URL('./network-catalogue.json', import.meta.url);

/** Bytes of the values of one U-Net of Spleeter, 9,826,759 float32 numbers with those that are not used. */
const unetBytes = 39_307_036;

const webPage = z.url({ protocol: /^https$/ });

const catalogueFile = z.strictObject({
  url: z.url({ protocol: /^https$/, error: 'must be an https address' }),
  /** Exact size in bytes; null if it is not known, then `max_bytes` is the limit. */
  bytes: z.int().positive().nullable(),
  max_bytes: z.int().positive().optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'),
});

const entryFields = {
  /** Name on the command line and in addresses. */
  name: z.string().regex(/^[a-z0-9_]{1,60}$/, 'must be 1 to 60 lower-case letters, digits and underscores'),
  title: z.string().min(1).max(80),
  about: z.string().min(1).max(600),
  /** Stems that the network separates. */
  stems: z.array(stemType).min(2).max(6),
  /** Separation models that it can serve, the default first. */
  serves: z.array(separationModel).min(1),
  licence: z.strictObject({
    name: z.string().min(1).max(120),
    /** Terms in a few sentences, shown before the download. */
    notice: z.string().min(1).max(1200),
    must_accept: z.boolean(),
    url: webPage,
  }),
  /** Hosts to which the host of the files may redirect, with their subdomains. */
  redirect_hosts: z.array(z.string().regex(/^[a-z0-9.-]{1,100}$/)),
  /** One file, or one for each stem in the order of the model. */
  files: z.array(catalogueFile).min(1).max(4),
};

const catalogueEntry = z
  .discriminatedUnion('format', [
    z.strictObject({ ...entryFields, format: z.literal('onnx') }),
    z.strictObject({
      ...entryFields,
      /** A `.tar.gz` archive with a TensorFlow checkpoint, converted after the download. */
      format: z.literal('spleeter'),
      spleeter: z.strictObject({
        /** Stems in the order of the checkpoint. */
        stems: z
          .array(z.string().regex(/^[a-z]{1,20}$/))
          .min(2)
          .max(5),
        activation: z.enum(['leaky', 'elu']),
        outputs: z.enum(['sigmoid', 'softmax']),
      }),
    }),
  ])
  .superRefine((entry, context) => {
    for (const model of entry.serves) {
      const { networks } = networksOfModels[model];
      if (networks !== entry.files.length)
        context.addIssue({ code: 'custom', message: `${model} takes ${networks} files`, path: ['files'] });
    }
    if (new Set(entry.serves.map((model) => networksOfModels[model].stems)).size > 1)
      context.addIssue({ code: 'custom', message: 'must have equal numbers of stems', path: ['serves'] });
    if ((separationModelNames as readonly string[]).includes(entry.name))
      context.addIssue({ code: 'custom', message: 'must not be that of a model', path: ['name'] });
    for (const [index, { bytes, max_bytes }] of entry.files.entries())
      if (bytes === null && max_bytes === undefined)
        context.addIssue({ code: 'custom', message: 'is required', path: ['files', index, 'max_bytes'] });
  });

/** A network that can be downloaded. */
export type CatalogueEntry = z.infer<typeof catalogueEntry>;

const catalogue = z.array(catalogueEntry).refine((entries) => {
  return new Set(entries.map(({ name }) => name)).size === entries.length;
}, 'must name each network once');

/** Error for a catalogue file that cannot be used; the message names the file and the rule. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError';
}

/**
 * Reads the catalogue of networks that can be downloaded: the operator's own, or the one in the tree.
 *
 * @throws CatalogueError if it cannot be read
 */
export async function readCatalogue({
  modelCatalogue,
}: Pick<Config, 'modelCatalogue'>): Promise<readonly CatalogueEntry[]> {
  const path = modelCatalogue ?? builtInPath;
  try {
    const parsed = catalogue.safeParse(JSON.parse(await readFile(path, 'utf8')));
    if (parsed.success) return parsed.data;
    throw new Error(z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' '));
  } catch (error) {
    throw new CatalogueError(`the catalogue of networks ${String(path)} cannot be read: ${messageOf(error)}`);
  }
}

/** Returns the entry with this name, or undefined. */
export async function findCatalogueEntry(
  config: Pick<Config, 'modelCatalogue'>,
  name: string,
): Promise<CatalogueEntry | undefined> {
  return (await readCatalogue(config)).find((entry) => entry.name === name);
}

/** Returns the size of a download in bytes; where a file's is not known, its limit counts and `isExact` is false. */
export function downloadSize({ files }: CatalogueEntry): { bytes: number; isExact: boolean } {
  const sizes = files.map(({ bytes, max_bytes }) => bytes ?? max_bytes ?? 0);
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    isExact: files.every(({ bytes }) => bytes !== null),
  };
}

/**
 * Returns the disk space in bytes that a download and its installation need at most: the files and the copy that is
 * installed; for a checkpoint also its unpacked form.
 */
export function neededSpace(entry: CatalogueEntry): number {
  const { bytes } = downloadSize(entry);
  return entry.format === 'onnx' ? 2 * bytes : bytes + 3 * unpackedBytes(entry.spleeter.stems.length);
}

/** Returns the most bytes that the files of a Spleeter checkpoint may have: its values, its index and a tenth more. */
export function unpackedBytes(unets: number): number {
  return Math.ceil(unets * unetBytes * 1.1) + 2 ** 20;
}

/** Returns the stems in the output order of the models that a network serves. */
export function outputStems({ serves }: CatalogueEntry): readonly string[] {
  return networkStemTypes[networksOfModels[serves[0] as CatalogueEntry['serves'][number]].stems];
}
