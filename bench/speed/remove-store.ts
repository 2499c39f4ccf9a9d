import { rmSync } from 'node:fs'

export function removeStore(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true })
}
