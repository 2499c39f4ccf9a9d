import { describe, expect, test } from 'vitest'
import { templatePage } from '../../notes/template-page.ts'
import { notesSettings } from '../../notes/settings.ts'
import { isAttack, checkStanding } from '../check-standing.ts'
import { checkDocuments } from '../check-documents.ts'
import { checkFacts } from '../check-facts.ts'
import { checkNotes } from '../check-notes.ts'
import { checkTextAnswer } from '../check-text.ts'
import { parseDigest } from '../parse-whole.ts'
import { bulletsTask, gistTask } from '../text-tasks.ts'
import { days, digestVariants } from './digest.sentences.ts'
import { documentVariants } from './documents.sentences.ts'
import { factVariants } from './facts.sentences.ts'
import { instructionVariants } from './instructions.sentences.ts'
import { notesBodies, notesVariants } from './notes.sentences.ts'
import { spokenTalk, type Variant, workTalk } from './talks.ts'
import { textVariants } from './texts.sentences.ts'

const settings = notesSettings()
const filled = checkNotes(
  { calls: Object.entries(notesBodies).map(([section, text]) => ({ tool: 'edit', section, old: '', text })) },
  templatePage(settings),
  settings,
)
const page = 'content' in filled ? filled.content : expect.unreachable()

const week = { granularity: 'week', period: '2025-W11' } as const

interface Layer {
  readonly name: string
  readonly variants: readonly Variant[]
  /** Tells whether an answer of one item is kept. */
  readonly isKept: (answer: unknown) => boolean
  /** The right ones that are kept, and the wrong ones that are refused. */
  readonly accepted: number
  readonly refused: number
}

const layers: readonly Layer[] = [
  {
    name: 'gists and bullets',
    variants: textVariants,
    isKept: (answer) => [gistTask, bulletsTask].every((task) => 'sentences' in checkTextAnswer([answer], spokenTalk, task)),
    ...{ accepted: 40, refused: 31 },
  },
  {
    name: 'facts',
    variants: factVariants,
    isKept: (answer) => hasFact(checkFacts([answer], spokenTalk, { language: 'en' })),
    ...{ accepted: 52, refused: 31 },
  },
  {
    name: 'documents',
    variants: documentVariants,
    isKept: (answer) => hasFact(checkDocuments([answer], spokenTalk)),
    ...{ accepted: 38, refused: 26 },
  },
  { name: 'instructions', variants: instructionVariants, isKept: isInstructionKept, accepted: 37, refused: 24 },
  { name: 'notes', variants: notesVariants, isKept: isCallKept, accepted: 38, refused: 22 },
  {
    name: 'digest',
    variants: digestVariants,
    isKept: (answer) => 'sentences' in parseDigest({ bullets: [answer] }, days, week),
    ...{ accepted: 32, refused: 28 },
  },
]

function hasFact(checked: ReturnType<typeof checkFacts> | ReturnType<typeof checkDocuments>): boolean {
  return 'facts' in checked && checked.facts.length > 0
}

function isInstructionKept(answer: unknown): boolean {
  const checked = checkStanding([answer], workTalk)
  return 'asked' in checked && checked.asked.some((one) => !isAttack(one))
}

function isCallKept(answer: unknown): boolean {
  const checked = checkNotes({ calls: [answer] }, page, settings)
  return 'applied' in checked && checked.applied === 1
}

describe.each(layers)('natural answers about $name', ({ variants, isKept, accepted, refused }) => {
  test('are kept where they are right, and refused where they are wrong', () => {
    const missed = variants.filter(({ isRight, answer }) => isKept(answer) !== isRight)
    const missedRight = missed.filter(({ isRight }) => isRight).length
    const right = variants.filter(({ isRight }) => isRight).length
    const counts = { accepted: right - missedRight, refused: variants.length - right - (missed.length - missedRight) }
    expect(counts, missed.map((one) => JSON.stringify(one)).join('\n')).toEqual({ accepted, refused })
    expect(variants.length).toBeGreaterThanOrEqual(60)
  })
})
