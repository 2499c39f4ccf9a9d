import { instructionText, mostStanding } from '../instructions/request.ts'
import { agentName } from '../documents/validate.ts'
import { expectedVersion, flag, id, onlySession, page, textChecked } from './fields.ts'
import { listOf } from './list.ts'
import type { PartitionMeans } from './means.ts'
import { operation } from './operation.ts'

const instructionId = () => id().describe('The id of an instruction.')
const writer = () => textChecked(agentName).optional()
const text = () => textChecked(instructionText).describe('What is wanted, at most 300 characters.')

/** The most instructions of a page: with ended ones there are more than may stand. */
const mostListed = 1_000

/** Makes a change, has the new words end earlier ones, and reads the instruction. */
async function changed({ engine, partition }: PartitionMeans, id: string) {
  const found = await engine.read('distil.instructionEnds', partition)
  if (found !== undefined && found.compared.length > 0) await engine.write('distil.noteInstructionEnds', found.partition, found)
  return engine.read('instructions.tell', partition, id)
}

export const instructionOperations = {
  list: operation({
    name: 'instructions.list',
    kind: 'read',
    route: 'GET /instructions',
    about: 'Lists the instructions that stand, the last said first; with `ended` those that ended too.',
    input: () => ({
      ended: flag().default(false).describe('Whether to list ended ones too. Default false.'),
      ...page(mostStanding, mostListed),
    }),
    output: 'List<Instruction>',
    errors: [],
    run: async ({ engine, partition, shown }, request) => {
      const { found, epochs } = await engine.read('instructions.list', partition, request)
      shown.add(partition, epochs, found.items)
      return listOf(found)
    },
  }),
  add: operation({
    name: 'instructions.add',
    kind: 'write',
    route: 'POST /instructions',
    about:
      'Adds an instruction by hand. Where it contradicts an earlier one, the earlier one ends. One of an agent (`writer`) is a note: ' +
      'it ends nothing that a person said or added.',
    input: () => ({
      text: text(),
      writer: writer().describe('The name of the agent that notes it. Left out: a person.'),
      during: onlySession().describe('The session from which an agent notes it: the note goes with the session.'),
    }),
    output: 'Instruction',
    errors: ['LIMIT_EXCEEDED'],
    method: { example: "await ada.instructions.add('Always show code in TypeScript.')" },
    run: async (means, { text, writer, during }) => {
      const { engine, partition } = means
      if (writer === undefined) return changed(means, await engine.write('instructions.add', partition, text))
      return changed(means, await engine.write('distil.noteInstruction', partition, text, { writer, during }))
    },
  }),
  edit: operation({
    name: 'instructions.edit',
    kind: 'write',
    route: 'PATCH /instructions/{id}',
    about:
      'Puts other words in the place of an instruction that stands. They stay when its message is read again, and go when it is forgotten.',
    expects: 'expectedVersion',
    input: () => ({ id: instructionId(), text: text(), expectedVersion: expectedVersion() }),
    output: 'Instruction',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async (means, { id, text, expectedVersion: expected }) => {
      await means.engine.write('instructions.edit', means.partition, { id, expected }, text)
      return changed(means, id)
    },
  }),
  withdraw: operation({
    name: 'instructions.withdraw',
    kind: 'write',
    route: 'POST /instructions/{id}/withdraw',
    about:
      'Ends an instruction now. It stays listed as ended, and comes back only when it is said anew. To erase its words, ' +
      'forget its messages. `restore` takes it back. An agent (`writer`) may take back what agents noted, which erases it.',
    expects: 'expectedVersion',
    input: () => ({
      id: instructionId(),
      writer: writer().describe('The name of the agent that takes its note back. Left out: a person.'),
      expectedVersion: expectedVersion(),
    }),
    output: 'Instruction',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    run: async ({ engine, partition, clock }, { id, writer, expectedVersion: expected }) => {
      if (writer !== undefined) {
        const told = await engine.read('instructions.tell', partition, id)
        await engine.write('instructions.takeNoteBack', partition, { id, expected })
        return { ...told, until: clock.now(), endedBy: { by: writer } }
      }
      await engine.write('instructions.withdraw', partition, { id, expected })
      return engine.read('instructions.tell', partition, id)
    },
  }),
  restore: operation({
    name: 'instructions.restore',
    kind: 'write',
    route: 'POST /instructions/{id}/restore',
    about:
      'Takes back the last edit or withdrawal by hand of an instruction, within 30 days; called again, the one before. ' +
      'Nothing changes when none is left.',
    expects: 'expectedVersion',
    input: () => ({ id: instructionId(), expectedVersion: expectedVersion() }),
    output: 'Instruction',
    errors: ['NOT_FOUND', 'STALE_REVISION'],
    method: { details: 'InvalidOption for an instruction that nobody edited or withdrew.' },
    run: async (means, { id, expectedVersion: expected }) => {
      await means.engine.write('instructions.restore', means.partition, { id, expected })
      return changed(means, id)
    },
  }),
}
