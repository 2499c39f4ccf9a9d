import type { InstructionPatterns } from '../../instructions/instruction-patterns.ts'
import { expanded, expressionsOf } from '../../instructions/templates.ts'
import { isPasted } from '../facts/traps.ts'
import { bareOpenings, openings, withdrawals } from './openings.ts'
import { parts } from './words.ts'

/** The first words of a clause that is no part of the instruction before it. */
const starter =
  "(?:I|I'm|I've|I'll|I'd|we|we're|we've|my|our|he|she|they|it|it's|you|your|there|this|that|these|now|can|could|please|pls|" +
  'then(?= (?:I|you|we|can|what|how)\\b)|never|always(?!,?[.!]*$)|would|do|does|is|are|what|how|which|who|where|when|why|any|' +
  "thanks|thank|let|if|don't|stop|use|tell|give|make|write|call|also|help|should|will|since|because|as|even|what's|how's)"

const greetings =
  '(?:hey|hi|hello|oh|ah|ok|okay|so|and|but|or|also|plus|then|well|yes|no,|yeah|right|great|thanks|thank you|thx|btw|by the way|' +
  'fyi|ps|p\\.s\\.|one more thing|another thing|one thing|again|for future reference|first|second|third|finally|lastly|personally|' +
  'honestly|small thing|' +
  'actually|sure|good|perfect|nice|cool|please|pls|plz|kindly|note|' +
  'important|reminder|rules?(?=:)|remember(?=[,:])|preferences?(?=:)|just(?= call)|quick note|for the record|in general(?=, I))'

/** One answer, one text, one time. */
const once =
  '(?:\\b(?:this|that|these|those|the (?:next|following)) (?:one|time|answer|reply|response|question|exercise|letter|mail|e-?mail|' +
  'text|list|ad|summary|task|message|essay|story|poem|paragraph|section|part|case|snippet|function|file|test|script|report|article|' +
  'post|draft|week|month|morning|evening|afternoon|weekend|round|first|recipe|trip|scene|chapter)\\b|' +
  '\\b(?:in|for|with|on|about) (?:this|that|these|those)[.!]*$|' +
  '\\b(?:just (?:this )?once|for (?:now|today|tonight)|right now|(?:not )?yet[.!]*$|below|above|tomorrow|tonight)\\b)'

/** Sayings between persons. */
const sayings =
  '(?:^(?:never|always) (?:mind|again|say (?:never|goodbye)|look (?:on|back|up)|give (?:up|in|your (?:all|best))|let|forget|' +
  'keep (?:smiling|going|fighting|your (?:head|chin))|stop(?! (?:using|asking|adding))|ask a|end|add up|believe|trust|change|dream|' +
  'hope|stay|cherish|regret|doubt|underestimate|settle|lose|hear|see|smell|miss|need|enjoy|like|seem|remember(?! to)|take for|love|' +
  'live|know|wonder|think|feel|happen|come|want|look|' +
  'apologi[sz]e for (?:being|who)|use to|' +
  'be (?:yourself|afraid|sorry)|have to|do (?:that|it))\\b|' +
  '(?<!\\b(?:repeat|repeating|limit|restrict|explain|explaining) )\\byourself\\b|\\bkeep (?:up|in touch|me posted)\\b|' +
  '\\bremind (?:me|us) of (?!my|our)|\\bmake (?:me|us|my)\\b|\\byour (?:heart|dreams?|best|life|gut|instincts?)\\b|[={}])'

const workers =
  '(?:write|draft|compose|create|generate|make|build|design|prepare|plan|develop|translate|summari[sz]e|rewrite|edit|proofread|implement|' +
  'code|give|list|set up|outline|find|compile|produce|turn|convert|put together|come up with|suggest|recommend|invent|prepare|craft|' +
  'shorten|paraphrase|rephrase)'

/** A request for a piece of work. */
const work =
  `(?:^|[.!?,;:] |\\b(?:you|please|me|to|and|let's|need to|want to) )${workers} (?:me |us |up )?(?:an?|the|my|our|some|this|that|` +
  `these|two|three|four|` +
  "five|six|seven|eight|nine|ten|twenty|\\d+) \\p{L}|\\bI (?:need|want|'d like) an? (?:\\p{L}+ ){0,3}" +
  '(?:letter|mail|e-?mail|poem|story|speech|essay|report|summary|list|plan|recipe|name|limerick|song|slogan|text|script|function|' +
  'draft|toast|outline)\\b'

/** Somebody else's words, a supposition, a question, one occasion. */
const before =
  '\\b(?:says?|said|saying|told|tells?|texted|asked|asks|wrote|writes|orders?|reads?|goes|shouted|thinks?|states?|insists?|wants?(?= us)|' +
  'motto|mantra|slogan|lyrics|song|line|(?:he|she|they) (?:like|want|prefer)s?)\\b[^,;.!?]{0,60}[^\\p{L}]*$|' +
  '\\b(?:imagine|suppose|pretend|what if|whether|wish|dreamt?|according to|as (?:they|we|people) say|hypothetically)\\b|' +
  '^(?:if|unless|(?:should|do|does|did) (?:i|you|we))\\b|' +
  '(?:^|[.;!] )(?:for|in|on|with) (?:this|that|these|the next|the following|today)\\b[^,]{0,60}, ?$|' +
  '\\b(?:this time|just this once)[,:] ?$'

