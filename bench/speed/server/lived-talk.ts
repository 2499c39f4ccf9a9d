import type { MessageInput } from '../../../packages/varve/src/index.ts'
import { Dialogue } from '../../shared/dialogue.ts'

/** The messages of a session that is forgotten or read: about as many as LoCoMo's. */
export const messagesOfSession = 24

const towns = ['Bergen', 'Kiel', 'Turku', 'Porto', 'Gdansk', 'Ghent'] as const

/** Makes one session of talk from which facts can be read: every third message tells something of the speaker. */
export function livedTalk(seed: number): MessageInput[] {
  return new Dialogue(seed).messages(messagesOfSession).map((message, place) => {
    const town = towns[(seed + place) % towns.length] ?? towns[0]
    const told = `I live in ${town}. I work at Harbour ${seed}-${place}. ${String(message.content)}`
    return place % 3 === 0 ? { ...message, content: told } : message
  })
}
