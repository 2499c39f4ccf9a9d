import { isRecord } from '../formats/values.ts'
import type { Tally } from '../reasons.ts'

/** The longest title, and the most of what stands in brackets behind it, in characters. */
const maxTitleChars = 200
const maxAboutChars = 90

/** The front matter that begins a note: YAML between `---`, or TOML between `+++`. The longest is 16,384 characters. */
const frontMatter = /^(---|\+\+\+)[ \t]*\n(?:([^]{0,16384}?)\n)??(?:\1|\.\.\.)[ \t]*(?:\n|$)/u
const heading = /^#[ \t]+([^\n]+)$/mu

/**
 * Returns a note's title, with the date and the tags of its front matter in brackets: the front matter's, or else the first
 * heading, or the first line behind a front matter. Undefined for a note that has none of them.
 */
export async function noteTitle(text: string, tally: Tally): Promise<string | undefined> {
  const [whole = '', mark, front = ''] = frontMatter.exec(text) ?? []
  const body = text.slice(whole.length)
  const fields = mark === undefined ? {} : await fieldsOf(mark, front, tally)
  const about = [dayOf(fields), tagsOf(fields)].filter((one) => one !== '').join('; ')
  const firstLine = whole === '' ? undefined : body.split('\n').find((line) => line.trim() !== '')
  const title = plain(fields['title']) || heading.exec(body)?.[1]?.trim() || firstLine?.trim() || ''
  const shown = `${cut(title, maxTitleChars)}${about === '' ? '' : ` (${cut(about, maxAboutChars)})`}`.trim()
  return shown === '' ? undefined : shown
}

/** Reads the fields of a front matter. One that cannot be read has none: its text stays in the note. */
async function fieldsOf(mark: string, front: string, tally: Tally): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = mark === '---' ? await yamlOf(front) : (await import('smol-toml')).parse(front)
    if (isRecord(value)) return value
    if (value === null || value === undefined) return {}
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  tally.repair('front matter unreadable')
  return {}
}

/** Loaded with the first front matter: a program without one does not pay for it. Aliases are refused, since few may make much. */
async function yamlOf(front: string): Promise<unknown> {
  const { parse } = await import('yaml')
  return parse(front, { schema: 'core', logLevel: 'error', maxAliasCount: 0 })
}

function dayOf(fields: Readonly<Record<string, unknown>>): string {
  const { date, created, updated } = fields
  return /^\d{4}-\d\d(?:-\d\d)?/u.exec(plain(date) || plain(created) || plain(updated))?.[0] ?? ''
}

function tagsOf({ tags, tag, keywords }: Readonly<Record<string, unknown>>): string {
  const given = tags ?? tag ?? keywords
  const list = Array.isArray(given) ? given.map(plain) : plain(given).split(/[\s,]+/u)
  return list
    .map((one) => one.replace(/^#/u, ''))
    .filter((one) => one !== '')
    .join(', ')
}

/** Returns a text, a number or a time as one line; '' for any other value. */
function plain(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value).replaceAll(/\s+/gu, ' ').trim()
}

function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}
