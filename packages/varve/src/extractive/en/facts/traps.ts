import { isIdleCondition } from './asides.ts'
import { isLaughedAt } from './laughs.ts'
import type { SentencePassage } from './passages.ts'

/** Messages that are not meant literally: jokes, sarcasm, stories, role-play, dreams. */
const unserious = [
  new RegExp(
    String.raw`\b(?:yeah,? right|yeah,? sure|oh great|just great|sarcas\p{L}*|april fool\p{L}*)\b|(?:^|` +
      String.raw`\s)\/s(?:\s|$)|\bnot!|[\u{1F644}\u{1F643}\u{1F61C}\u{1F92A}\u{1F609}]`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:my (?:novel|characters?|story|protagonist|hero|heroine|play|screenplay)|in (?:the|this|a|our|` +
      String.raw`my|that) (?:game|novel|story|book|film|movie|dream|script|poem|song|tale|play|campaign)|` +
      String.raw`role-?play(?:ing)?|pretend(?:ing)?|let'?s say|hypothetical(?:ly)?|for the sake of argument|act as|` +
      String.raw`play the (?:role|part)|in character|fictional|make-believe)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:you are|you're|you be) (?:a|an|my|the) (?:\p{L}+ )?(?:doctor|nurse|teacher|pirate|customer|` +
      String.raw`waiter|expert|chef|lawyer|wizard|knight|king|queen|robot|bot|assistant|coach|therapist|landlord|` +
      String.raw`patient|recruiter|interviewer)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:(?:this|that|the following) (?:sentence|text|paragraph)|these sentences|how (?:do|would) ` +
      String.raw`(?:you|i|we) say|what does (?:this|that|it) mean|grammar|proofread\p{L}*|paraphrase|rephrase|` +
      String.raw`rewrite|translate (?:this|the following|it|into)|classify|sentiment|(?:use|take) (?:this|the ` +
      String.raw`following|these) as)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:write|continue|invent|make up|tell)(?: me| us)? (?:an?|the|another) (?:\p{L}+ )?(?:story|` +
      String.raw`poem|song|monologue|dialogue|scene|novel|script|sketch|fairy tale)\b`,
    'iu',
  ),
  /\bi (?:had an? (?:\p{L}+ )?dream|dreamt|dreamed)\b|\*\p{Ll}+s [^*\n]{2,60}\*/iu,
]

/** Pasted letters and mails, with the sign-off of their writer. */
const pasted = [
  /^dear [^\n]{1,60}[,:]?\s*$/imu,
  new RegExp(
    String.raw`^(?:(?:best|kind|warm|many|with kind) (?:regards|wishes)|regards|sincerely|yours(?: \p{L}+)?|best|` +
      String.raw`cheers|love)[,.]?\s{0,4}\n\s{0,4}\p{Lu}`,
    'imu',
  ),
  /^-{2,}\s?(?:forwarded|original) message|^(?:from|subject|sent): \S|\bon .{4,80} wrote:$/imu,
]

/** Words before a colon that say: the rest is not said by me, or not about me. */
const introduces = new RegExp(
  String.raw`\b(?:lyrics|letters?|e-?mails?|messages?|poem|song|verse|caption|text|line|sentence|phrase|quote|` +
    String.raw`slogan|story|paragraph|translate|translation|proofread|rewrite|rephrase|reads?|wrote|writes?|` +
    String.raw`writing|goes|say|says|said|saying|told|reply|replied|repeat|fix|correct|draft|summari[sz]e|` +
    String.raw`example|role|joke|card|note|sign|post|tweet|thinks|thought|thinking)\b`,
  'iu',
)

