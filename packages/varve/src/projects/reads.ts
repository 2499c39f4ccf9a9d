import { plain } from '../storage/offer.ts'
import { countNamedUsers, projects, usersOf } from '../storage/partitions.ts'
import { sharingOf } from '../storage/bank/sharing.ts'
import { settingsRead, userSettings } from './versions.ts'

/** The reads of projects and their users. */
export const projectReads = {
  list: plain(projects),
  settings: plain(settingsRead),
  users: plain(usersOf),
  namedUsers: plain(countNamedUsers),
  userSettings: plain(userSettings),
  sharing: plain(sharingOf),
}
