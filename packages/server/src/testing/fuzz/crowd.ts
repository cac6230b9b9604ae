import { demoAlbumUrl } from '../../features/catalog/index.ts';
import { type Belongings, belongingsOf, type Pattern } from '../roles/belongings.ts';
import { type Caller, callers } from '../roles/callers.ts';
import { enrol, insertPerson } from '../roles/enrol.ts';
import { insertNotesOf } from '../roles/own-notes.ts';
import type { TestContext } from '../test-context.ts';
import type { FuzzCaller } from './request-arbitrary.ts';
import type { IdKind } from './schema-values.ts';

/** A user with a library, and their request headers for each kind of authentication. */
export interface Member {
  readonly headers: Readonly<Record<'token' | 'cookie', Record<string, string>>>;
  readonly ids: Readonly<Record<IdKind, string>>;
  /** Creates further records of this user. */
  readonly has: Belongings;
}

function callerNamed(name: string): Caller {
  const caller = callers.find((one) => one.name === name);
  if (!caller) throw new Error(`no caller is named ${name}`);
  return caller;
}

/** Creates a user with one record of each kind. */
export async function createMember(
  context: TestContext,
  pattern: Pattern,
  role: 'user' | 'admin',
): Promise<Member> {
  const person = await insertPerson(context, role, 'no hash');
  const has = belongingsOf(context, pattern, person);
  const stem = await has.stem();
  const notes = await insertNotesOf(has);
  // Not one of the callers, because an admin request with this id may deactivate the user.
  const victim = await insertPerson(context, 'user', 'no hash');
  return {
    has,
    headers: {
      token: await enrol(context, callerNamed('owner, token'), person, ''),
      cookie: await enrol(context, callerNamed('owner, cookie'), person, ''),
    },
    ids: {
      track: stem.trackId,
      ...stem.jobs,
      deleted: (await has.track({ deleted_at: context.clock.now() })).id,
      waiting: await has.waitingJob(),
      failed: await has.failedJob(),
      import: await has.libraryImport(),
      stem: stem.id,
      notes: notes.id,
      hearing: notes.jobId,
      user: String(victim.id),
    },
  };
}

/** Returns the request headers of a caller. */
export function headersOf(member: Member, caller: FuzzCaller): Record<string, string> {
  if (caller === 'nobody') return {};
  if (caller === 'wrong token') return { authorization: 'Bearer sst_nobody-has-this-one' };
  if (caller === 'token' || caller === 'admin') return member.headers.token;
  const { 'x-csrf-token': csrf = '', ...cookie } = member.headers.cookie;
  return caller === 'cookie' ? { ...cookie, 'x-csrf-token': csrf } : cookie;
}

/** Replaces the names of ids by the ids. */
export function withIds(text: string, own: Member, other: Member, pattern: Pattern): string {
  return text
    .replaceAll('@catalog:track', pattern.catalogUrl)
    .replaceAll('@catalog:album', demoAlbumUrl)
    .replaceAll('@catalog:id', pattern.catalogId)
    .replaceAll(/@(own|other):([a-z]+)/g, (whole, whose: string, kind: string) => {
      const { ids } = whose === 'own' ? own : other;
      return ids[kind as IdKind] ?? whole;
    });
}
