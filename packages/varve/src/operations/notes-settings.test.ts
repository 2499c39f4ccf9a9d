import { expect, test } from 'vitest'
import { jsonSchemaOf, parseInput } from './parse.ts'
import { projectSettingsOperations } from './project.ts'

const { set } = projectSettingsOperations

/** Takes settings of notes as a project is given them. */
function given(notes: unknown): unknown {
  return parseInput(set, { settings: { notes } }).input
}

const section = (heading: unknown, guidance: unknown = ''): unknown => ({ heading, guidance })

test.each([0, -1, Number.NaN, Infinity, 0.5, '5', null, true])('%s is refused for every number', (value) => {
  for (const name of ['firstTokens', 'growthTokens', 'toolCalls', 'sectionTokens', 'maxTokens'])
    expect(() => given({ [name]: value })).toThrow(`settings.notes.${name} must be a whole number from 1 to 10000000`)
})

test.each(['notes', [], 7])('%j are no settings', (received) => {
  expect(() => given(received)).toThrow('settings.notes must be an object')
})

test('a mistyped name is refused, and those that are known are named', () => {
  expect(() => given({ fistTokens: 10 })).toThrow(/^settings\.notes\.fistTokens must be left out: .*firstTokens/)
})

const template = 'settings.notes.template'

test.each([
  [[], `${template} must be a list of 1 to 40`],
  [Array.from({ length: 41 }, (_, place) => section(`Section ${place}`)), `${template} must be a list of 1 to 40`],
  ['Title', `${template} must be a list of 1 to 40`],
  [['Title'], `${template}[0] must be an object: received a string of 5 characters`],
  [[section('A'), section('  ')], `${template}[1].heading must be one line`],
  [[section('A'), section('a')], `${template}[1].heading must be unlike every other heading: received a string of 1 character`],
  [[section('A  b'), section(' a B ')], `${template}[1].heading must be unlike every other heading`],
  [[section('A\nB')], `${template}[0].heading must be one line`],
  [[section('# A')], `${template}[0].heading must be one line`],
  [[section('A'.repeat(81))], `${template}[0].heading must be one line`],
  [[section('\ud800')], `${template}[0].heading must be one line`],
  [[{ heading: 'A' }], `${template}[0].guidance must be one line`],
  [[section('A', 'x\ny')], `${template}[0].guidance must be one line`],
  [[{ heading: 'A', guidance: '', depth: 2 }], `${template}[0].depth must be left out`],
])('the template %j is refused', (sections, message) => {
  expect(() => given({ template: sections })).toThrow(message)
})

test('a page that has no room for its own headings is refused', () => {
  expect(() => given({ maxTokens: 100 })).toThrow(
    /^settings\.notes\.maxTokens must be at least \d+, twice the tokens of the template itself/,
  )
  const notes = { maxTokens: 100, template: [section('Notes')] }
  expect(given(notes)).toEqual({ settings: { notes } })
})

test('the JSON Schema says how long notes and their sections may be', () => {
  const heading = { type: 'string', maxLength: 80 }
  const sections = { type: 'array', minItems: 1, maxItems: 40, items: { properties: { heading } } }
  expect(jsonSchemaOf(set)).toMatchObject({
    properties: {
      settings: { properties: { notes: { anyOf: [{ properties: { toolCalls: { minimum: 1 }, template: sections } }, { type: 'null' }] } } },
    },
  })
})
