import type { Hit } from '../../packages/varve/src/index.ts'
import { share, table } from '../shared/table.ts'
import { mean } from '../shared/statistics.ts'
import { askAll, type Answered } from '../talk/ask.ts'
import type { Conversation } from '../talk/conversation.ts'
import { type Filling, turnKey } from '../talk/fill.ts'
import { printGroups } from '../talk/report.ts'

const categories = ['knowledge_update', 'contradiction_resolution']
const looked = 10

/** An evidence message of a question, by its place in the chat; without a hit where recall did not find it. */
interface Found {
  readonly place: number
  readonly hit: Hit | undefined
  readonly rank: number
}

/**
 * Asks the chats' questions on updates and contradictions, and prints how well recall finds their evidence. Newest first: the
 * newest evidence message ranks before every older one. Both sides: the first ten hits hold a message from before the
 * widest gap in the evidence, and one from after it.
 */
export async function measureQuestions(conversations: readonly Conversation[], filling: Filling) {
  const asked = await askAll(
    conversations.map((one) => ({ ...one, questions: one.questions.filter(({ category }) => categories.includes(category)) })),
    filling,
  )
  const byCategory = Map.groupBy(asked, ({ category }) => category)
  const figures = printGroups([...byCategory, ['both', asked]])
  const orders = [...byCategory].map(([category, some]) => {
    const evidence = some.map((one) => evidenceOf(one, conversations))
    const several = evidence.filter((messages) => messages.length > 1)
    const hits = evidence.flatMap((messages) => messages.flatMap(({ hit }) => hit ?? []))
    return {
      category,
      several: several.length,
      newestFirst: mean(several.map((messages) => Number(isNewestFirst(messages)))),
      bothSides: mean(several.map((messages) => Number(hasBothSides(messages)))),
      found: hits.length,
      marked: hits.filter((hit) => 'superseded' in hit && hit.superseded !== undefined).length,
    }
  })
  console.log(
    `\n${table(
      ['category', 'of several messages', 'newest first', `both sides@${looked}`, 'evidence found', 'marked'],
      orders.map(({ category, several, newestFirst, bothSides, found, marked }) => [
        category,
        String(several),
        share(newestFirst),
        share(bothSides),
        String(found),
        String(marked),
      ]),
    )}`,
  )
  return { chats: conversations.length, figures, orders }
}

/** Returns the evidence messages of a question in the order of the chat. */
function evidenceOf({ conversation, question, hits }: Answered, conversations: readonly Conversation[]): Found[] {
  const sessions = conversations.find(({ place }) => place === conversation)?.sessions ?? []
  const turns = sessions.flatMap((session) => session.turns)
  return question.evidence
    .map((id) => {
      const key = turnKey(conversation, { id })
      const rank = hits.findIndex(({ externalId }) => externalId === key)
      return { place: turns.findIndex((turn) => turn.id === id), hit: hits[rank], rank: rank < 0 ? Number.POSITIVE_INFINITY : rank }
    })
    .toSorted((a, b) => a.place - b.place)
}

function isNewestFirst(evidence: readonly Found[]): boolean {
  const newest = evidence.at(-1)?.rank ?? Number.POSITIVE_INFINITY
  return evidence.slice(0, -1).every(({ rank }) => newest < rank)
}

function hasBothSides(evidence: readonly Found[]): boolean {
  const gaps = evidence.slice(1).map(({ place }, at) => place - (evidence[at]?.place ?? 0))
  const cut = gaps.indexOf(Math.max(...gaps)) + 1
  return [evidence.slice(0, cut), evidence.slice(cut)].every((side) => side.some(({ rank }) => rank < looked))
}
