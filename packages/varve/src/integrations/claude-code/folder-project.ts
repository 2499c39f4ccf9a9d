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

/** Returns the repository of a worktree, whose `.git` is a file that names a folder within the repository's own. */
function mainOf(worktree: string): string | undefined {
  const [, stated] = /^gitdir: (.+?)\s*$/m.exec(readFileSync(join(worktree, '.git'), 'utf8')) ?? []
  const [, git] = /^(.*)[\\/]worktrees[\\/][^\\/]+$/.exec(stated === undefined ? '' : resolve(worktree, stated)) ?? []
  return git === undefined || basename(git) !== '.git' ? undefined : dirname(git)
}
