import type { Command } from 'commander'
import { countedKinds } from '../../messages/counted-kinds.ts'
import { userOperations } from '../../operations/user.ts'
import { addCommand } from '../add-command.ts'
import { commandLine, whose } from '../next-command.ts'
import type { GlobalFlags } from '../global-flags.ts'
import { withStore } from '../open-store.ts'
import { subjectLines } from '../render/fact.ts'
import { sessionLines } from '../render/session.ts'
import { columns, counted, harmless, harmlessLine, minute, note, paint, paragraph, print, printJson } from '../terminal.ts'

const after = `
Shows the facts that hold now and are not doubtful: the user's first, then those
about others, the most mentioned first. Then it shows what else each person said:
the most telling sentences of the conversations.

  $ varve profile --user ada`

export function addProfile(program: Command): void {
  addCommand(program, 'profile', userOperations.profile, (_input, flags) => profile(flags)).addHelpText('after', after)
}

async function profile(flags: GlobalFlags): Promise<void> {
  const found = await withStore(flags, (handle) => handle.profile())
  if (flags.json === true) return printJson(found)
  const { counts, lastSeen, sessions, subjects, portraits } = found
  print(paint('bold', flags.user === undefined ? 'the anonymous user' : `user ${harmlessLine(flags.user)}`))
  const width = columns()
  const seen = lastSeen === undefined ? '' : `; last seen ${minute(lastSeen)}`
  const { messages, sessions: talks, ...others } = counts
  const kept = [
    `${counted(messages, 'message')} in ${counted(talks, 'session')}`,
    ...(Object.values(others).some((count) => count > 0) ? [countedKinds(others)] : []),
  ]
  print(paragraph(`${kept.join(', ')}${seen}`, { indent: '  ', width }).join('\n'))
  if (sessions.length > 0)
    print(['', paint('bold', 'recent conversations'), ...sessionLines(sessions).map((line) => `  ${line}`)].join('\n'))
  const facts = subjects.flatMap((subject) => subject.facts)
  if (facts.length > 0) print(['', paint('bold', 'what is known, as it was said'), ...subjectLines(facts, { width, ids: true })].join('\n'))
  const told = portraits.flatMap(({ subject, sayings }) => {
    const others = sayings.filter((saying) => saying.facts.length === 0)
    return [
      ...(others.length === 0 ? [] : [paint('bold', harmlessLine(subject))]),
      ...others.flatMap(({ text, at }) => paragraph(harmless(`${text} (${minute(at)})`), { indent: '  ', width })),
    ]
  })
  if (told.length > 0) print(['', paint('bold', 'what else was said'), ...told].join('\n'))
  if (facts.length === 0 && told.length === 0) note(`Nothing is known of this user.\nNext: ${commandLine('facts', ...whose(flags))}`)
}
