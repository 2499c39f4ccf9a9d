import * as z from 'zod'
import { NotFound } from '../errors/not-found.ts'
import { origins } from '../messages/message.ts'
import { checkText } from '../messages/validate.ts'
import { uuidv7 } from '../ids/uuid.ts'
import { accesses } from '../keys/caller-key.ts'
import { keyDigest, newKeyText } from '../keys/key-text.ts'
import { checked, flag, id, member, moment, oneOf, page, project, refused, whole } from './fields.ts'
import { listOf } from './list.ts'
import { storeOperation } from './operation.ts'

const longestNameBytes = 256

/** The most requests of a minute that a key may be allowed. */
const mostPerMinute = 1_000_000

const name = () =>
  checked<string, string>({ type: 'string', maxLength: longestNameBytes }, (received) => {
    checkText('name', received, longestNameBytes, (_, reason) => {
      throw refused('name', received, `valid, but it ${reason}`)
    })
    return received
  })

const claims = () => {
  const error = `a list of: ${origins.join(', ')}`
  return z.array(z.enum(origins, { error }), { error }).min(1, { error })
}

const fields = () => ({
  name: z.exactOptional(name()).describe('What the key is called, such as the program that has it.'),
  // Not optional(): undefined, as of a variable that is not set, would widen the key.
  project: z.exactOptional(project()).describe('The project that it reaches. Default: any.'),
  user: z.exactOptional(member()).describe('The user that it reaches, in its project; `~` is the anonymous user. Default: any.'),
  access: oneOf(accesses)
    .default('write')
    .describe('What its caller may do. An admin also looks after the project, or the store. Default write.'),
  origins: z
    .exactOptional(claims())
    .describe('The origins that its caller may claim for messages. Without person, nothing that it writes is a person’s. Default: any.'),
  impersonate: flag()
    .default(false)
    .describe('Whether the caller names the user at each request, in the header Varve-User: for a gateway. Default false.'),
  perMinute: whole(1, mostPerMinute).optional().describe('The most requests of a minute. Default: the server’s own bound.'),
  expiresAt: z.exactOptional(moment()).describe('The time at which it ends. Default: never.'),
})

/** Refuses rights that do not go together. */
function refuseUnfit({
  project: of,
  user,
  access,
  impersonate,
}: {
  project?: unknown
  user?: unknown
  access: string
  impersonate: boolean
}) {
  if (user !== undefined && of === undefined) throw refused('user', user, 'a user of a project: name the project too')
  if (user !== undefined && impersonate) throw refused('impersonate', impersonate, 'left out, since this key has a user of its own')
  if (access === 'admin' && (user !== undefined || impersonate))
    throw refused('access', access, 'read or write: an admin looks after a whole project, or the store')
}

export const keysOperations = {
  create: storeOperation({
    name: 'keys.create',
    kind: 'write',
    route: 'POST /keys',
    about:
      'Makes a key for a caller of the server. The answer has its text in `key`, this once: the store keeps a hash of it. Its reach ' +
      'is a project, a user of one, or any.',
    input: fields,
    output: 'NewCallerKey',
    errors: ['LIMIT_EXCEEDED'],
    method: {
      options: 'KeyOptions',
      example: "const { key } = await memory.keys.create({ name: 'app', project: 'acme', access: 'read' })",
    },
    run: async ({ engine, clock }, { name: called = '', project: of, user, origins: claimed, perMinute, ...rights }) => {
      refuseUnfit({ project: of, user, ...rights })
      const newId = uuidv7(clock.now())
      const key = newKeyText(newId)
      const made = await engine.write('callers.createKey', {
        ...{ ...rights, id: newId, digest: keyDigest(key), name: called },
        ...(of === undefined ? {} : { project: of }),
        ...(user === undefined ? {} : { user }),
        ...(claimed === undefined ? {} : { origins: claimed }),
        ...(perMinute === undefined ? {} : { perMinute }),
      })
      return { key, ...made }
    },
  }),
  list: storeOperation({
    name: 'keys.list',
    kind: 'read',
    route: 'GET /keys',
    about: 'Lists the keys of callers, the newest first, revoked ones too: everything but their text.',
    input: () => ({ project: z.exactOptional(project()).describe('Only keys of this project. Default: all.'), ...page(100, 10_000) }),
    output: 'List<CallerKey>',
    errors: [],
    run: async ({ engine }, { project: of, ...request }) => listOf(await engine.read('callers.keys', of, request)),
  }),
  revoke: storeOperation({
    name: 'keys.revoke',
    kind: 'write',
    route: 'DELETE /keys/{id}',
    about: 'Ends a key at once, and empties its name and its user. A server in another process refuses it within a second.',
    input: () => ({
      id: id().describe('The id of the key.'),
      project: z.exactOptional(project()).describe('Only a key of this project. Default: any.'),
    }),
    output: 'CallerKey',
    errors: ['NOT_FOUND'],
    method: { details: 'A second call changes nothing.' },
    run: async ({ engine }, { id: of, project: only }) => {
      const key = await engine.write('callers.revokeKey', of, only)
      if (key === undefined) throw new NotFound({ kind: 'key', id: of })
      return key
    },
    told: ({ keyChanges }) => keyChanges.tell(),
  }),
}
