import { concurrency } from '@stem-studio/contract/limits';
import { jobsAtOnce, onOff, type SettingValues, setting } from '../../platform/settings.ts';

/** Settings of the analysis feature. */
export const analysisSettings = {
  autoAnalyze: setting('AUTO_ANALYZE', onOff, {
    default: 'on',
    about: 'Whether an analysis follows each import: on or off',
  }),
  analysisConcurrency: setting('ANALYSIS_CONCURRENCY', jobsAtOnce, {
    default: String(concurrency.analysis),
    about: 'Analyses at a time, per process',
  }),
};

declare module '../../platform/config.ts' {
  interface Config extends SettingValues<typeof analysisSettings> {}
}
