// Loaded into every test process: property tests draw their values from the seed of the run, so that a failure can be
// reproduced with all files. fast-check prints the seed and the smallest counterexample of a failed property.
import { configureGlobal, readConfigureGlobal } from 'fast-check';

const seed = Number(process.env.PROPERTY_SEED);
if (Number.isInteger(seed)) configureGlobal({ ...readConfigureGlobal(), seed });
