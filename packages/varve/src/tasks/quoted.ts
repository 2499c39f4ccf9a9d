import { closeFence, openFence, withoutFences } from '../messages/fence.ts'

// Whatever somebody takes for the end of a line: Unicode's and Python's separators as well.
const separators = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`
const breaks = new RegExp(String.raw`\r\n|[${separators}]`, 'g')
const blanks = new RegExp(String.raw`[\s${separators}]+`, 'g')

/**
 * Characters that a person does not see and a model reads: control characters, changes of direction, zero-width ones that no
 * script needs, Unicode's tags, and variation selectors in a row, in which a whole text can hide.
 */
const unseen = new RegExp(
  String.raw`[\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u200e\u200f\u202a-\u202e` +
    String.raw`\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|` +
    String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}`,
  'gu',
)

/** How far the lines of one item are set in. */
const inset = '  '

/** Remembered text as data: no fence of ours in it, nothing unseen, and its lines set in, so that none reads as an item of its own. */
export function quoted(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(breaks, `\n${inset}`)
}

/** A text of several lines, without what is not seen and without fences of ours. */
export function plainLines(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(breaks, '\n')
}

/** A name or a label within an item's head: one line, and none of the signs that the head is made of. */
export function quotedName(name: string): string {
  return withoutFences(name.replace(unseen, ''))
    .replace(/[()[\]:]/g, ' ')
    .replace(blanks, ' ')
    .trim()
}

/** A text in one line, without what is not seen. */
export function inOneLine(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(blanks, ' ').trim()
}

/** Items within the fence. Each begins a line with its number, and no other line of the fence begins with anything but blanks. */
export function fenced(items: readonly string[], mark: string): string {
  return [openFence(mark), ...items, closeFence(mark)].join('\n')
}
