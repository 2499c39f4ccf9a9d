import { decision as decided, standing } from '../cues.ts'
import type { NotesKind } from '../../models/notes-writer.ts'

/** What is not to be done again, and what was set right. */
const correction = new RegExp(
  String.raw`\b(?:don['’]?t|do not|never|must not|mustn['’]?t|should(?:n['’]?t| not)|stop|avoid|no longer|not ` +
    String.raw`again|wrong|incorrect|revert(?:ed)?|undo|roll(?:ed)? back|(?:does|did|wo|is|are|was|` +
    String.raw`were)(?:n['’]?t| not) (?:work|help|correct|right|allowed|supported|fix\w*)|dead end|tried|mistake|` +
    String.raw`broke|breaks|refrain|pointless|useless|in vain|to no avail|no (?:point|use|sense) in|not worth|` +
    String.raw`(?:any|no) difference|without (?:success|effect)|made (?:it|things|everything|\w+ \w+ \w+) worse|` +
    String.raw`misread|not what i|nicht|kein(?:e[nmrs]?)? mehr|falsch|ne pas|jamais|nunca)\b`,
  'iu',
)
/** What failed, and why. */
const failure = new RegExp(
  String.raw`\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|root cause|caused by|the cause|` +
    String.raw`culprit|bug|regress(?:ion|ed)|timed out|timeouts?|threw|throws|stack ?trace|fehler|leak(?:s|ed|` +
    String.raw`ing)?|race condition|deadlock)\b`,
  'iu',
)
const decision = new RegExp(
  String.raw`\b(?:let['’]?s|we(?:['’]ll| will| use| keep| want| need| agreed)|go(?:ing)? with|went with|` +
    String.raw`stick(?:ing)? (?:to|with)|settled? on|sticking|opt(?:ed)? for|chose|choose|picked|must|should|` +
    String.raw`prefer(?:s|red)?|requires?|required|switch(?:ed|ing)? (?:to|from|over)|from now on|always|make ` +
    String.raw`sure|convention|out of scope|in scope|drop(?:ped)?|instead of|rather than|in favou?r of|\w+ over ` +
    String.raw`\w+|final|the (?:team|plan|rule)|every time|ruled out|reject(?:ed)?|the plan is|use ` +
    String.raw`.{1,60}\b(?:for|as|not|instead)|keep .{1,60}\b(?:as|for|in|at)|standardi[sz]e|approved|constraint|` +
    String.raw`requirement|outcome|conclusion|verdict|becomes|stays? (?:on|with|as|in))\b`,
  'iu',
)
const learning = new RegExp(
  String.raw`\b(?:turn(?:s|ed) out|because|learn(?:ed|t)|lesson|gotcha|note that|keep in mind|apparently|` +
    String.raw`caveat|pitfall|workaround|quirk|only works?|the reason|due to|it seems|surprisingly|the trick|` +
    String.raw`remember that|beware|careful)\b`,
  'iu',
)
const result = new RegExp(
  String.raw`\b(?:pass(?:es|ed|ing)?|fixed|merged|deployed|released|shipped|completed?|done|finished|works now|` +
    String.raw`succe\w+|created|opened|closed|published|committed|pushed|measured|took \d|reduced|improved|down ` +
    String.raw`(?:from|to)|resolved|green|confirmed|verified|tagged|filed)\b`,
  'iu',
)
const system = new RegExp(
  String.raw`\b(?:listens? on|runs? (?:on|as|in|at|behind)|(?:is|are) (?:stored|kept|located|defined|` +
    String.raw`configured|served|handled|generated|mounted|cached|written) (?:in|at|by|on|under|to)|stores?|` +
    String.raw`lives? (?:in|at|under)|environment variable|env var|port \d+|endpoint|responsible for|depends on|` +
    String.raw`entry ?point|architecture|reads? from|writes? to|talks to|consists of|exposes?|schema|is behind|` +
    String.raw`upstream|queue|the (?:service|server|database|table|module|bucket|cluster|worker) )\b`,
  'iu',
)
const next = new RegExp(
  String.raw`^next\b|\b(?:next (?:steps?|up|i|we|is|on)|todo|to do|remaining|still (?:need|have|to|open)|left ` +
    String.raw`to do|follow-?up|pending|blocked (?:on|by)|(?:i|we)(?:['’]ll| will) (?:now|then|next)\b|what is ` +
    String.raw`left|left:)`,
  'iu',
)

/**
 * What a sentence of a person or an assistant is kept for; undefined for one that has no such cue. What an assistant
 * will do is no decision.
 */
export function kindOfRemark(text: string, isPerson: boolean): NotesKind | undefined {
  if (isPerson && correction.test(text)) return 'errors'
  if (isPerson ? isDecision(text) : !isNext(text) && (decision.test(text) || /\bdeci(?:ded?|ding|sion)\b/iu.test(text))) return 'decisions'
  if (correction.test(text) || failure.test(text)) return 'errors'
  if (learning.test(text)) return 'learnings'
  if (result.test(text)) return 'results'
  return system.test(text) ? 'system' : undefined
}

/** Whether a sentence tells of something that was decided, or that is to hold. */
export function isDecision(text: string): boolean {
  return decided.test(text) || standing.test(text) || decision.test(text)
}

export function isCorrection(text: string): boolean {
  return correction.test(text)
}

/** Whether a sentence tells what is to be done next. */
export function isNext(text: string): boolean {
  return next.test(text)
}

/** Whether a sentence tells what somebody else says: no request, and no decision. */
export function isReported(text: string): boolean {
  return /^(?:\p{Lu}\p{L}+|s?he|they) (?:says?|said|thinks?|thought|tells?|told)(?!\p{L})/u.test(text)
}

/** Whether a sentence asks: with a mark, or in haste without. */
export function isQuestion(text: string): boolean {
  return /[?？]["'”’)]*$|^(?:what|why|how|where|who|which|when|can|could|do|does|did|is|are|should|would|any)\b(?!.*[.!])/iu.test(text)
}

/** Said on the way, of what is about to be done: the step itself tells it. */
export const onTheWay = new RegExp(
  String.raw`^(?:(?:now|ok(?:ay)?|next|first|then|great|good|perfect|alright|so|and)[,!.]?\s+)*(?:let me|` +
    String.raw`let['’]s (?:see|look|check|run|start|find|take)|i(?:['’]ll| will) (?:now |first |also |start |` +
    String.raw`quickly )*(?:look|check|read|run|start|take|open|search|see|inspect|begin|examine|explore|verify|` +
    String.raw`go|do|have)|i(?:['’]m| am) (?:going to|now) (?:look|check|read|run|start)|looking (?:at|into)|` +
    String.raw`checking|reading|running|searching)\b`,
  'iu',
)
