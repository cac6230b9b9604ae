import { text } from 'node:stream/consumers';
import type { ErrorDetails } from '@stem-studio/contract/errors';
import { email as emailSchema } from '@stem-studio/contract/resources/user';
import { type Role, roles } from '@stem-studio/contract/roles';
import { apiScopes } from '@stem-studio/contract/scopes';
import {
  addUser,
  changeRole,
  createApiKey,
  createResetLink,
  usualKeyDays,
} from '../features/accounts/index.ts';
import { findUserByEmail } from '../features/users/index.ts';
import type { Context } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { type Command, CommandError, type Given, UsageError } from './command.ts';
import { withContext } from './with-context.ts';

function roleOf(word: string | null): Role {
  const role = roles.find((name) => name === word);
  if (!role) throw new UsageError(`the role must be ${roles.join(', ')} (got ${word ?? 'none'})`);
  return role;
}

function refuse(errors: ErrorDetails): never {
  const rules = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((each) => `${field} ${each}`),
  );
  throw new CommandError(rules.join('\n'));
}

/**
 * Returns the user whose email address is the first argument of the command.
 *
 * @throws CommandError if no user has that address
 */
export function userBy(context: Context, given: Given) {
  return userOf(context, given.operands[0] ?? '');
}

/** Returns the user with an email address. Throws `CommandError` if there is none. */
export async function userOf(context: Context, address: string) {
  const email = emailSchema.safeParse(address);
  const user = email.success ? await findUserByEmail(context.db, email.data) : null;
  if (!user) throw new CommandError(`no account has the email address ${address}`);
  return user;
}

/** Returns the first line of standard input. A password in an argument would be visible in the process list. */
async function passwordFromInput(): Promise<string> {
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  return line;
}

/** Creates a user with any role. */
export const userAdd: Command = {
  name: 'user add',
  operands: ['EMAIL'],
  summary: 'Make a user',
  options: {
    role: { type: 'string', value: 'ROLE', default: 'user', help: roles.join(', ') },
    'password-stdin': {
      type: 'boolean',
      help: 'Read the password from the first line of the standard input',
    },
  },
  notes: ['  printf %s "$PASSWORD" | studio user add me@example.org --role platform_admin --password-stdin'],
  async run(given, terminal) {
    const role = roleOf(given.text('role'));
    if (!given.has('password-stdin'))
      throw new UsageError('--password-stdin must be given: a password is read from the standard input');
    const password = await passwordFromInput();
    const email = given.operands[0] ?? '';
    const made = await withContext((context) => addUser(context, { email, password, role }));
    if ('errors' in made) refuse(made.errors);
    terminal.print(`${email.trim().toLowerCase()} is user ${made.id} with the role ${role}`);
    return 0;
  },
};

/** Changes the role of a user. */
export const userRole: Command = {
  name: 'user role',
  operands: ['EMAIL', 'ROLE'],
  summary: 'Give a user another role',
  options: {},
  notes: [`Roles: ${roles.join(', ')}. The last platform_admin keeps theirs.`],
  async run(given, terminal) {
    const role = roleOf(given.operands[1] ?? null);
    return withContext(async (context) => {
      const user = await userBy(context, given);
      const before = await changeRole(context, user.id, role).catch((error: unknown) => {
        throw error instanceof ServiceError ? new CommandError(error.message) : error;
      });
      terminal.print(
        before === role ? `${user.email} is ${role} already` : `${user.email}: ${before} → ${role}`,
      );
      return 0;
    });
  },
};

/** Prints a one-time link for choosing a new password. */
export const userReset: Command = {
  name: 'user reset',
  operands: ['EMAIL'],
  summary: 'Print a one-time link to a new password',
  options: {},
  notes: ['The link holds for a day and once. Its address is PUBLIC_URL, or the one the service listens on.'],
  async run(given, terminal) {
    return withContext(async (context) => {
      const user = await userBy(context, given);
      if (user.status !== 'active') throw new CommandError(`${user.email} is deactivated`);
      const { publicUrl, host, port } = context.config;
      const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
      terminal.print(await createResetLink(context, user, publicUrl ?? `http://${name}:${port}`));
      return 0;
    });
  },
};

/** Creates an API key and prints it once. */
export const tokenCreate: Command = {
  name: 'token create',
  operands: ['EMAIL'],
  summary: 'Make an API key for a user and print it, once',
  options: {
    name: { type: 'string', value: 'NAME', help: 'What it is for' },
    scopes: {
      type: 'string',
      value: 'LIST',
      default: 'read',
      help: 'What it may do, with commas between',
    },
    days: {
      type: 'string',
      value: 'N',
      default: String(usualKeyDays),
      help: 'Expires after 30, 90 or 365 days, or never',
    },
  },
  notes: [
    `Scopes: ${apiScopes.join(', ')}. Writing includes reading. A key never does more than its user's role.`,
  ],
  async run(given, terminal) {
    const name = given.text('name');
    if (name === null) throw new UsageError('--name must be given: what the key is for');
    const days = given.text('days') ?? '';
    const scopes = (given.text('scopes') ?? '').split(',').map((scope) => scope.trim());
    return withContext(async (context) => {
      const user = await userBy(context, given);
      const request = { name, days: days === 'never' ? null : Number(days), scopes };
      const made = await createApiKey(context, user.id, request, null);
      if ('errors' in made) refuse(made.errors);
      terminal.log(
        `scopes: ${made.scopes.join(', ')}; expires: ${made.expiresAt?.toISOString().slice(0, 10) ?? 'never'}`,
      );
      terminal.print(made.key);
      return 0;
    });
  },
};
