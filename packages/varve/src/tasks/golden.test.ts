import { expect, test } from 'vitest'
import { notesSettings } from '../notes/settings.ts'
import { templatePage } from '../notes/template-page.ts'
import { digestPrompt } from './digest-prompt.ts'
import { documentsTask } from './documents-task.ts'
import { editorPrompt, editorRetry } from './editor-prompt.ts'
import { factsTask } from './facts-task.ts'
import { fusePrompt } from './fuse-prompt.ts'
import type { AskedTask } from './instructions.ts'
import { condensePrompt, notesPrompt, retryNotesPrompt } from './notes-prompt.ts'
import type { Prompt } from './prompt.ts'
import { retryPrompt } from './retry-prompt.ts'
import { spanPrompt } from './span-prompt.ts'
import { standingTask } from './standing-task.ts'
import { bulletsTask, gistTask, sharedAnswersTask, sharedBulletsTask } from './text-tasks.ts'
import { days } from './variants/digest.sentences.ts'
import { spokenTalk, workTalk } from './variants/talks.ts'

/** What a prompt is made of. Two of them differ in everything that can change from call to call. */
interface Given {
  readonly mark: string
  readonly from: number
  readonly attributes: readonly string[]
  readonly name: string
  readonly sectionTokens: number
}

const first: Given = {
  mark: '0123456789abcdef',
  from: 0,
  attributes: ['test command', 'deploy branch'],
  name: 'Boat',
  sectionTokens: 2_000,
}
const second: Given = { mark: 'fedcba9876543210', from: 3, attributes: [], name: 'House', sectionTokens: 900 }

function span(...tasks: readonly AskedTask[]): (given: Given) => Prompt {
  return ({ mark, from, attributes }) => spanPrompt(spokenTalk.slice(from, from + 4), tasks, { mark, attributes })
}

function again(asked: (given: Given) => Prompt): (given: Given) => Prompt {
  return (given) => retryPrompt(asked(given), given.name)
}

const page = ({ name }: Given) => ({ name, description: `The ${name}.`, content: `# ${name}\n- red\n`, revision: name.length })
const edits = (given: Given) =>
  editorPrompt(page(given), [{ fact: `The ${given.name} is blue.`, day: '2026-05-08' }], { mark: given.mark, maxCharacters: 1_000 })
const settings = ({ sectionTokens }: Given) => ({ ...notesSettings(), sectionTokens })
const notes = (given: Given) =>
  notesPrompt(templatePage(settings(given)), workTalk.slice(given.from, given.from + 4), settings(given), { mark: given.mark })
const parts = ({ name }: Given) => [[{ text: `Ada painted the ${name}.`, from: [1] }], [{ text: `Bo sold the ${name}.`, from: [3] }]]

const prompts: Readonly<Record<string, (given: Given) => Prompt>> = {
  'span-gist-facts': span(gistTask, factsTask),
  'span-all': span(gistTask, bulletsTask, factsTask, standingTask, documentsTask),
  'span-gist': span(gistTask),
  'span-bullets': span(bulletsTask),
  'span-facts': span(factsTask),
  'span-instructions': span(standingTask),
  'span-documents': span(documentsTask),
  'span-shared': span(sharedBulletsTask),
  'span-shared-answers': span(sharedAnswersTask),
  'span-retry': again(span(gistTask, factsTask)),
  'fuse-gist': (given) => fusePrompt(parts(given), gistTask, given),
  'fuse-bullets': (given) => fusePrompt(parts(given), bulletsTask, given),
  digest: (given) => digestPrompt(days.slice(0, given.name.length - 2), { mark: given.mark, granularity: 'week', period: '2025-W11' }),
  editor: edits,
  'editor-retry': (given) =>
    editorRetry(edits(given), { refused: [{ place: 0, reason: given.name }] }, { mark: given.mark, maxCharacters: 1_000 }),
  notes,
  'notes-retry': (given) => retryNotesPrompt(notes(given), [{ place: 1, reason: given.name }]),
  'notes-condense': (given) =>
    condensePrompt(templatePage(settings(given)), [{ heading: 'Worklog', tokens: 3_000, maxTokens: 2_000 }], settings(given), given),
}

test.each(Object.entries(prompts))('the prompt %s is as it stands in git', async (name, asked) => {
  const { instructions, prompt, schema } = asked(first)
  await expect(`${instructions}\n\n=== user\n${prompt}\n\n=== schema\n${JSON.stringify(schema)}\n`).toMatchFileSnapshot(
    `golden/${name}.txt`,
  )
})

test.each(Object.entries(prompts))('the system prompt and the schema of %s are the same bytes from call to call', (_, asked) => {
  const [one, other] = [asked(first), asked(second)]
  expect(other.instructions).toBe(one.instructions)
  expect(JSON.stringify(other.schema)).toBe(JSON.stringify(one.schema))
  expect(other.prompt).not.toBe(one.prompt)
  expect(one.prompt).toContain(first.mark)
})
