import { plain } from '../storage/offer.ts'
import { countNamedUsers, projects, projectSettings, sharesByDefault, usersOf } from '../storage/partitions.ts'
import { sharingOf } from '../storage/bank/sharing.ts'

/** The reads of projects and their users. */
export const projectReads = {
  list: plain(projects),
  settings: plain(projectSettings),
  users: plain(usersOf),
  namedUsers: plain(countNamedUsers),
  sharesByDefault: plain(sharesByDefault),
  sharing: plain(sharingOf),
}
