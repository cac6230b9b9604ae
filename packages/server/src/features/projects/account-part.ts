import { type AccountPart, jsonFile } from '../../platform/account-part.ts';
import { allTracksOf } from '../tracks/index.ts';
import { listEdits } from './edit-log.store.ts';
import { presentEdit, presentProjects } from './present-project.ts';
import { listProjectsOfTracks } from './projects.store.ts';

/** Part of the account export with the projects of the editor. */
export const projectsPart: AccountPart = {
  name: 'projects/',
  about: 'projects of the editor with their edit operations, by track',
  async *files(context, { userId }) {
    for await (const tracks of allTracksOf(context, userId)) {
      const ids = tracks.map(({ id }) => id);
      const rows = await listProjectsOfTracks(context.db, ids);
      const shown = await presentProjects(context.db, rows);
      for (const [index, row] of rows.entries()) {
        const operations = (await listEdits(context.db, row.id)).map((edit) => presentEdit(row, edit));
        const content = { ...shown[index], operations };
        yield jsonFile(`projects/${row.track_id}/${row.id}.json`, row.updated_at, content);
      }
    }
  },
};
