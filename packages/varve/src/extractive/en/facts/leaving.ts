import { personIn, workplaceIn } from './objects.ts'
import { ends, type Said, type Setting } from '../../facts/said.ts'
import { workplaces } from './words.ts'
import { regex } from '../../word-lists.ts'

const dismissed = regex('u')`^(?:have )?(?:just |finally |recently )?(?:(?:got|been|was|were|am) (?:fired|sacked|laid off|let go|
  made redundant|dismissed)|got the (?:sack|boot|axe)|lost my (?:job|position))(?: (?:by|from|at|with) (.+))?$`
const resigned = /^(?:have )?(?:just |finally |recently )?(?:quit|resigned|retired|given up my job|gave up my job)(?: (?:from|at) (.+))?$/u
const idle = /^am (?:now |recently |newly |currently |officially )?(?:retired|unemployed|jobless|out of work|out of a job|between jobs)$/u
const there = regex('u')`^(?:(?:am )?no longer work(?:ing)?|(?:don't|do not) work|(?:have )?stopped working|am not working|
  used to work) (?:there|for them|at that place)(?: any ?more| any longer)?$|^(?:have )?(?:quit|left) (?:that|this|the|my) (?:job|
  position|company|firm)$`
const quit = /^(?:have )?(?:just |finally )?(?:quit|left|resigned from|walked out of|moved on from) (.+)$/u
const leaving = /^(?:am|will be) (?:leaving|quitting|resigning from|finishing at|done at) (.+)$/u
const noFirm = regex('iu')`^(?:work|home|school|it|this|that|them|him|her|you|us|everything|early|soon|now|here|there|tomorrow|behind|
  for .*|in .*|on .*|at .*|to .*|by .*|with .*|my .*|our .*|your .*|a .*|an .*)$`

/** Reads the end of somebody's work at a place. It may lie on a day to come. */
export function leavings(phrase: string, { who, isAhead, isTechnical }: Setting): Said[] {
  if (who === 'we') return []
  const gone = dismissed.exec(phrase) ?? resigned.exec(phrase)
  if (gone?.[1] !== undefined) return ends('works at', employerIn(gone[1]))
  if (gone !== null) return phrase.endsWith('quit') && isTechnical ? [] : ends('works at', '')
  if (idle.test(phrase) || there.test(phrase)) return ends('works at', '')
  const left = quit.exec(phrase)?.[1]
  const isNameless = phrase.startsWith('quit') && /^(?:the|my) (?:\p{L}+ )?\p{L}+$/u.test(left ?? '') && isWorkplace(left ?? '')
  if (left !== undefined) return ends('works at', isNameless ? '' : employerIn(left))
  const later = isAhead ? leaving.exec(phrase)?.[1] : undefined
  if (later === undefined) return []
  if (/^(?:my|the) (?:job|position|company|firm)$/u.test(later)) return ends('works at', '', 'future')
  const isCalled = isWorkplace(later) || (/^\p{Ll}{3,20}$/u.test(later) && !noFirm.test(later))
  return ends('works at', employerIn(later) ?? (isCalled ? later.replace(/^(?:the|my) /u, '') : undefined), 'future')
}

function employerIn(text: string): string | undefined {
  const firm = noFirm.test(text) ? undefined : workplaceIn(text)
  // Of `Tom at the station` only a part would be read: nobody left a firm.
  return firm === undefined || !text.endsWith(firm) ? undefined : firm
}

function isWorkplace(text: string): boolean {
  const last = text.split(' ').at(-1)?.toLowerCase() ?? ''
  return workplaces.has(last) || /^(?:infirmary|surgery|practice|ward|nhs|agency|bar|pub)$/u.test(last)
}

const lastDay = /^my (?:very )?last (?:working )?day (?:at work|in the office|(?:(?:at|with) (.+?))|at the job|) ?(is|was|will be)$/iu
const gone = /^(\p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?) (?:has )?(?:just )?(?:quit|resigned|retired)$/u

/** Reads `my last day at Acme is` a day; `Tomas quit`. */
export function lastDays(clause: string, when: string | undefined): Said[] {
  const last = when === undefined ? null : lastDay.exec(clause)
  if (last !== null) return ends('works at', last[1] === undefined ? '' : employerIn(last[1]), last[2] === 'was' ? 'past' : 'future')
  const subject = personIn(gone.exec(clause)?.[1] ?? '')
  return subject === undefined ? [] : ends('works at', '').map((said) => ({ ...said, subject }))
}
