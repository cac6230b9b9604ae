import type { DeckRecord } from '@stem-studio/contract/decks/take-deck-message';
import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** The decks of a login session. */
export interface DeckSessionsTable {
  id: string;
  login_session_id: string;
  user_id: number;
  state: Json<DeckRecord['state']>;
  version: number;
  taken: Json<DeckRecord['taken']>;
  paces: Json<DeckRecord['paces']>;
  debug_until: MaybeMoment;
  created_at: Moment;
  updated_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    deck_sessions: DeckSessionsTable;
  }
}
