import type { ReadTalk } from './read-talk.ts'

/** Returns the sentences of every gist. */
export async function gistSentences({ user }: ReadTalk): Promise<readonly string[]> {
  const gists = await Array.fromAsync(user.gists.list())
  return gists.flatMap(({ sentences }) => sentences.map(({ text }) => text))
}

/** Returns the bullets of every conversation in the bank. */
export async function bankBullets({ user }: ReadTalk): Promise<readonly string[]> {
  const entries = await Array.fromAsync(user.bank.entries())
  return entries.filter(({ granularity }) => granularity === 'conversation').flatMap(({ bullets }) => bullets)
}

/** A page, and its lines of knowledge. */
export interface ReadPage {
  readonly name: string
  readonly lines: readonly string[]
}

export async function pagesOf({ user }: ReadTalk): Promise<readonly ReadPage[]> {
  const pages: ReadPage[] = []
  for await (const { name } of user.documents.list()) {
    const content = (await user.documents.read(name))?.content ?? ''
    pages.push({ name, lines: content.split('\n').filter((line) => /^[-*] /.test(line)) })
  }
  return pages
}

export async function notesOf({ user }: ReadTalk): Promise<readonly string[]> {
  const pages: string[] = []
  for await (const { id } of user.sessions.list()) pages.push((await user.notes.get(id))?.content ?? '')
  return pages.filter((page) => page !== '')
}
