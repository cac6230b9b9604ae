import { z } from 'zod';
import { storedJson } from './stored-json.ts';

/** Format of lists of texts for the user, such as warnings. */
export const storedTexts = storedJson('list of texts', z.array(z.string()));
