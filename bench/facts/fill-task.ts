import { openMemory } from '../../packages/varve/src/index.ts'
import { entityKey, objectKey } from '../../packages/varve/src/facts/keys.ts'
import { predicateKey } from '../../packages/varve/src/facts/predicates.ts'
import { itemTerms } from '../../packages/varve/src/index/item-terms.ts'
import { partitionId, projectName } from '../../packages/varve/src/scope/partition.ts'
import { type NewAssertion, storeAssertion } from '../../packages/varve/src/storage/known/assertions.ts'
import { mergeName } from '../../packages/varve/src/storage/known/entities.ts'
import { ensureKnownOf, ensurePartition, savePartition } from '../../packages/varve/src/storage/partitions.ts'
import type { Program } from '../../packages/varve/src/storage/program.ts'
import { openConnection } from '../../packages/varve/src/storage/sqlite/open-connection.ts'
import { Writer } from '../../packages/varve/src/storage/sqlite/writer.ts'
import { uuidText } from '../../packages/varve/src/storage/uuid-bytes.ts'
import { Dialogue } from '../shared/dialogue.ts'
import { bytesOf } from '../speed/import-task.ts'
import { withoutVectors } from '../speed/product.ts'
import { end, type MadeUp, madeUp } from './made-up.ts'
import type { Filled, FactStore } from './tasks.ts'

const perSession = 50
const perCommit = 1_000
/** A statement rests on this many characters at the beginning of a message. */
const sourceEnds = 40

export const user = 'ada'
const project = 'default'
const partition = partitionId(projectName(project), { kind: 'user', name: user })

/** Stores some talk by the API, and then statements by the product's own programs, a thousand a commit. Nothing here is measured. */
export async function fillTask({ file, statements, merged }: FactStore): Promise<Filled> {
  const messages = Math.ceil(statements / 10)
  await talk(file, messages)
  const talked = bytesOf(file)
  const writer = new Writer(file, openConnection(file), () => openConnection(file))
  const said = madeUp(statements)
  const ids: string[] = []
  for (let from = 0; from < said.length; from += perCommit) {
    ids.push(...(await writer.write(() => store(said.slice(from, from + perCommit), { ids, messages, from }))))
  }
  await writer.write(() => mergeNames(merged))
  writer.close()
  return { bytesPerStatement: (bytesOf(file) - talked) / statements }
}

async function talk(file: string, messages: number): Promise<void> {
  await using memory = await openMemory({ store: file, upkeep: 'manual', ...withoutVectors, logger: { warn: () => undefined } })
  const dialogue = new Dialogue(1)
  for (let session = 0; session * perSession < messages; session += 1)
    await memory.for(user).append(`talk-${session}`, dialogue.messages(perSession))
}

function* store(
  said: readonly MadeUp[],
  { ids, messages, from }: { ids: readonly string[]; messages: number; from: number },
): Program<string[]> {
  const source = yield* ensurePartition(partition, end)
  const owner = yield* ensureKnownOf(source.id, end)
  const made: string[] = []
  for (const [place, one] of said.entries()) {
    const message = (from + place) % messages
    const restsOn = one.restsOn === undefined ? undefined : ids[one.restsOn]
    const { fact } = yield* storeAssertion(owner, assertionOf(one, restsOn === undefined ? [] : [restsOn], message), one.at)
    made.push(uuidText(fact))
  }
  yield* savePartition(owner)
  return made
}

function assertionOf(
  { says, subject, predicate, object, instead, validFrom, at }: MadeUp,
  dependsOn: readonly string[],
  message: number,
): NewAssertion {
  // Sessions are numbered in the order of their making.
  const session = 1 + Math.floor(message / perSession)
  const { terms, traits } = itemTerms(`${subject === '' ? user : subject} ${predicate} ${object}`, 'en')
  return {
    says,
    subject,
    predicate,
    object,
    subjectKey: entityKey(subject),
    predicateKey: predicateKey(predicate),
    objectKey: objectKey(object),
    insteadKey: instead === undefined ? null : objectKey(instead),
    validFrom: validFrom ?? null,
    validUntil: says === 'ends' ? at : null,
    saidAt: at,
    confidence: 0.9,
    single: false,
    phrase: null,
    whenFrom: null,
    whenTo: null,
    dependsOn,
    writer: 'scripted',
    session,
    sources: [{ session, seq: 1 + (message % perSession), from: 0, to: sourceEnds }],
    terms,
    traits,
  }
}

/** Merges names into others. */
function* mergeNames(merged: readonly (readonly [name: string, into: string])[]): Program<void> {
  const owner = yield* ensureKnownOf((yield* ensurePartition(partition, end)).id, end)
  for (const [name, into] of merged) yield* mergeName(owner.id, entityKey(name), entityKey(into))
}
