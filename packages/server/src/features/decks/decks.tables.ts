import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Table of deck sessions, one per login session. */
export interface DeckSessionsTable {
  id: string;
  login_session_id: string;
  user_id: number;
  state: Json<unknown>;
  version: number;
  taken: Json<unknown>;
  accept_times: Json<unknown>;
  debug_until: MaybeMoment;
  created_at: Moment;
  updated_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    deck_sessions: DeckSessionsTable;
  }
}
