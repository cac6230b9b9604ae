import manifest from '../../package.json' with { type: 'json' };

/** Version of the release, as `package.json` states it. */
export const releaseVersion: string = manifest.version;
