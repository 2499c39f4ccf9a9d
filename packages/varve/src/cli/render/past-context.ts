import type { UserMemory } from '../../memory/user-memory.ts'
import { counted, harmless, harmlessLine, minute, paint, paragraph } from '../terminal.ts'

type PastContexts = UserMemory['contexts']
type ListedContext = Awaited<ReturnType<PastContexts['list']>>[number]
type ShownPastContext = Awaited<ReturnType<PastContexts['get']>>
type Comparison = Awaited<ReturnType<PastContexts['compare']>>
type TierOfComparison = Comparison['tiers'][number]
type Difference = TierOfComparison['cameIn'][number]

/** The most of a line that a comparison shows, in UTF-16 code units. */
const mostShown = 70

/** The most items that a comparison lists for one tier and one change. */
const mostCompared = 20

/** Shows a context in one line: its time, size and session. */
export function contextHeadLine({ id, at, tokens, maxTokens, items, forgotten, session }: ListedContext): string {
  const gone = forgotten === 0 ? '' : `, ${forgotten} forgotten since`
  const where = session === undefined ? '' : `  ${paint('cyan', harmlessLine(session))}`
  return `${paint('dim', id)}  ${minute(at)}  ${tokens} of ${counted(maxTokens, 'token')}, ${counted(items, 'item')}${gone}${where}`
}

/** Shows a past context: its line, each tier as the model saw it, and what was left out. */
export function pastContextParts(context: ShownPastContext, width: number | undefined): string[][] {
  const verdict = context.isSame ? 'the text is as it was' : 'marks in brackets stand where something is gone or has changed'
  const persona = context.sections.find(({ tier }) => tier === 'persona')
  return [
    [contextHeadLine(context), paint('dim', verdict)],
    ...(persona === undefined ? [] : [[paint('dim', `a persona of ${counted(persona.tokens, 'token')} came first; its text is not kept`)]]),
    ...context.sections
      .filter(({ tier }) => tier !== 'persona')
      .map(({ tier, tokens, text, items }) => [
        `${paint('bold', tier)}  ${counted(tokens, 'token')}, ${counted(items.length, 'item')}`,
        ...paragraph(harmless(text), { indent: '   ', width }),
      ]),
    ...(context.omitted.length === 0 ? [] : [context.omitted.map(({ tier, count, reason }) => `left out of ${tier}: ${count}, ${reason}`)]),
  ]
}

/** Shows two contexts side by side, tier by tier. */
export function comparisonParts({ first, second, isSameQuestion, tiers }: Comparison): string[][] {
  return [
    [contextHeadLine(first), contextHeadLine(second), paint('dim', isSameQuestion ? 'the same question' : 'two questions')],
    ...tiers.map(comparedLines),
  ]
}

function comparedLines({ tier, cameIn, fellOut, changed, stayed }: TierOfComparison): string[] {
  return [
    `${paint('bold', tier)}  ${stayed} stayed, ${cameIn.length} came in, ${fellOut.length} fell out, ${changed.length} changed`,
    ...someLines('+', cameIn),
    ...someLines('-', fellOut),
    ...someLines('~', changed),
  ]
}

function someLines(sign: string, items: readonly Difference[]): string[] {
  const more = items.length - mostCompared
  return [
    ...items.slice(0, mostCompared).map((item) => itemLine(sign, item)),
    ...(more > 0 ? [`   ${sign} … ${counted(more, 'more item')}`] : []),
  ]
}

function itemLine(sign: string, { kind, text, ...item }: Difference): string {
  const line = text === undefined ? `(${kind})` : shortened(harmlessLine(text.trim()))
  return `   ${sign} ${line}  ${paint('yellow', whyInWords(item))}`
}

function shortened(line: string): string {
  return line.length <= mostShown
    ? line
    : `${line
        .slice(0, mostShown)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}

const words: Readonly<Record<Difference['why'], string>> = {
  new: 'stored after the other',
  forgotten: 'forgotten since',
  gone: 'deleted or written anew since',
  superseded: 'it no longer held',
  rewritten: 'it has other words',
  'other-part': 'another part of it is shown',
  'state-ended': 'it tells that a state ended',
  'left-out': 'left out',
  'ranked-below': 'ranked below the last that got in',
  'not-found': 'the other question did not find it',
  'not-asked': 'the tier was off',
  moved: 'it is in another tier',
  'turns-moved-on': 'the talk went on',
  'other-session': 'another session',
  unknown: 'unknown',
}

function whyInWords({ why, reason, score, least, tier }: Pick<Difference, 'why' | 'reason' | 'score' | 'least' | 'tier'>): string {
  if (why === 'left-out') return `left out: ${reason ?? ''}`
  if (why === 'moved') return `it is in ${tier ?? 'another tier'}`
  return why === 'ranked-below' && least !== undefined && score !== undefined ? `${words[why]} (${score} here, ${least} there)` : words[why]
}
