import { isNode, isTestCode, type Node, type SourceFile, type Violation, visit } from './source.ts';

/** Owner of the tables in `platform/`. */
const platform = 'platform';

/**
 * Stores that may read the tables of every feature, with the reason. A listed store that reads only its own tables is a
 * violation as well.
 */
const exemptStores: Readonly<Record<string, string>> = {
  'packages/server/src/features/storage-check/invariants.store.ts':
    'compares rows of all features with each other, for the operator only, and changes nothing',
  'packages/server/src/features/storage-check/stored-rows.store.ts':
    'compares rows of all features with the stored files, for the operator only, and changes nothing',
  'packages/server/src/platform/files/storage-identity.store.ts':
    'compares the newest rows with the stored files before any feature starts, and changes nothing',
};

const readMethods = /^(selectFrom|using|from|table|((inner|left|right|full|cross)Join(Lateral)?))$/;
const writeMethods = /^(insertInto|updateTable|deleteFrom|mergeInto|replaceInto)$/;
/** Table lists of a statement: `from a, b`, `join a`, `insert into a`, `update a`, `lock table a`. */
const tableLists =
  /\b(?:from|join|into|update|lock table|table)\s+(?:only\s+)?("?[a-z_]+"?(?:\s+(?:as\s+)?[a-z_]+)?(?:\s*,\s*"?[a-z_]+"?(?:\s+(?:as\s+)?[a-z_]+)?)*)/gi;
/** Tables that a statement changes. */
const changedTables =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?"?([a-z_]+)/gi;
/** Matches `tracks.id`; aliases are filtered out later, because they are no table names. */
const qualifiedColumns = /"?\b([a-z_]+)"?\.(?:"?[a-z_]+|\*)/gi;

/** Features by table name; tables of the platform belong to `platform`. */
export type TableOwners = ReadonlyMap<string, string>;

/**
 * Reads the owner of each table from the declarations. A feature adds its tables to the interface `Tables` of
 * `platform/db/tables.ts` in a file of its own folder.
 *
 * @param files all code files; only those of the server are read
 * @returns owner by table, and a violation for each table that two files declare
 */
export function tableOwnersOf(files: readonly SourceFile[]): {
  owners: TableOwners;
  violations: Violation[];
} {
  const owners = new Map<string, string>();
  const violations: Violation[] = [];
  for (const file of files) {
    const owner = ownerOf(file.path);
    if (owner === null || isTestCode(file.path)) continue;
    visit(file.program, (node) => {
      if (node.type !== 'TSInterfaceDeclaration' || nameOf(node.id) !== 'Tables') return;
      const body = isNode(node.body) ? (node.body.body as unknown[]) : [];
      for (const member of body) {
        if (!isNode(member) || member.type !== 'TSPropertySignature') continue;
        const name = nameOf(member.key);
        if (name === null) continue;
        const first = owners.get(name);
        if (first !== undefined)
          violations.push({
            path: file.path,
            line: file.lineAt(member.start),
            rule: 'table-owner',
            message: `the table ${name} is declared twice, first by ${first}: one feature owns it`,
          });
        else owners.set(name, owner);
      }
    });
  }
  return { owners, violations };
}

/**
 * Checks that a feature queries only its own tables, and the platform only tables of the platform. Every feature may
 * read tables of the platform, but only the platform may write them. Checks calls of the query builder and `sql`
 * templates; tests may query any table.
 *
 * @param owners owners returned by {@link tableOwnersOf}
 */
export function checkTableOwners(file: SourceFile, owners: TableOwners): Violation[] {
  const own = ownerOf(file.path);
  if (own === null || isTestCode(file.path)) return [];
  const violations: Violation[] = [];
  const reportOther = ({ name, isWritten }: NamedTable, at: number) => {
    const owner = owners.get(name);
    if (owner === undefined || owner === own || (owner === platform && !isWritten)) return;
    violations.push({
      path: file.path,
      line: file.lineAt(at),
      rule: 'table-owner',
      message: `${own} ${isWritten ? 'changes' : 'queries'} the table ${name} of ${owner}: call a function that ${owner} exports, or handle an event (pipeline.ts)`,
    });
  };
  visit(file.program, (node) => {
    for (const named of tablesNamedBy(node, owners)) reportOther(named, node.start);
  });
  if (!(file.path in exemptStores)) return violations;
  if (violations.length > 0) return [];
  const message =
    'queries no table of another feature any more: take it off the list in tools/rules/table-owners.ts';
  return [{ path: file.path, line: 1, rule: 'table-owner', message }];
}

/** A table in a query. */
interface NamedTable {
  readonly name: string;
  readonly isWritten: boolean;
}

/** Returns the known tables that a node queries, each once. */
function tablesNamedBy(node: Node, owners: TableOwners): NamedTable[] {
  if (node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'MemberExpression') {
    const method = nameOf(node.callee.property) ?? '';
    const isWritten = writeMethods.test(method);
    if (!isWritten && !readMethods.test(method)) return [];
    const [first] = node.arguments as unknown[];
    const listed =
      isNode(first) && first.type === 'ArrayExpression' ? (first.elements as unknown[]) : [first];
    return listed.flatMap((each) => {
      const text = isNode(each) && each.type === 'Literal' ? String(each.value) : '';
      const name = /^[a-z_]+/.exec(text)?.[0];
      return name !== undefined && owners.has(name) ? [{ name, isWritten }] : [];
    });
  }
  if (node.type !== 'TaggedTemplateExpression' || nameOf(node.tag) !== 'sql' || !isNode(node.quasi))
    return [];
  const parts = node.quasi.quasis as { value: { raw: string } }[];
  return tablesInSql(parts.map(({ value }) => value.raw).join(' $1 '), owners);
}

function tablesInSql(sql: string, owners: TableOwners): NamedTable[] {
  const text = sql.replace(/'[^']*'/g, "''").replace(/--[^\n]*/g, '');
  const written = new Set([...text.matchAll(changedTables)].map(([, name = '']) => name));
  const names = new Set<string>(written);
  for (const [, list = ''] of text.matchAll(tableLists))
    for (const each of list.split(',')) names.add(each.trim().replaceAll('"', '').split(/\s/)[0] ?? '');
  for (const [, name = ''] of text.matchAll(qualifiedColumns)) names.add(name);
  return [...names]
    .filter((name) => owners.has(name))
    .map((name) => ({ name, isWritten: written.has(name) }));
}

function ownerOf(path: string): string | null {
  const inServer = /^packages\/server\/src\/(.+)$/.exec(path)?.[1];
  if (inServer === undefined) return null;
  return (
    /^features\/([^/]+)\//.exec(inServer)?.[1] ?? (inServer.startsWith('platform/') ? platform : inServer)
  );
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : null;
}
