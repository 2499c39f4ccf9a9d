import type { Dirent } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { ImportFailed } from '../../errors/import-failed.ts'
import { detectBytes, detectFormat } from '../detect.ts'
import type { ImportFormat } from '../formats/all.ts'
import type { ImportSource } from '../importer.ts'
import type { SkipReason } from '../reasons.ts'
import { type FoundFile, liesIn, markdownFiles, transcriptFiles, walkFolder } from './walk.ts'

/** The most files that are opened, and folders that are looked into, to tell what a folder holds. */
const mostTried = 20

type ReadFile = (file: string) => AsyncIterable<Uint8Array>

/** A transcript, or files that are none with the reason. */
export type FoundSource = ImportSource | { readonly reason: SkipReason; readonly count: number }

export interface FolderSources {
  readonly totalBytes: number
  readonly sources: AsyncIterable<FoundSource>
}

/** A file with conversations. */
export interface FoundConversations {
  readonly file: string
  readonly format: ImportFormat
}

/**
 * Tells whether a folder holds transcripts of Claude Code: itself, or the folders of projects in it. A folder of notes has
 * Markdown at its top.
 */
export async function holdsTranscripts(folder: string): Promise<boolean> {
  const top = await readdir(folder, { withFileTypes: true })
  if (top.some((entry) => entry.isFile() && markdownFiles.ending.test(entry.name))) return false
  for await (const { format } of conversationsIn(folder, transcriptFiles.ending)) if (format === 'claude-code') return true
  return false
}

/** Finds files with conversations in a folder, and in the folders in it, by how the files begin. */
export async function* conversationsIn(folder: string, ending = /\.jsonl?$/iu): AsyncGenerator<FoundConversations> {
  const list = (path: string) => readdir(path, { withFileTypes: true }).catch((): Dirent[] => [])
  const top = await list(folder)
  const within = top.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  const inner = await Promise.all(within.slice(0, mostTried).map(({ name }) => list(join(folder, name))))
  const tried = [...top, ...inner.flat()].filter((entry) => entry.isFile() && ending.test(entry.name))
  for (const { parentPath, name } of tried.slice(0, mostTried)) {
    const file = join(parentPath, name)
    const format = await formatOf(file)
    if (format !== undefined) yield { file, format }
  }
}

async function formatOf(file: string): Promise<ImportFormat | undefined> {
  if (!(await isReadable(file))) return undefined
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(detectBytes), 0, detectBytes, 0)
    return detectFormat(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/**
 * Opens the transcripts of a folder, such as `~/.claude/projects` or one of its folders, in the order of their paths: the
 * sessions, then the subagents. Links and hidden files are not followed, and a file that cannot be read is passed over.
 */
export async function transcriptSources(folder: string, read: ReadFile): Promise<FolderSources> {
  const { files, left } = await walkFolder(folder, transcriptFiles)
  if (files.length === 0)
    throw new ImportFailed({
      file: folder,
      reason:
        'it is a folder without transcripts of Claude Code: give the file in it that holds the conversations, or the zip as it ' +
        'was downloaded. A folder of Markdown notes is for importMarkdown().',
    })
  const ordered = files.toSorted((a, b) => Number(isOfAgent(a)) - Number(isOfAgent(b)))
  let totalBytes = 0
  for (const { file } of files) totalBytes += (await isReadable(file)) ? (await stat(file)).size : 0
  return { totalBytes, sources: sourcesOf(folder, ordered, left, read) }
}

/** Tells a subagent's transcript, which belongs behind its session's. */
function isOfAgent({ file }: FoundFile): boolean {
  return parse(file).name.startsWith('agent-')
}

async function* sourcesOf(
  folder: string,
  files: readonly FoundFile[],
  left: ReadonlyMap<SkipReason, number>,
  read: ReadFile,
): AsyncGenerator<FoundSource> {
  for (const [reason, count] of left) yield { reason, count }
  for (const { file } of files) {
    const isThere = (await liesIn(folder, file).catch(() => false)) && (await isReadable(file))
    if (!isThere) yield { reason: 'cannot be read', count: 1 }
    else yield { file, name: parse(file).name, bytes: read(file) }
  }
}

async function isReadable(file: string): Promise<boolean> {
  try {
    await (await open(file)).close()
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
