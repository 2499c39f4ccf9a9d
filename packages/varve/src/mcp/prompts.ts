import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server'
import { contextOperation } from '../operations/context.ts'
import { checkInput } from '../operations/tools/check-input.ts'
import { userOperations } from '../operations/user.ts'
import { fencedText } from './fenced.ts'
import { objectSchema, shownSchema } from './json-schema.ts'
import type { McpMeans } from './mcp-means.ts'
import { pageOfProfile } from './page-of-profile.ts'
import { inProtocolsWords } from './protocol-words.ts'

/** The most tokens of memory before the question of a prompt. */
const maxTokens = 2_000

interface MemoryPrompt {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Its arguments, each with a description. */
  readonly takes: Readonly<Record<string, string>>
  readonly required?: readonly string[]
  readonly text: (means: McpMeans, given: Readonly<Record<string, unknown>>, call: object) => Promise<string>
}

const prompts: readonly MemoryPrompt[] = [
  {
    ...{ name: 'recall_before_answer', title: 'Recall before the answer', required: ['question'] },
    description: 'Answers a question with what memory has on it.',
    takes: { question: 'The question' },
    text: async ({ make, session }, { question }, call) => {
      const running = session === undefined ? {} : { excludeSession: session }
      const { text } = await make(contextOperation, { query: String(question ?? ''), maxTokens, ...running }, call)
      const known = text === '' ? 'Memory has nothing on this.' : text
      const asked = 'Answer this, with what is remembered above where it helps. Say so where memory does not tell.'
      return [known, asked, String(question ?? '')].join('\n\n')
    },
  },
  {
    ...{ name: 'what_do_you_know', title: 'What do you know of me?', takes: {} },
    description: 'Tells the user what is remembered of them, to be put right.',
    text: async (means, _given, call) => {
      const page = pageOfProfile(await means.make(userOperations.profile, {}, call))
      const asked = 'Tell me in plain words what you remember of me, and where it may be wrong. Ask what to put right or to forget.'
      return `${await fencedText(means, page)}\n\n${asked}`
    },
  },
  {
    ...{ name: 'keep_what_matters', title: 'Keep what matters of this talk', takes: {} },
    description: 'Has the agent keep what is worth keeping of this conversation.',
    text: async () =>
      'Look back over this conversation. Keep with memory_remember what will still matter in a month: decisions with their reasons, ' +
      'facts that I told you, and what I asked you to do from now on. Look with memory_recall whether it is there already. ' +
      'Keep no secrets. Then tell me in one line each what you kept.',
  },
]

/** Adds the prompts, which a person chooses in the client. */
export function addPrompts(server: McpServer, means: McpMeans): void {
  for (const { name, title, description, takes, required = [], text } of prompts) {
    const properties = Object.fromEntries(Object.entries(takes).map(([field, told]) => [field, { type: 'string', description: told }]))
    const argsSchema = shownSchema(objectSchema(properties, required))
    server.registerPrompt(name, { title, description, argsSchema }, async (given, { mcpReq: { signal } }) =>
      said(
        await inProtocolsWords(async () => {
          checkInput({ properties, required }, given)
          return text(means, given, { signal })
        }),
      ),
    )
  }
}

function said(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}
