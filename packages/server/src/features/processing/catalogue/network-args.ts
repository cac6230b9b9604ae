import { separationModel } from '@stem-studio/contract/separation-models';
import { z } from 'zod';
import { storedJson } from '../../../platform/db/stored-json.ts';

/** Schema of the arguments of a download of a network. */
const networkArgs = z.object({
  /** Name in the catalogue. */
  name: z.string(),
  /** Model that it will serve. */
  model: separationModel,
  is_licence_accepted: z.boolean(),
});
/** Arguments of a download of a network. */
export type NetworkArgs = z.infer<typeof networkArgs>;
/** Stored form of the arguments of a download of a network. */
export const storedNetworkArgs = storedJson('arguments of a job of the type network', networkArgs);
