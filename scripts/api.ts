// Writes the methods of the handles, the client's calls and docs/reference/api.md from the operations: `npm run api`.
// With --check it only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { exportJsonSchema } from '../packages/varve/src/transfer/records.ts'
import { handles } from '../packages/varve/src/operations/all.ts'
import type { AnyOperation } from '../packages/varve/src/operations/operation.ts'
import type { FieldSchema } from '../packages/varve/src/operations/field-schema.ts'
import { clientCalls } from './client-calls.ts'
import { errorRows } from './error-rows.ts'
import { config, fieldsOf, handleFiles } from './handles.ts'
import { llmsText } from './llms.ts'
import { openApiDocument } from './openapi.ts'

const root = dirname(import.meta.dirname)

function typeOf({ type, enum: names, anyOf, items, minimum, maximum }: FieldSchema): string {
  if (names !== undefined) return names.map((name) => `\`${name}\``).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`
  const bounds = [minimum, maximum].some((bound) => bound === undefined || Math.abs(bound) > 1e15) ? '' : ` ${minimum} to ${maximum}`
  return `${[type ?? 'value'].flat().join(' or ')}${bounds}`
}

function fieldRows(operation: AnyOperation): string[] {
  const { fields, required } = fieldsOf(operation)
  return Object.entries(fields).map(
    ([name, field]) => `| \`${name}\`${required.includes(name) ? ' (required)' : ''} | ${typeOf(field)} | ${field.description ?? ''} |`,
  )
}

function section(operation: AnyOperation): string {
  const { name, kind, about, output, errors, method } = operation
  const rows = fieldRows(operation)
  const table = rows.length === 0 ? [] : ['', '| field | type | meaning |', '|---|---|---|', ...rows]
  const codes = errors.length === 0 ? '' : ` Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.`
  return [
    `### ${name}`,
    '',
    [about, ...(method?.details === undefined ? [] : [method.details])].join(' '),
    '',
    `A ${kind}. Gives \`${output}\`.${codes}`,
    ...table,
    '',
  ].join('\n')
}

const headings = {
  user: "A user's handle: `memory.for(…)`",
  project: "A project's handle: `memory.project(…)`",
  memory: 'The memory',
} as const

const holders = ['user', 'project', 'memory'] as const

const operationsOn = (holder: string): readonly AnyOperation[] =>
  handles.filter(({ on }) => on === holder).flatMap(({ operations }) => Object.values(operations))

const page = `# API

Every operation with its fields, its answer and its errors. Written from the operations by \`npm run api\`: do not edit.

Each operation takes \`signal\` and \`deadlineMs\` too. A method takes its required fields by place, and the others in an
object of options. A list takes \`limit\` and \`cursor\`; \`for await\` goes through all of its pages.

Every operation can reject with \`OPTION_INVALID\`, \`SCOPE_INVALID\`, \`CANCELLED\`, \`DEADLINE_EXCEEDED\`, \`MEMORY_CLOSED\`
and the errors of the store ([errors](errors.md)). A project's handle has \`blocks\`, \`documents\` and \`bank\` as well.

${holders.map((holder) => [`## ${headings[holder]}`, '', ...operationsOn(holder).map(section)].join('\n')).join('\n')}`

const exportSchema = `${JSON.stringify(exportJsonSchema(), null, 2)}\n`
const files = new Map([
  ['docs/reference/api.md', page],
  ['docs/reference/export.schema.json', exportSchema],
  ['packages/varve/src/server/openapi.json', openApiDocument()],
  ['packages/varve/src/server/errors.json', errorRows()],
  ['packages/varve/llms.txt', llmsText()],
  ...(await handleFiles()),
  await clientCalls(config),
])
for (const [path, text] of files) {
  const file = join(root, path)
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`error: ${path} does not agree with the operations: npm run api`)
    process.exitCode = 1
  }
}
