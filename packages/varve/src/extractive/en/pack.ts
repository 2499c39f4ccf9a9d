import type { LanguagePack } from '../language-pack.ts'
import { phrases } from '../word-lists.ts'
import { cues } from './cues.ts'
import { subjectFacts } from './documents/subject-facts.ts'
import { instructionEndings } from './instructions/endings.ts'
import { instructionPatterns } from './instructions/patterns.ts'
import { remarks } from './remarks.ts'
import { smallTalk } from './small-talk.ts'
import { statedFacts } from './stated-facts.ts'
import { thirdPerson } from './third-person.ts'

export const english: LanguagePack = {
  language: 'en',
  cues,
  smallTalk,
  abbreviations: phrases(String.raw`Dr, Mr, Mrs, Ms, Prof, St, Jr, Sr, vs, No, etc, e\.g, i\.e, approx`),
  remarks,
  thirdPerson,
  facts: statedFacts,
  subjects: subjectFacts,
  instructions: instructionPatterns,
  endings: instructionEndings,
}
