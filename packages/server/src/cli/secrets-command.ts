import { type Rotation, RotationRunsError, rotateSecrets } from '../platform/crypto/rotate-secrets.ts';
import { type Command, CommandError } from './command.ts';
import { withContext } from './with-context.ts';

function summaryOf({ keyId, isNewKey, moved }: Rotation): string {
  const what = `${moved} ${moved === 1 ? 'secret is' : 'secrets are'} encrypted again`;
  return `${what}, with ${isNewKey ? 'the new key' : 'the key'} ${keyId}`;
}

/** Re-encrypts the secrets with a new key. */
export const secretsRotate: Command = {
  name: 'secrets rotate',
  operands: [],
  summary: 'Encrypt all stored secrets with a new key',
  options: {},
  notes: [
    'Without SECRET_KEY a new key is put before the others in secret.key. With it, start the service with the new',
    'SECRET_KEY and the old one in SECRET_KEY_PREVIOUS, then run this. Interrupted, it continues when it is run again.',
  ],
  async run(_given, terminal) {
    const done = await withContext((context) =>
      rotateSecrets(context, (moved) => terminal.log(`${moved} moved`)),
    ).catch((error: unknown) => {
      throw error instanceof RotationRunsError ? new CommandError(error.message) : error;
    });
    terminal.print(summaryOf(done));
    for (const sentence of done.unreadable) terminal.log(sentence);
    return done.unreadable.length === 0 ? 0 : 1;
  },
};
