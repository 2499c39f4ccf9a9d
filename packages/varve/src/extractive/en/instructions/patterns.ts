import type { InstructionPatterns } from '../../instructions/instruction-patterns.ts'
import { expanded, expressionsOf } from '../../instructions/templates.ts'
import { isPasted } from '../facts/traps.ts'
import { before, edits, headingWord, once, sayings, texts, pronounAlone, workAsked } from './guards.ts'
import { bareOpenings, openings, withdrawals } from './openings.ts'
import { parts } from './words.ts'
import { regex, source } from '../../word-lists.ts'

/** The first words of a clause that is no part of the instruction before it. */
const starter = source`(?:I|I'm|I've|I'll|I'd|we|we're|we've|my|our|he|she|they|it|it's|you|your|there|this|that|these|now|can|could|
  please|pls|then(?= (?:I|you|we|can|what|how)\b)|never|always(?!,?[.!]*$)|would|do|does|is|are|what|how|which|who|where|when|why|any|
  thanks|thank|let|if|don't|stop|use|tell|give|make|write|call|also|help|should|will|since|because|as|what's|how's)`

/** Words before an instruction, with or without a mark after them. */
const greetings = source`(?:hey|hi|hello|oh|ah|ok|okay|so|and|but|or|also|plus|then|well|yes|no,|yeah|right|great|thanks|thank you|thx|
  btw|by the way|fyi|ps|p\.s\.|one more thing|another thing|one thing|again|for future reference|first|second|third|finally|lastly|
  personally|honestly|small thing|actually|sure|good|perfect|nice|cool|please|pls|plz|kindly|note|important|reminder|rules?(?=:)|
  remember(?=[,:])|preferences?(?=:)|just(?= call)|quick note|for the record|in general(?=, I))`

/** The places where a clause begins. */
const joints: readonly string[] = [
  '[;:] ?(?:(?:and|but|so) )?',
  '[,(–—…] ?(?:so )(?:please )?',
  '[,(–—…] ?(?:(?:and|but|so|or|because|since|as|though|although) )?(?!(?:always|never)\\b)',
  ' so (?=(?:please )?{verb}\\b|(?:please )?(?:always|never)\\b)',
  ' - ',
  '[.!?] ',
  " (?:and|but|so|because|since|though|although) (?=(?:I|we|please|don't|do not|my|call me|you|from now)\\b)",
  ',? and (?=(?:keep|make|limit) (?:all )?your )',
  ' (?=my (?:\\p{L}+ )?preference for\\b)',
  ' (?=(?:like|as) (?:I|we) (?:usually |always |generally )?prefer\\b)',
]

/** The places where an instruction ends and other words begin. */
const turns: readonly string[] = [
  '[;(–—]',
  ' - ',
  `: (?=${starter}\\b)`,
  `, (?:and |but |so |or |because |since )?(?=${starter}\\b)`,
  ',? because\\b',
  ',? and (?=(?:keep|make|limit) (?:all )?your )',
  ', (?:so|but|since|as) ',
  " (?:and|but|so) (?=(?:I|we|please|always|never|don't|do not|call me|you|what|how|can|could|my|it|then)\\b)",
]

export const instructionPatterns: InstructionPatterns = {
  openings: expressionsOf(openings, parts),
  bareOpenings: expressionsOf(bareOpenings, parts),
  task: new RegExp(workAsked, 'iu'),
  withdrawals: expressionsOf(withdrawals, parts),
  lead: new RegExp(`^(?:${greetings}[,:!.…]* +)*`, 'iu'),
  request: new RegExp(
    expanded(
      '^(?:can|could|will|would) you (?:please |just |kindly |maybe )*(?=(?:always|never|stop(?!.* if )|call me|quit|keep (?:your|' +
        'all))\\b|[^?]{4,160} {lasting},?(?: please)?\\?)',
      parts,
    ),
    'iu',
  ),
  trail: /(?:[,.]? (?:please|pls|plz|thanks|thank you|thx|ok|okay|will you|alright|right)(?: (?:so much|a lot|again))?)+[.!?…]*$/iu,
  joint: new RegExp(expanded(joints.join('|'), parts), 'giu'),
  next: new RegExp(turns.join('|'), 'iu'),
  pointsBack: /^(?:(?:I|we) [\p{L} ]{0,20}?prefer (?:it|that|them)\b|(?:like|as) (?:I|we)\b)/iu,
  notStanding: new RegExp(`${once}|${sayings}|${pronounAlone}`, 'iu'),
  notOwn: new RegExp(before, 'iu'),
  ownColon: new RegExp(`^(?:\\b${headingWord}\\b[,: ]*)+$`, 'iu'),
  introduces: regex('iu')`\b(?:says?|states?|reads?|goes|begins|starts|contains|tells?(?: me| us)?|prints|texted|insists|
    orders)\b[^:]{0,40}:|\b(?:this|these|the following|following|below|attached|that|my|the|here is|
    here's)\b[^:]{0,80}\b${texts}\b[^:]{0,60}:|\b${edits}\b[^:]{0,60}:|\b(?:this|these|the following) (?:system )?(?:prompt|readme|
    config|guidelines|lint rules)\b`,
  introducesParagraph: new RegExp(`\\b${edits}\\b[^:]{0,80}\\b${texts}\\b|\\b${texts}\\b[^:]{0,40}\\b(?:below|following)\\b`, 'iu'),
  isUnmeant: isPasted,
}
