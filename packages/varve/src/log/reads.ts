import { getSession, sessions } from '../storage/log/sessions.ts'
import { namedAnywhere, namedInSession, ownIds } from '../storage/log/external-ids.ts'
import type { Here } from '../storage/here.ts'
import { changesAfter, type ChangesOf, type ChangesRequest } from '../storage/journal/changes.ts'
import { erasedSince } from '../storage/journal/erased-since.ts'
import { ledger } from '../storage/log/ledger.ts'
import { plain } from '../storage/offer.ts'
import { importStanding } from '../storage/log/import-standing.ts'
import { readMessagePage } from './read-page.ts'

/** The reads of the log: sessions, their messages, and requests to language models. */
export const logReads = {
  changes: ({ key }: Here, of: ChangesOf, request: ChangesRequest) => changesAfter(of, request, key),
  erasedSince: plain(erasedSince),
  messages: plain(readMessagePage),
  session: plain(getSession),
  sessions: plain(sessions),
  ledger: plain(ledger),
  ownIds: plain(ownIds),
  namedInSession: plain(namedInSession),
  namedAnywhere: plain(namedAnywhere),
  standing: plain(importStanding),
}
