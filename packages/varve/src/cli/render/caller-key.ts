import type { Memory } from '../../memory/memory.ts'
import { nameLine } from '../../messages/shown-name.ts'
import { harmlessLine, minute } from '../terminal.ts'

type ListedKey = Awaited<ReturnType<Memory['keys']['list']>>[number]

const shownName = (name: string): string => nameLine(harmlessLine(name))

/** Tells in words what a key may do: `write of project acme, all users; claims assistant, tool`. */
export function keyWords({ access, project, user, impersonate, origins, perMinute, expiresAt, revokedAt }: ListedKey): string {
  const owner = impersonate ? 'a user named at each request' : user === undefined ? 'all users' : ownerWords(user)
  const place = project === undefined ? 'any project' : `project ${shownName(project)}`
  return [
    `${access} of ${place}, ${revokedAt === undefined ? owner : 'revoked'}`,
    ...(origins === undefined ? [] : [`claims ${origins.join(', ')}`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ...(expiresAt === undefined ? [] : [`until ${minute(expiresAt)}`]),
  ].join('; ')
}

function ownerWords(user: string): string {
  return user === '~' ? 'the anonymous user' : `user ${shownName(user)}`
}

export function keyLine(key: ListedKey): string {
  const { id, name, createdAt, usedAt, revokedAt } = key
  const times = [
    ...(revokedAt === undefined ? [] : [`revoked ${minute(revokedAt)}`]),
    usedAt === undefined ? 'never used' : `used ${minute(usedAt)}`,
  ]
  const shown = name === undefined ? [] : [shownName(name)]
  return [minute(createdAt), id, keyWords(key), times.join(', '), ...shown].join('  ')
}
