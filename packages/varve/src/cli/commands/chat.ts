import type { Command } from 'commander'
import { chatModelIn } from '../../memory/chat-model.ts'
import { onlySession, whole } from '../../operations/fields.ts'
import { addCommand, type InputOf } from '../add-command.ts'
import { ChatLoop } from '../chat/chat-loop.ts'
import { type ChatMeans, ChatTalk } from '../chat/chat-talk.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { finishWriting, noteWarning, openHandle, scopeOf, storeFile } from '../open-store.ts'
import { shell } from '../shell.ts'
import { harmlessLine, note } from '../terminal.ts'

const after = `
Talks with the model that VARVE_MODEL_URL and VARVE_MODEL name, with VARVE_MODEL_KEY
where its server wants a key. Both sides are stored. Below each answer stand the
memories that the model read. /help lists what else a line may be.

  $ VARVE_MODEL_URL=http://localhost:11434/v1 VARVE_MODEL=qwen3 varve chat --user ada`

const fields = {
  about: 'talks with a model that remembers',
  input: () => ({
    session: onlySession().optional().describe('The session to go on with. Default: a new one.'),
    maxTokens: whole(1, 100_000).default(2_000).describe('The most tokens of remembered text in a prompt. Default 2,000.'),
  }),
}

export function addChat(program: Command): void {
  addCommand(program, 'chat', fields, chat).addHelpText('after', after)
}

/** Names a session by its time. */
function newSession(): string {
  return `chat ${new Date().toISOString().slice(0, 23).replace('T', ' ')}`
}

async function chat({ session, maxTokens = 2_000 }: InputOf<typeof fields>, flags: GlobalFlags): Promise<void> {
  const scope = scopeOf(flags)
  storeFile(flags)
  // Nothing is made for a talk without a model.
  const model = await chatModelIn(shell().env)
  await using opened = await openHandle(flags, { warn: 'at once', upkeep: 'background' })
  const onFailed: ChatMeans['onFailed'] = (doing, reason) =>
    noteWarning(`memory: ${doing} failed (${reason}), and the talk goes on without it`)
  const means = { memory: opened.memory, ada: opened.handle, scope, model, maxTokens, onFailed }
  const talk = new ChatTalk(means, session ?? newSession())
  if (session !== undefined) await talk.resume()
  if (flags.json !== true) note(`${harmlessLine(model.name)}, session ${harmlessLine(talk.session)}. /help, /quit.`)
  const loop = new ChatLoop(means, talk, { isJson: flags.json === true, newSession })
  await loop.run()
  await finishWriting(opened.memory)
  if (loop.hasFailed && shell().stdin.isTTY !== true) shell().exitCode = 1
}
