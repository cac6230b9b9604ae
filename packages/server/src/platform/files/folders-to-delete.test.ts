import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestContext } from '../../testing/test-context.ts';
import { deleteMarkedFolders, markFoldersForDeletion } from './folders-to-delete.ts';

test('removes folders only after the transaction that marked them has committed', async (t) => {
  const context = await openTestContext(t);
  const write = (path: string) => context.files.writeAtomically(path, (out) => out.append(Buffer.from('x')));
  for (const name of ['a', 'b', 'c']) await write(`stems/${name}/x.wav`);
  const markAndFail = context.db.transaction().execute(async (tx) => {
    await markFoldersForDeletion(context, tx, ['stems/a']);
    throw new Error('taken back');
  });
  await assert.rejects(markAndFail, /taken back/);
  assert.equal(await deleteMarkedFolders(context), 0);
  await context.db
    .transaction()
    .execute((tx) => markFoldersForDeletion(context, tx, ['stems/b', 'stems/missing']));
  await context.db.transaction().execute((tx) => markFoldersForDeletion(context, tx, ['stems/b']));
  assert.ok(await context.files.stat('stems/b/x.wav'));
  assert.equal(await deleteMarkedFolders(context), 2);
  assert.deepEqual((await context.files.listFolders('stems')).map(({ name }) => name).toSorted(), ['a', 'c']);
  assert.equal(await deleteMarkedFolders(context), 0);
});

test('retries a folder that cannot be removed, and removes the others meanwhile', async (t) => {
  const opened = await openTestContext(t);
  let isBroken = true;
  const files = {
    ...opened.files,
    removeFolder: (path: string) =>
      isBroken && path === 'stems/a' ? Promise.reject(new Error('busy')) : opened.files.removeFolder(path),
  };
  const context = { ...opened, files };
  const paths = ['a', 'b', 'c'].map((name) => `stems/${name}`);
  await context.db.transaction().execute((tx) => markFoldersForDeletion(context, tx, paths));
  assert.equal(await deleteMarkedFolders(context), 2);
  isBroken = false;
  assert.equal(await deleteMarkedFolders(context), 1);
});
