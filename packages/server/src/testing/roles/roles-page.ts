import { channels } from '@stem-studio/contract/service';
import { type AccessName, accesses, type Outcome } from './access.ts';
import { type Caller, callers } from './callers.ts';
import { roleTable } from './role-table.ts';
import { topicRoles } from './topic-roles.ts';

/** A table of Markdown with its columns in line. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

const wordOf = (outcome: Outcome) =>
  outcome === 'answered' ? 'yes' : outcome === 'to log-in' ? 'log-in' : String(outcome);

/** Callers of whom every class thinks the same, together. */
const groups: readonly (readonly [string, Caller['name']])[] = [
  ['nobody¹', 'nobody'],
  ['nobody, CSRF', 'nobody, with the CSRF token of a form'],
  ...(['owner', 'another user', 'admin'] as const).flatMap((who) => [
    [`${who}, token`, `${who}, token`] as const,
    [`${who}, cookie`, `${who}, cookie`] as const,
  ]),
  ['owner, cookie, no CSRF', 'owner, cookie without CSRF token'],
  ['owner, key without scope', 'owner, key without the scope'],
  ['admin, key without `admin`', 'admin, key without admin'],
];

function accessRow(name: AccessName, changes: boolean): string[] {
  const outcomes = groups.map(([, callerName]) => {
    const caller = callers.find((one) => one.name === callerName);
    if (!caller) throw new Error(`no caller is named ${callerName}`);
    return wordOf(accesses[name].outcomeFor(caller, changes));
  });
  return [changes ? `${name}, changing` : name, ...outcomes];
}

const isChange = (route: string) => !route.startsWith('GET ');

/** What the table of who may call what says, for people: the text of `docs/roles.md`. */
export function rolesPage(): string {
  const used = new Set([...roleTable].map(([route, { access }]) => `${access}|${isChange(route)}`));
  const names = Object.keys(accesses) as AccessName[];
  const classes = names.flatMap((name) =>
    [false, true]
      .filter((changes) => used.has(`${name}|${changes}`))
      .map((changes) => accessRow(name, changes)),
  );
  const routes = [...roleTable].map(([route, row]) => {
    const status =
      typeof row.status === 'number'
        ? `${row.status}`
        : `${row.status.nobody}, logged in ${row.status.browser}`;
    return [`\`${route}\``, row.access, row.scope ? `\`${row.scope}\`` : '', row.thing ?? '', status];
  });
  const topics = Object.entries(topicRoles).map(([name, row]) => [
    `\`${channels[name as keyof typeof channels].topic}\``,
    row.access,
    channels[name as keyof typeof channels].scope ?? '',
  ]);
  return `# Who may call what

Written by \`node packages/server/src/testing/roles/write-roles-page.ts\` from the table in \`packages/server/src/testing/roles\`. \`who-may.test.ts\` asks every route and joins every topic as each of ${callers.length} callers, and fails when a route or a topic has no row here.

To a user, what belongs to somebody else does not exist: 404. Admins may read what anybody has and cancel jobs, and change nothing else of other people's. Whatever changes something under the login cookie needs a CSRF token.

An API key may do what its scopes and its user's role allow both ([0232](decisions/0232-scopes-of-api-keys.md)). A missing scope is 403. Writing includes reading; \`read\` and \`write\` hold for every part; a key without \`admin\` has the role \`user\`, whatever its user has. Keys made before there were scopes have no limits.

## Classes of access

${table([['class', 'answers'], ...names.map((name) => [name, accesses[name].about])])}

What becomes of a call: an answer, a status, or the way to the log-in page. A platform admin is answered as an admin is.

${table([['class', ...groups.map(([name]) => name)], ...classes])}

¹ So is whoever shows a wrong token, a wrong cookie, a key that has expired or was revoked, a login that has run out, or is deactivated.

## Routes

HEAD is what GET is. The status is what those get who may.

${table([['route', 'class', 'scope', 'about', 'status'], ...routes])}

## Sockets

\`/socket/websocket\` opens for whoever is logged in by token or cookie. \`/live/websocket\` opens for a browser that is logged in, comes from our own page and sends a CSRF token; a token of the API gets 401, a missing CSRF token 403. To whoever may not join a topic it does not exist: \`{"status":"error","response":{"reason":"not_found"}}\`. A key without the topic's scope gets \`{"reason":"forbidden","scope":…}\`.

${table([['topic', 'class', 'scope'], ...topics])}
`;
}
