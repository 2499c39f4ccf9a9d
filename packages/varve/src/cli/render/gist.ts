import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'
import { writtenBy } from './hit.ts'

export type ListedGist = Awaited<ReturnType<UserMemory['gists']['list']>>[number]

const indent = '   '

/** Shows a gist in a list: its time, its session, and its text. */
export function gistLines(gist: ListedGist, width: number | undefined, mostLines?: number): string[] {
  return [
    ...headLines(gist, width),
    ...paragraph(harmless(gist.text), { indent, width, ...(mostLines === undefined ? {} : { mostLines }) }),
  ]
}

/** Shows a gist by itself, with its writer and its messages. With `sources`, each sentence has a line, and its messages below it. */
export function wholeGistLines(gist: ListedGist, { width, sources }: { width: number | undefined; sources: boolean }): string[] {
  const { writer, provisional, writtenAt, messages, firstAt, at, lineage } = gist
  const text = sources
    ? gist.sentences.flatMap((sentence) => sentenceLines(sentence, width))
    : paragraph(harmless(gist.text), { indent, width })
  const from = lineage.map((span) => range(span.from, span.to)).join(', ')
  return [
    ...headLines(gist, width),
    ...text,
    dim(`${indent}id ${gist.id}, written ${minute(writtenAt)}${writtenBy({ writer, provisional })}`),
    dim(`${indent}from ${counted(messages, 'message')} (${from}), ${minute(firstAt)} to ${minute(at)}`),
  ]
}

type Revision = Awaited<ReturnType<UserMemory['gists']['revisions']>>[number]

/** Shows a text that a gist had: its writer, and who replaced it. */
export function gistRevisionLines({ revision, text, writer, at, replacedAt, replacedBy }: Revision, width: number | undefined): string[] {
  const until = replacedAt === undefined ? 'stands' : `replaced ${minute(replacedAt)} by ${harmlessLine(replacedBy ?? '')}`
  return [
    `${paint('yellow', `revision ${revision}`)}  ${minute(at)}  by ${harmlessLine(writer)}, ${until}`,
    ...paragraph(harmless(text), { indent, width }),
  ]
}

function sentenceLines({ text, from }: ListedGist['sentences'][number], width: number | undefined): string[] {
  return [...paragraph(harmless(text), { indent, width }), ...paragraph(`= ${sourcesOf(from)}`, { indent: `${indent}  `, width }).map(dim)]
}

function sourcesOf(from: readonly number[]): string {
  return from.length === 0 ? 'rests on no single message' : `rests on ${from.map((seq) => `#${seq}`).join(', ')}`
}

function range(from: number, to: number): string {
  return from === to ? `#${from}` : `#${from} to #${to}`
}

/** Shows the head of a gist. The title gets its own line where both do not fit. */
function headLines({ at, session, name }: ListedGist, width: number | undefined): string[] {
  const head = `${minute(at)}  ${paint('cyan', harmlessLine(session))}`
  if (name === undefined) return [head]
  const title = paint('bold', harmlessLine(name))
  const fits = width === undefined || `${minute(at)}  ${session}  ${name}`.length <= width
  return fits ? [`${head}  ${title}`] : [head, `${indent}${title}`]
}

function dim(line: string): string {
  return paint('dim', line)
}
