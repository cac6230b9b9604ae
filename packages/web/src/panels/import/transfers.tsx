import type { Uploads } from '../../state/uploads.state.ts';
import { DuplicateList } from './duplicate-list.tsx';
import { ImportList } from './import-list.tsx';
import { UploadList } from './upload-list.tsx';

/** Imports and uploads under way, and new tracks whose recording the library had already. */
export function Transfers({ uploads }: { uploads: Uploads }) {
  return (
    <>
      <ImportList />
      <UploadList uploads={uploads} />
      <DuplicateList />
    </>
  );
}
