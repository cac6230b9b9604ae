import { type AccountExportRequest, type AccountFile, once } from '../../platform/account-part.ts';
import type { Context } from '../../platform/context.ts';

/** Order of the parts in the download; unlisted parts follow. */
const order = [
  'account.json',
  'tracks.json',
  'plays.json',
  'crates.json',
  'stems.json',
  'jobs.json',
  'cloud.json',
  'cues.json',
  'beat-grids.json',
  'analyses/',
  'notes/',
];

/**
 * Returns all data of a user as JSON files contributed by the features, after a README. Each file is read from the
 * database when it is reached. Audio is linked, not contained.
 */
export async function* accountFiles(context: Context, of: AccountExportRequest): AsyncGenerator<AccountFile> {
  const rank = ({ name }: { readonly name: string }) => {
    const index = order.indexOf(name);
    return index < 0 ? order.length : index;
  };
  const parts = context.accountParts.toSorted((one, other) => rank(one) - rank(other));
  const lines = parts.map(({ name, about }) => `${name.padEnd(15)} ${about}`);
  yield { name: 'README.txt', modified: context.clock.now(), bytes: once(readMe(of, lines)) };
  for (const part of parts) yield* part.files(context, of);
}

function readMe({ studioUrl }: AccountExportRequest, lines: readonly string[]): string {
  return `What Stem Studio at ${studioUrl} keeps of your account.

${lines.join('\n')}

The links work while you are logged in, or with an API key, as long as the tracks are there. Passwords and keys are not
in here: the studio itself cannot read them.
`;
}
