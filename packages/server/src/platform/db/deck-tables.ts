import type { Json, MaybeMoment, Moment } from './column-types.ts';

/** The decks of a login session. */
export interface DeckSessionsTable {
  id: string;
  login_session_id: string;
  user_id: number;
  state: Json<unknown>;
  version: number;
  taken: Json<unknown>;
  paces: Json<unknown>;
  debug_until: MaybeMoment;
  created_at: Moment;
  updated_at: Moment;
}
