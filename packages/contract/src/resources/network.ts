import { z } from 'zod';
import { timestamp } from '../ids.ts';
import { separationModel } from '../separation-models.ts';
import { jobState } from './job.ts';
import { stemType } from './stem.ts';

/** Name of a network in the catalogue, such as `spleeter_4stems`. */
export const networkName = z
  .string()
  .regex(/^[a-z0-9_]{1,60}$/, 'must be 1 to 60 lower-case letters, digits and underscores');

/** Separation network of the catalogue, which admins can download and install. */
export const network = z.object({
  name: networkName,
  title: z.string(),
  about: z.string(),
  stems: z.array(stemType),
  /** Separation models that it can serve, the default first. */
  serves: z.array(separationModel),
  licence: z.object({
    name: z.string(),
    /** Terms to be shown before the download. */
    notice: z.string(),
    /** Whether the terms must be accepted. */
    must_accept: z.boolean(),
    url: z.url(),
  }),
  /** Size of the download in bytes, or its upper limit. */
  download_bytes: z.int(),
  /** False if `download_bytes` is an upper limit. */
  is_exact: z.boolean(),
  /** Bytes of a download that is not installed, finished or not. */
  partial_bytes: z.int(),
  /** Bytes of the installed files. */
  installed_bytes: z.int(),
  /** Models that it serves. */
  installed: z.array(z.object({ model: separationModel, added_at: timestamp })),
  /** Newest job of its download unless that is completed; null if there is none. */
  job: jobState.nullable(),
});
/** Separation network of the catalogue. */
export type Network = z.infer<typeof network>;
