import * as z from 'zod'
import { memberOwner } from '../bank/member-label.ts'
import { partitionId } from '../scope/partition.ts'
import { expectedChangesPlace, longestChangesPlace, shortestChangesPlace } from '../storage/journal/changes.ts'
import { member, whole } from './fields.ts'
import { operation } from './operation.ts'

const asPlace = { error: expectedChangesPlace }

const fields = () => ({
  limit: whole(1, 1_000).default(100).describe('The most changes. Default 100.'),
  after: z
    .string(asPlace)
    .min(shortestChangesPlace, asPlace)
    .max(longestChangesPlace, asPlace)
    .optional()
    .describe('The `place` of the call before, or the `id` of a change. Default: now.'),
})

const kept =
  'Without `after` it tells none, and gives the place of now. `missed` is true when changes after the place are no longer ' +
  'known: the newest 100,000 of the store are kept, for 30 days. It tells ids, never words.'

const details =
  'A place is of its store and project; another is refused, or `missed`. Messages that were forgotten or replaced since are left ' +
  'out. A long erasure is told when it begins and when it ends.'

export const userChangesOperation = operation({
  name: 'changes',
  kind: 'read',
  route: 'GET /changes',
  about: `Tells what any process did to this user’s memory after a place, in the order of storing. ${kept}`,
  input: fields,
  output: 'Changes',
  errors: [],
  method: { details },
  run: ({ engine, partition }, request) => engine.read('log.changes', { project: partition.project, partition }, request),
})

export const projectChangesOperation = operation({
  name: 'project.changes',
  kind: 'read',
  route: 'GET /changes',
  about: `Tells what any process did to a project and its users’ memory after a place, in the order of storing. ${kept}`,
  input: () => ({ ...fields(), user: member().optional().describe('Only this user’s memory; `~` is the anonymous user.') }),
  output: 'Changes',
  errors: [],
  method: { details, options: 'ProjectChangesOptions', example: 'const { place } = await acme.changes()' },
  run: ({ engine, who: { project } }, { user, ...request }) =>
    engine.read('log.changes', { project, ...(user === undefined ? {} : { partition: partitionId(project, memberOwner(user)) }) }, request),
})
