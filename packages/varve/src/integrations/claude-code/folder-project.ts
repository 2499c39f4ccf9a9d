import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The most characters of a folder's name in the name of its project. */
const mostOfName = 80

/** As a project: the project of the folder in which a program works. No project has this name. */
export const projectOfFolder = '.'

/** Names the project of the folder in which a program works. Claude Code tells its own to hooks and to MCP servers. */
export function projectHere(env: Readonly<Record<string, string | undefined>>, cwd = process.cwd()): string {
  return folderProject(env['CLAUDE_PROJECT_DIR'] || cwd)
}

/**
 * Names the project of a folder: the name of its repository's folder, and a part of a hash of the whole path, as in
 * `kiosk-1f0c7e3b`. Two folders of one name are two projects. A worktree belongs to the project of its repository.
 */
export function folderProject(folder: string): string {
  const root = repositoryOf(realpathSync(folder))
  const name = basename(root)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^\.+/, '')
    .slice(0, mostOfName)
  return `${name === '' ? 'folder' : name}-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`
}

/** Returns the folder of the repository that a folder belongs to; without one, the folder itself. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const git = statSync(join(at, '.git'), { throwIfNoEntry: false })
    if (git?.isDirectory() === true) return at
    if (git?.isFile() === true) return mainOf(at) ?? at
    if (dirname(at) === at) return folder
  }
}

/**
 * Returns the repository of a worktree, whose `.git` is a file that names a folder within the repository's own. Any folder may
 * come with a file that names another's repository. So that folder has to name the worktree as well: git alone writes there.
 */
function mainOf(worktree: string): string | undefined {
  const stated = shortText(join(worktree, '.git'))
  if (stated?.startsWith(mark) !== true) return undefined
  const admin = resolve(worktree, stated.slice(mark.length))
  const [worktrees, git] = [dirname(admin), dirname(dirname(admin))]
  if (basename(worktrees) !== 'worktrees' || basename(git) !== '.git') return undefined
  const back = shortText(join(admin, 'gitdir'))
  return back !== undefined && isSameFolder(dirname(resolve(admin, back)), worktree) ? dirname(git) : undefined
}

const mark = 'gitdir: '

/** The longest text that names a path: a prompt waits while it is read. */
const mostBytes = 8 * 1024

/** Reads a file of one path. Undefined where there is none, or a longer one. */
function shortText(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size <= mostBytes ? readFileSync(file, 'utf8').trimEnd() : undefined
}

function isSameFolder(one: string, other: string): boolean {
  const [here, there] = [one, other].map((folder) => statSync(folder, { bigint: true, throwIfNoEntry: false }))
  return here !== undefined && here.ino === there?.ino && here.dev === there.dev
}
