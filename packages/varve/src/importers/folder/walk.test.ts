import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { markdownFiles, walkFolder } from './walk.ts'

/** The system opens this folder for root, and then refuses to list it. Who may list it has no such folder. */
const refusing = '/proc/1/map_files'
const isRefused = await readdir(refusing).then(
  () => false,
  () => true,
)

test.runIf(isRefused)('a folder that cannot be read to its end is counted, and ends no import', async () => {
  const { left } = await walkFolder('/proc/1', markdownFiles)
  expect(left.get('cannot be read')).toBeGreaterThan(0)
})
