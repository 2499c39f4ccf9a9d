import { type GoneWords, sentencesGone } from '../blocks/forget-sentences.ts'
import { blockSentences } from '../blocks/sentences.ts'
import { eraseFacts, withOrphans } from '../storage/erase/fact-erasure.ts'
import { eraseInstructions } from '../storage/erase/instruction-erasure.ts'
import { type AgentNotes, agentNotes } from '../storage/known/agent-notes.ts'
import { contextsThatShowed, takeFromContexts } from '../storage/log/contexts.ts'
import type { Needles } from '../storage/needles.ts'
import type { Program } from '../storage/program.ts'
import { uuidText } from '../storage/uuid-bytes.ts'

// An agent's note names no message, so no lineage says on which it rests. When messages are forgotten, the notes that share
// their telling words go with them, as sentences of blocks do. With a whole session go also those that were made in it.

/** Returns the notes of agents that rest on messages that go. */
function* losingNotes(words: GoneWords): Program<AgentNotes> {
  const { facts, instructions } = yield* agentNotes(words.partition)
  const sentencesOf = (content: string, writer: string, at: number) =>
    blockSentences([{ block_id: 0, revision: 0, content, writer, written_at: at }], words.language)
  const [ofFacts, ofInstructions] = [
    facts.map((row) => ({ row, sentences: sentencesOf(`${row.subject} ${row.predicate} ${row.object}`, row.writer, row.recorded_at) })),
    instructions.map((row) => ({ row, sentences: sentencesOf(`${row.content}\n${row.hand ?? ''}`, row.writer, row.recorded_at) })),
  ]
  const gone = yield* sentencesGone(
    words,
    [...ofFacts, ...ofInstructions].flatMap(({ sentences }) => sentences),
  )
  return {
    facts: ofFacts.filter(({ sentences }) => sentences.some((one) => gone.has(one))).map(({ row }) => row),
    instructions: ofInstructions.filter(({ sentences }) => sentences.some((one) => gone.has(one))).map(({ row }) => row),
  }
}

/** Counts the notes that go with some messages. Those of a session that goes as a whole are left out. */
export function* countLosingNotes(words: GoneWords, session?: number): Program<Readonly<Record<'fact' | 'instruction', number>>> {
  const { facts, instructions } = yield* losingNotes(words)
  const stays = ({ noted_in: notedIn }: { readonly noted_in: number }): boolean => session === undefined || notedIn !== session
  return { fact: new Set(facts.filter(stays).map(({ fact }) => uuidText(fact))).size, instruction: instructions.filter(stays).length }
}

/** Erases the notes of agents that rest on messages that go. Returns how many, by kind. */
export function* forgetNotes(words: GoneWords, needles: Needles): Program<Readonly<Record<'fact' | 'instruction', number>>> {
  const { facts, instructions } = yield* losingNotes(words)
  const fact = facts.length === 0 ? 0 : yield* eraseFacts(yield* withOrphans({ assertions: facts, citations: [] }), needles)
  if (instructions.length > 0) {
    const gone = new Set(instructions.map(({ uuid }) => uuidText(uuid)))
    yield* takeFromContexts(yield* contextsThatShowed({ partition: words.partition }, gone, needles.contexts), gone)
    yield* eraseInstructions(instructions, needles)
  }
  return { fact, instruction: instructions.length }
}
