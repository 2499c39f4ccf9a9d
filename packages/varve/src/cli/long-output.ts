import { plainJson } from '../messages/plain-json.ts'
import { shell } from './shell.ts'

/** Writes a text of a long output, and waits while its reader is behind: what waits to be read takes memory. */
export async function printPiece(text: string): Promise<void> {
  const { stdout } = shell()
  if (stdout.destroyed || stdout.write(text)) return
  await new Promise<void>((resolve) => {
    const ends = ['drain', 'close', 'error'] as const
    const done = (): void => {
      for (const name of ends) stdout.off(name, done)
      resolve()
    }
    for (const name of ends) stdout.on(name, done)
  })
}

/**
 * Prints one object as a line of JSON. One of its fields is a list that is written item by item, since the whole may be
 * larger than memory. The fields after it are asked when the list has ended.
 */
export async function printJsonList<Item>(before: object, field: string, items: AsyncIterable<Item>, after: () => object): Promise<void> {
  const begin = plainJson(JSON.stringify(before)).slice(0, -1)
  await printPiece(`${begin}${begin === '{' ? '' : ','}${JSON.stringify(field)}:[`)
  let isFirst = true
  for await (const item of items) {
    await printPiece(`${isFirst ? '' : ','}${plainJson(JSON.stringify(item))}`)
    isFirst = false
  }
  const end = plainJson(JSON.stringify(after())).slice(1)
  await printPiece(`]${end === '}' ? '' : ','}${end}\n`)
}
