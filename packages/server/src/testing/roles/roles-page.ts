import { channels } from '@stem-studio/contract/service';
import { type AccessName, accesses, type Outcome } from './access.ts';
import { type Caller, callers } from './callers.ts';
import { roleTable } from './role-table.ts';
import { topicRoles } from './topic-roles.ts';

/** Returns a Markdown table with aligned columns. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

const wordOf = (outcome: Outcome) =>
  outcome === 'answered' ? 'yes' : outcome === 'to log-in' ? 'log-in' : String(outcome);

/** Columns of the table of classes: callers with the same outcomes share one column. */
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

/** Returns the text of `docs/roles.md`: the table of permissions for readers. */
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

Written by \`node packages/server/src/testing/roles/write-roles-page.ts\` from the table in \`packages/server/src/testing/roles\`. \`who-may.test.ts\` calls every route and joins every topic as each of ${callers.length} callers, and fails if a route or topic has no row here.

Records of other users do not exist for a user (404). Admins may read all records and cancel all jobs, but change nothing else of other users. Every change under the login cookie needs a CSRF token.

The statuses of \`/users/register\` are those of a studio with \`REGISTRATION=open\`. With the default, \`closed\`, both answer 403 unless the address carries the set-up link that creates the first account.

An API key may do what both its scopes and its user's role allow ([0232](decisions/0232-scopes-of-api-keys.md)). A missing scope is 403. Writing includes reading; \`read\` and \`write\` apply to every part; a key without \`admin\` has the role \`user\`, whatever the role of its user. Keys that are older than scopes have no limits.

## Classes of access

${table([['class', 'who may call'], ...names.map((name) => [name, accesses[name].about])])}

Outcome of a call: \`yes\` is a response, a number is a status, \`log-in\` is a redirect to the login page. A platform admin has the outcomes of an admin.

${table([['class', ...groups.map(([name]) => name)], ...classes])}

¹ Also a caller with a wrong token or cookie, an expired or revoked key, an expired login, or a deactivated account.

## Routes

HEAD is treated as GET. The last column is the status of a permitted call.

${table([['route', 'class', 'scope', 'about', 'status'], ...routes])}

## Sockets

\`/socket/websocket\` needs a token or a login cookie. \`/live/websocket\` needs a login cookie, the studio's own origin and a CSRF token; an API token gets 401, a missing CSRF token 403. A topic that the caller may not join does not exist for them: \`{"status":"error","response":{"reason":"not_found"}}\`. A key without the topic's scope gets \`{"reason":"forbidden","scope":…}\`.

${table([['topic', 'class', 'scope'], ...topics])}
`;
}