/** Words of a heading over instructions: `from now on, in your answers:`. */
const heading =
  '(?:and|also|so|ok|okay|one|a|an|the|our|chats?|conversations?|talks?|small|last|final|hi|hey|hello|another|more|two|three|few|' +
  'some|my|important|please|quick|general|standing|for|you|to|in|on|' +
  'from|now|always|your|answers?|replies|remember|note|rules?|reminder|preferences?|instructions?|requests?|things?|ps|btw|fyi|' +
  'keep|mind|going|forward|future|here|are|is|follow|these|style|guidelines?|of|all)'

const texts =
  '(?:prompt|readme|config|e-?mail|mail|letter|text|message|article|essay|paragraph|draft|note|post|story|poem|lyrics|code|snippet|' +
  'file|document|transcript|comment|sentence|speech|ad|instructions?|policy|guide|recipe|terms|script)'

const edits =
  '(?:proofread|translate|summari[sz]e|paraphrase|rewrite|rephrase|shorten|edit|improve|review|fix|correct|check|analy[sz]e|critique|' +
  'comment on|polish|simplify|classify)'

const joints: readonly string[] = [
  '[;:] ?(?:(?:and|but|so) )?',
  '[,(–—…] ?(?:so )(?:please )?',
  '[,(–—…] ?(?:(?:and|but|so|or|because|since|as|though|although) )?(?!(?:always|never)\\b)',
  ' so (?=(?:please )?{verb}\\b|(?:please )?(?:always|never)\\b)',
  ' - ',
  '[.!?] ',
  " (?:and|but|so|because|since|though|although) (?=(?:I|we|please|don't|do not|my|call me|you|from now)\\b)",
  ' (?=my (?:\\p{L}+ )?preference for\\b)',
  ' (?=(?:like|as) (?:I|we) (?:usually |always |generally )?prefer\\b)',
]

const turns: readonly string[] = [
  '[;(–—]',
  ' - ',
  `: (?=${starter}\\b)`,
  `, (?:and |but |so |or |because |since )?(?=${starter}\\b)`,
  ',? because\\b',
  ', (?:so|but|since|as) ',
  " (?:and|but|so) (?=(?:I|we|please|always|never|don't|do not|call me|you|what|how|can|could|my|it|then)\\b)",
]

export const instructionPatterns: InstructionPatterns = {
  openings: expressionsOf(openings, parts),
  bareOpenings: expressionsOf(bareOpenings, parts),
  task: new RegExp(work, 'iu'),
  withdrawals: expressionsOf(withdrawals, parts),
  lead: new RegExp(`^(?:${greetings}[,:!.…]* +)*`, 'iu'),
  request: new RegExp(
    expanded(
      '^(?:can|could|will|would) you (?:please |just |kindly |maybe )*(?=(?:always|never|stop(?!.* if )|call me|quit)\\b|' +
        '[^?]{4,160} {lasting},?(?: please)?\\?)',
      parts,
    ),
    'iu',
  ),
  trail: /(?:[,.]? (?:please|pls|plz|thanks|thank you|thx|ok|okay|will you|alright|right)(?: (?:so much|a lot|again))?)+[.!?…]*$/iu,
  joint: new RegExp(expanded(joints.join('|'), parts), 'giu'),
  next: new RegExp(turns.join('|'), 'iu'),
  pointsBack: /^(?:(?:I|we) [\p{L} ]{0,20}?prefer (?:it|that|them)\b|(?:like|as) (?:I|we)\b)/iu,
  notStanding: new RegExp(`${once}|${sayings}`, 'iu'),
  notOwn: new RegExp(before, 'iu'),
  ownColon: new RegExp(`^(?:${heading}[,: ]*)+$`, 'iu'),
  introduces: new RegExp(
    '\\b(?:says?|states?|reads?|goes|begins|starts|contains|tells?(?: me| us)?|prints|texted|insists|orders)\\b[^:]{0,40}:|' +
      `\\b(?:this|these|the following|following|below|attached|that|my|the|here is|here's)\\b[^:]{0,80}\\b${texts}\\b[^:]{0,60}:|` +
      `\\b${edits}\\b[^:]{0,60}:|` +
      '\\b(?:this|these|the following) (?:system )?(?:prompt|readme|config|guidelines|lint rules)\\b',
    'iu',
  ),
  introducesParagraph: new RegExp(`\\b${edits}\\b[^:]{0,80}\\b${texts}\\b|\\b${texts}\\b[^:]{0,40}\\b(?:below|following)\\b`, 'iu'),
  isUnmeant: isPasted,
}
