import { open, readdir, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { ImportFailed } from '../../errors/import-failed.ts'
import { detectBytes, detectFormat } from '../detect.ts'
import type { ImportSource } from '../importer.ts'
import type { SkipReason } from '../reasons.ts'
import { type FoundFile, liesIn, markdownFiles, transcriptFiles, walkFolder } from './walk.ts'

/** The most files that are opened to tell a folder of transcripts. */
const mostTried = 20

type ReadFile = (file: string) => AsyncIterable<Uint8Array>

/** A transcript, or files that are none with the reason. */
export type FoundSource = ImportSource | { readonly reason: SkipReason; readonly count: number }

export interface FolderSources {
  readonly totalBytes: number
  readonly sources: AsyncIterable<FoundSource>
}

/**
 * Tells whether a folder holds transcripts of Claude Code: itself, or the folders of projects in it. A folder of notes has
 * Markdown at its top.
 */
export async function holdsTranscripts(folder: string): Promise<boolean> {
  const found = await readdir(folder, { withFileTypes: true })
  if (found.some((entry) => entry.isFile() && markdownFiles.ending.test(entry.name))) return false
  const inside = async (name: string): Promise<string[]> =>
    (await readdir(join(folder, name)).catch((): string[] => [])).map((each) => join(name, each))
  const tried = found.filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const { name } of found.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) tried.push(...(await inside(name)))
  for (const path of tried.filter((one) => transcriptFiles.ending.test(one)).slice(0, mostTried))
    if (await isTranscript(join(folder, path))) return true
  return false
}

async function isTranscript(file: string): Promise<boolean> {
  if ((await stat(file).catch(() => undefined))?.isFile() !== true) return false
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(detectBytes), 0, detectBytes, 0)
    return detectFormat(buffer.subarray(0, bytesRead)) === 'claude-code'
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
  for (const { file } of files) totalBytes += (await stat(file).catch(() => undefined))?.size ?? 0
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