const reported = new RegExp(
  String.raw`\b(?<!\b(?:[Nn]obody|[Nn]o one) )(?:said|says|told|tells|asked|asks|wrote|writes|replied|answered|` +
    String.raw`shouted|claimed|thinks|thought|believes|believed|insists|insisted|joked|swore|[Aa]ccording to|` +
    String.raw`[Aa]s they say|[Aa]s the saying goes|(?:he|she|they|who|\p{Lu}\p{Ll}+) (?:goes|replies|answers|` +
    String.raw`claims|jokes|swears))\b`,
  'u',
)
const unreal = new RegExp(
  String.raw`\b(?:imagine|imagining|suppose|supposing|supposedly|presumably|wish|hopefully|theoretically|in ` +
    String.raw`theory|perhaps|maybe|apparently|allegedly|probably|possibly|not sure|unsure|whether|hoping|` +
    String.raw`fingers crossed|almost|nearly|as if|as though)\b|, I (?:think|guess|believe|assume)\b`,
  'iu',
)
const conditionalBeginning = new RegExp(
  String.raw`^(?:and |but |so |or )?(?:if|unless|whenever|when|once|suppose|say|assuming|in case|had I|were I|` +
    String.raw`as an? [\p{L}-]+,|as a (?:child|kid))(?!\p{L})`,
  'iu',
)
const tag = new RegExp(
  String.raw`^(?:right|correct|no|yes|ok|okay|huh|eh|innit|or not|or what|(?:do|don't|does|doesn't|is|isn't|am|` +
    String.raw`aren't|are|have|haven't|did|didn't|was|wasn't)(?: (?:I|it|that|we|she|he|they|not)){1,2})\s?[?!]*$`,
  'iu',
)
const asks = new RegExp(
  String.raw`^(?:and |so |but )?(?:what|what's|which|where|where's|how|how's|who|who's|when|why|can|could|do|` +
    String.raw`does|is|are|any|should|will|would|shall|may|is there|are there|have you|did)\b`,
  'iu',
)

/** Tells whether nothing in a message is meant literally. */
export function isUnserious(raw: string): boolean {
  return isPasted(raw) || matchesAny(unserious, raw)
}

/** Tells whether a message holds a letter or a mail with its greeting or its sign-off. */
export function isPasted(raw: string): boolean {
  return matchesAny(pasted, raw)
}

function matchesAny(patterns: readonly RegExp[], raw: string): boolean {
  const read = raw.length <= 16_000 ? raw : `${raw.slice(0, 12_000)}\n${raw.slice(-4_000)}`
  const straight = read.replaceAll('’', "'")
  return patterns.some((pattern) => pattern.test(straight))
}

/** Words before a colon that name no speaker: `Correction: I live in …`. */
const noSpeaker = new RegExp(
  String.raw`^(?:correction|update|remember|reminder|note|fyi|ps|btw|also|fact|facts|info|context|background|` +
    String.raw`me|intro|decided|agreed|decision|deadline|email|phone|address|ok|okay|so|and|hi|hello|hey|news|` +
    String.raw`question|answer|warning|important|plan|yes|no)$`,
  'iu',
)
const speaker = /^(\p{Lu}\p{L}{0,20})(?: \p{Lu}\p{L}{0,20})?: /u

const ownMail = /^(?:(?:my|our|new) )?e-?mail(?: address)?: [^\s@]{1,64}@/iu

/** Tells whether the words after a sentence, or after its colon, are somebody else's. */
export function introducesOthers({ text }: SentencePassage): boolean {
  const colon = text.search(/:(?= |$)| [–—-] |[–—]/u)
  const named = speaker.exec(text)?.[1]
  if (ownMail.test(text)) return false
  return (colon >= 0 && introduces.test(text.slice(0, colon))) || (named !== undefined && !noSpeaker.test(named))
}

/** Tells whether a sentence tells of something that is not so, or may not be so. */
export function isUnreal({ text, isJoke }: SentencePassage): boolean {
  return isJoke || isLaughedAt(text) || unreal.test(text) || conditionalBeginning.test(text)
}

/** Tells whether a sentence reports somebody's words or thoughts. */
export function isHearsay({ text }: SentencePassage): boolean {
  return isReported(text)
}

export function isReported(text: string): boolean {
  return reported.test(text)
}

/** Tells whether a clause is about something that may not be so, or depends on a condition. */
export function isImagined(text: string): boolean {
  return unreal.test(text) || conditionalBeginning.test(text)
}

/**
 * Counts the clauses of a sentence, from the first on, that state something plainly: those before a question, and none
 * after an `if`.
 */
export function plainClauses({ clauses, isQuestion }: SentencePassage): number {
  const condition = clauses.findIndex(({ joint, text }) => /\b(?:if|unless|whenever)$/u.test(joint) && !isIdleCondition(text))
  // The clause right before an `if` depends on it: `I like it hot, if at all`. A clause before that does not.
  const plain = condition < 0 ? clauses.length : condition - 1
  const last = clauses.at(-1)
  if (!isQuestion || last === undefined) return plain
  // `I work at Acme now, so deliver there?` states the first clause and asks about the second.
  const asking = clauses.findIndex(({ text, joint }, at) => at > 0 && (asks.test(text) || /(?:^|, )so$/u.test(joint)))
  return tag.test(last.text) || asking < 0 ? 0 : Math.min(plain, asking)
}
