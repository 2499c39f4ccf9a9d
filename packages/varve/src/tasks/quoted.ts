import { defusedLines } from '../messages/defused.ts'
import { closeFence, openFence, withoutFences } from '../messages/fence.ts'
import { nameLine } from '../messages/shown-name.ts'

// Every character that some reader takes for the end of a line: Unicode's and Python's separators as well.
const separators = String.raw`\n\r\v\f\x1c-\x1e\x85\u2028\u2029`
const breaks = new RegExp(String.raw`\r\n|[${separators}]`, 'g')
const blanks = new RegExp(String.raw`[\s${separators}]+`, 'g')

/**
 * Characters that a person does not see and a model reads. These are control characters, changes of direction,
 * zero-width ones that no script needs, and Unicode's tags. Variation selectors in a row are too: a whole text can hide
 * in them.
 */
const unseen = new RegExp(
  String.raw`[\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u180e\u200b\u200e\u200f\u202a-\u202e` +
    String.raw`\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|` +
    String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}`,
  'gu',
)

/** The indent of an item's further lines. */
const inset = '  '

/**
 * Quotes remembered text as data. Nothing in it is a fence, a token of a chat template or unseen. Its lines are
 * indented, so that none reads as an item of its own.
 */
export function quoted(text: string): string {
  return defusedLines(text, inset)
}

/** Gives an answer's text of several lines, without unseen characters and without Varve's fences. */
export function plainLines(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(breaks, '\n')
}

/** Gives a name or a label for an item's head: one line, without the signs that the head is made of. */
export function quotedName(name: string): string {
  return nameLine(name)
    .replace(/[()[\]:：﹕︓⟦⟧]/g, ' ')
    .replace(blanks, ' ')
    .trim()
}

/** Puts an answer's text in one line, without unseen characters. */
export function inOneLine(text: string): string {
  return withoutFences(text.replace(unseen, '')).replace(blanks, ' ').trim()
}

/** Puts items in the fence. Each begins a line with its number; every other line of the fence begins with blanks. */
export function fenced(items: readonly string[], mark: string): string {
  return [openFence(mark), ...items, closeFence(mark)].join('\n')
}
