import { z } from 'zod';
import { storedJson } from './stored-json.ts';

/** Sentences that a user reads, such as warnings. */
export const storedTexts = storedJson('list of texts', z.array(z.string()));
