import { shown } from '../errors/shown.ts'
import { conformed, faultOf, type NotesPage, type NotesSection, readPage, writePage } from './page.ts'
import type { NotesSettings } from './settings.ts'

/** One call of the one tool that a writer of notes has. */
export interface NotesEdit {
  readonly tool: 'edit'
  readonly section: string
  /** The text in the section to replace. It must stand there exactly, and once. Absent or empty: the whole body. */
  readonly old?: string
  readonly text: string
}

/** A call that was refused: its place among the calls, from 1, and the reason, for its writer. */
export interface RefusedCall {
  readonly place: number
  readonly reason: string
}

export interface EditedNotes {
  readonly content: string
  readonly applied: number
  readonly refused: readonly RefusedCall[]
}

/** The most calls that are carried out. A model that repeats itself ends here. */
export const maxNotesCalls = 40

const fields: ReadonlySet<string> = new Set(['tool', 'section', 'old', 'text'])

/**
 * Applies the calls of a writer to a page, one after another, and checks the structure after each. A call that breaks
 * it, or that is no edit of a section, changes nothing and is refused with the reason. The others hold.
 *
 * @example editNotes(page, [{ tool: 'edit', section: 'Learnings', text: '- The cache is per tenant.' }], settings).content
 */
export function editNotes(content: string, calls: readonly unknown[], { template }: Pick<NotesSettings, 'template'>): EditedNotes {
  let page = writePage(conformed(content, template))
  const refused: RefusedCall[] = []
  let applied = 0
  for (const [at, call] of calls.slice(0, maxNotesCalls).entries()) {
    const edited = editOnce(page, call, template)
    if ('reason' in edited) refused.push({ place: at + 1, reason: edited.reason })
    else {
      page = edited.content
      applied += 1
    }
  }
  if (calls.length > maxNotesCalls)
    refused.push({
      place: maxNotesCalls + 1,
      reason: `only the first ${maxNotesCalls} calls are carried out, and there were ${calls.length}`,
    })
  return { content: applied === 0 ? content : page, applied, refused }
}

type Template = NotesSettings['template']
type Edited = { readonly content: string } | { readonly reason: string }

function editOnce(content: string, call: unknown, template: Template): Edited {
  const edit = editOf(call, template)
  if ('reason' in edit) return edit
  const page = readPage(content, template)
  const body = page.sections.find(({ heading }) => heading === edit.section)?.body ?? ''
  const replaced = replacedIn(body, edit, template)
  if ('reason' in replaced) return replaced
  const edited = writePage({
    ...page,
    sections: page.sections.map((section): NotesSection =>
      section.heading === edit.section ? { ...section, body: replaced.content } : section,
    ),
  })
  const reason = structureFault(page, edited, template)
  return reason === undefined ? { content: edited } : { reason: `it was not carried out, since after it ${reason}` }
}

function editOf(call: unknown, template: Template): NotesEdit | { readonly reason: string } {
  if (call === null || typeof call !== 'object' || Array.isArray(call))
    return { reason: `a call is an object { tool, section, old, text }, and this was ${shown(call)}` }
  const { tool, section, old, text }: Readonly<Record<string, unknown>> = { ...call }
  if (tool !== 'edit') return { reason: 'the only tool is "edit"' }
  if (Object.keys(call).some((field) => !fields.has(field)))
    return { reason: '"edit" takes section, old and text alone: nothing but the notes can be edited' }
  const known =
    typeof section === 'string'
      ? template.find(
          ({ heading }) =>
            heading.toLowerCase() ===
            section
              .replace(/^#+\s*/, '')
              .trim()
              .toLowerCase(),
        )
      : undefined
  if (known === undefined) return { reason: `there is no such section; there are: ${template.map(({ heading }) => heading).join('; ')}` }
  if (typeof text !== 'string' || !text.isWellFormed() || text.includes('\0'))
    return { reason: `"text" is the new text, and this was ${shown(text)}` }
  if (old !== undefined && old !== null && typeof old !== 'string')
    return { reason: `"old" is the text to replace, and this was ${shown(old)}` }
  return { tool, section: known.heading, text, ...(typeof old === 'string' && old !== '' ? { old } : {}) }
}

function replacedIn(body: string, { section, old, text }: NotesEdit, template: Template): Edited {
  if (old === undefined) return { content: withoutHead(text, section, template) }
  const times = body.split(old).length - 1
  if (times === 0) return { reason: `"old" does not stand in the section "${section}": copy it exactly, line breaks and blanks included` }
  if (times > 1) return { reason: `"old" stands ${times} times in the section "${section}": take in more of what is around it` }
  return { content: body.replace(old, () => text).trim() }
}

/** Removes the heading and the guidance from a new body, in case the writer copied them. */
function withoutHead(text: string, section: string, template: Template): string {
  const guidance = template.find(({ heading }) => heading === section)?.guidance ?? ''
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n')
  if (lines[0]?.trim().toLowerCase() === `# ${section}`.toLowerCase()) lines.shift()
  if (guidance !== '' && lines[0]?.replaceAll(/^[_*\s]+|[_*\s]+$/g, '') === guidance) lines.shift()
  return lines.join('\n').trim()
}

/** Finds the damage of an edit: the sections must be the same, in their order, each with its guidance. */
function structureFault(before: NotesPage, edited: string, template: Template): string | undefined {
  const fault = faultOf(edited, template)
  if (fault !== undefined) return fault
  const after = readPage(edited, template).sections.map(({ heading }) => heading)
  const added = after.find((heading, place) => heading !== before.sections[place]?.heading)
  if (added !== undefined) return `there is a section "${added}" that the page does not have: use headings of a lower rank within a section`
  return after.length === before.sections.length ? undefined : 'a section is gone: is a block of code left open before it?'
}
