import { profileLines } from '../profile/portraits.ts'
import { bankBullets, notesOf, pagesOf } from './lines.ts'
import type { ReadTalk } from './read-talk.ts'

/** Prints all that the layers wrote of a talk, to be read by eye. */
export async function showLayers(talk: ReadTalk): Promise<void> {
  const { user, name } = talk
  print(`${name}: gists`)
  for await (const { session, sentences } of user.gists.list()) print(session, ...sentences.map(({ text }) => `  ${text}`))
  print('', `${name}: facts`)
  for await (const { subject, predicate, object } of user.facts.list()) print(`  ${subject} · ${predicate} · ${object}`)
  print('', `${name}: profile`)
  for (const { subject } of (await user.profile()).portraits)
    print(subject, ...(await profileLines(user, subject)).map((line) => `  ${line}`))
  print('', `${name}: documents`)
  for (const page of await pagesOf(talk)) print(page.name, ...page.lines.map((line) => `  ${line}`))
  print('', `${name}: bullets of the bank`, ...(await bankBullets(talk)).map((bullet) => `  ${bullet}`))
  print('', `${name}: bank of 1,000 tokens`, (await user.bank.render(1_000)).text)
  for (const page of await notesOf(talk)) print('', `${name}: notes`, page)
  print('')
}

function print(...lines: readonly string[]): void {
  for (const line of lines) console.log(line)
}
