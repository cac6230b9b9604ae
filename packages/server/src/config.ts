import { accountsSettings } from './features/accounts/accounts.settings.ts';
import { analysisSettings } from './features/analysis/analysis.settings.ts';
import { catalogSettings } from './features/catalog/catalog.settings.ts';
import { cloudsepSettings } from './features/cloudsep/cloudsep.settings.ts';
import { downloadsSettings } from './features/downloads/downloads.settings.ts';
import { processingSettings } from './features/processing/processing.settings.ts';
import { quotasSettings } from './features/quotas/quotas.settings.ts';
import { tracksSettings } from './features/tracks/tracks.settings.ts';
import {
  allSettings,
  type Config,
  composeConfig,
  readEnvironment,
  type Variables,
} from './platform/config.ts';
import type { Setting } from './platform/settings.ts';

/**
 * Settings of the features, in the order of the features. Only these files are imported, so that a command starts
 * quickly.
 */
const featureSettings = [
  cloudsepSettings,
  quotasSettings,
  accountsSettings,
  catalogSettings,
  tracksSettings,
  downloadsSettings,
  processingSettings,
  analysisSettings,
];

/** All settings of a deployment in order. */
export const settings: readonly Setting<unknown>[] = allSettings(featureSettings);

/** Names of all settings of a deployment in order; `NODE_ENV` is Node's own. */
export const settingNames: readonly string[] = settings.map(({ name }) => name);

/**
 * Reads a configuration from variables. Unknown names and empty values are ignored.
 *
 * @throws ConfigError with every mistake at once: name, rule and value, but never the value of a secret
 */
export function parseConfig(variables: Variables, workingFolder: string): Config {
  return composeConfig(featureSettings, variables, workingFolder);
}

/** Reads the configuration from the environment and from a `.env` file in the working folder. */
export function readConfig(workingFolder = process.cwd()): Config {
  return parseConfig(readEnvironment(workingFolder), workingFolder);
}
