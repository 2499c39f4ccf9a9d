import { closeSync, openSync, writeSync } from 'node:fs'
import { Dialogue } from '../shared/dialogue.ts'

const conversationBytes = 5 * 1024 * 1024
const bytesPerNode = 500

/** Writes a ChatGPT export of about so many bytes, in conversations of 5 MB: far longer than most, since each is checked whole. */
export function writeExport(path: string, bytes: number): void {
  const dialogue = new Dialogue(2)
  const file = openSync(path, 'w')
  for (let written = 0, place = 0; written < bytes; place += 1) {
    written += writeSync(file, `${place === 0 ? '[' : ','}${JSON.stringify(conversation(`conversation-${place}`, dialogue))}`)
  }
  writeSync(file, ']')
  closeSync(file)
}

function conversation(id: string, dialogue: Dialogue): object {
  const said = dialogue.messages(Math.ceil(conversationBytes / bytesPerNode))
  const nodeId = (place: number): string => `${id}-node-${place}`
  const nodes = said.map(({ content, at }, place) => [
    nodeId(place),
    {
      id: nodeId(place),
      parent: place === 0 ? null : nodeId(place - 1),
      children: place === said.length - 1 ? [] : [nodeId(place + 1)],
      message: {
        id: nodeId(place),
        author: { role: place % 2 === 0 ? 'user' : 'assistant', name: null, metadata: {} },
        create_time: Number(at) / 1_000,
        content: { content_type: 'text', parts: [content] },
        metadata: {},
        recipient: 'all',
      },
    },
  ])
  return { id, title: id, create_time: 1_700_000_000, mapping: Object.fromEntries(nodes), current_node: nodeId(said.length - 1) }
}
