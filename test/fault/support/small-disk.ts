import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** Every Linux has both commands; where they may not be used, the test is skipped. */
const commands = { mount: 'mount', umount: 'umount' }
const diskBytes = 4 * 1024 * 1024

/** A small file system. */
export interface Disk extends Disposable {
  readonly path: string
  /** Makes it as many times as large as it was at first. */
  grow(times: number): void
  /** The reason why there is no disk. */
  readonly refused?: string
}

const nothing = { grow: () => undefined, [Symbol.dispose]: () => undefined }

/** Makes a file system of a few megabytes, in memory; needs root. */
export function smallDisk(path: string): Disk {
  mkdirSync(path)
  if (process.platform !== 'linux') return { path, refused: 'a small disk is made with tmpfs, on Linux', ...nothing }
  const mounted = spawnSync(commands.mount, ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', path], { encoding: 'utf8' })
  if (mounted.status !== 0) return { path, refused: `mount: ${(mounted.stderr || String(mounted.error)).trim()}`, ...nothing }
  return {
    path,
    grow: (times) => void spawnSync(commands.mount, ['-o', `remount,size=${times * diskBytes}`, path]),
    [Symbol.dispose]: () => void spawnSync(commands.umount, ['-l', path]),
  }
}
