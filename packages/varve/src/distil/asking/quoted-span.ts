import { closeFence, openFence, withoutFences } from '../../messages/fence.ts'
import type { SourceMessage } from '../../models/writer.ts'

// Whatever somebody, or a model, takes for the end of a line.
const breaks = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g
// Escapes of terminals, and marks that turn the order of what is read: no words.
const unseen = /[\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]/g
const blanks = /[\s\x85]+/g

/** Messages as quoted data within a fence: one begins at each line that is not set in, `[seq] date name (role): text`. */
export function quotedSpan(messages: readonly SourceMessage[], mark: string): string {
  return `${openFence(mark)}\n${messages.map(messageLine).join('\n')}\n${closeFence(mark)}`
}

function messageLine({ seq, at, role, origin, name, text }: SourceMessage): string {
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const who = oneLine(name ?? role)
  return `[${seq}] ${when} ${who} (${origin === 'person' ? role : `${role}, ${origin}`}): ${setIn(text)}`
}

/** Other quoted data within a fence: a numbered line for each text. */
export function quotedLines(lines: readonly { readonly label: string; readonly texts: readonly string[] }[], mark: string): string {
  const quoted = lines.map(({ label, texts }) => [oneLine(label), ...texts.map((text) => `  - ${setIn(text)}`)].join('\n'))
  return `${openFence(mark)}\n${quoted.join('\n')}\n${closeFence(mark)}`
}

/** So that no line of it begins where an item does, and nothing in it closes the fence. */
function setIn(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(breaks, '\n    ')
}

export function oneLine(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(blanks, ' ').trim()
}
