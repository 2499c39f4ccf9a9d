import { readMessages } from '../storage/log/messages.ts'
import { getSession, sessions } from '../storage/log/sessions.ts'
import { ledger } from '../storage/log/ledger.ts'
import { plain } from '../storage/offer.ts'

/** What can be asked of the log: sessions, their messages, and what was asked of language models. */
export const logReads = {
  messages: plain(readMessages),
  session: plain(getSession),
  sessions: plain(sessions),
  ledger: plain(ledger),
}
