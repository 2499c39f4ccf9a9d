import { isIdleCondition } from './asides.ts'
import { isLaughedAt } from './laughs.ts'
import type { SentencePassage } from './passages.ts'
import { regex } from '../../word-lists.ts'

/** Messages that are not meant literally: jokes, sarcasm, stories, role-play, dreams. */
const unserious = [
  regex('iu')`\b(?:yeah,? right|yeah,? sure|oh great|just great|sarcas\p{L}*|april fool\p{L}*)\b|(?:^|\s)\/s(?:\s|$)|\bnot!|
    [\u{1F644}\u{1F643}\u{1F61C}\u{1F92A}\u{1F609}]`,
  regex('iu')`\b(?:my (?:novel|characters?|story|protagonist|hero|heroine|play|screenplay)|in (?:the|this|a|our|my|that) (?:game|novel|
    story|book|film|movie|dream|script|poem|song|tale|play|campaign)|role-?play(?:ing)?|pretend(?:ing)?|let'?s say|hypothetical(?:ly)?|
    for the sake of argument|help (?:me )?with (?:the|my|our|a) (?:pitch|plot|synopsis)|act as|
    play the (?:role|part)|in character|fictional|make-believe)\b`,
  regex('iu')`\b(?:you are|you're|you be) (?:a|an|my|the) (?:\p{L}+ )?(?:doctor|nurse|teacher|pirate|customer|waiter|expert|chef|lawyer|
    wizard|knight|king|queen|robot|bot|assistant|coach|therapist|landlord|patient|recruiter|interviewer)\b`,
  regex('iu')`\b(?:(?:this|that|the following) (?:sentence|text|paragraph)|these sentences|how (?:do|would) (?:you|i|we) say|
    what does (?:this|that|it) mean|grammar|proofread\p{L}*|(?:paraphrase|rephrase|rewrite)(?! (?:the|our|my|that) (?!(?:following|sentence|
    text|line|paragraph)\b)\p{L})|translate (?:this(?! (?:module|function|class|script|config|file|recipe|page|form)\b)|the following|it|
    into)|classify|sentiment|(?:use|take) (?:this|the following|these) as)\b`,
  regex('iu')`\b(?:write|continue|invent|make up|tell)(?: me| us)? (?:an?|the|another) (?:\p{L}+ )?(?:story|poem|song|monologue|dialogue|
    scene|novel|script|sketch|fairy tale)\b`,
  /\bi (?:had an? (?:\p{L}+ )?dream|dreamt|dreamed)\b|\*\p{Ll}+s [^*\n]{2,60}\*/iu,
]

/** Pasted letters and mails, with the sign-off of their writer. */
const pasted = [
  /^dear (?:[^\n]{1,60}[,:]?\s*$|(?:sirs?|madam|mr|mrs|ms|hiring|team)\b)/imu,
  regex('imu')`^(?:(?:best|kind|warm|many|with kind) (?:regards|wishes)|regards|sincerely|yours(?: \p{L}+)?|best|cheers|
    love)[,.]?\s{0,4}\n\s{0,4}\p{Lu}`,
  /^-{2,}\s?(?:forwarded|original) message|^(?:from|subject|sent): \S|\bon .{4,80} wrote:$/imu,
]

/** Words before a colon that say: the rest is not said by me, or not about me. */
const introduces = regex('iu')`\b(?:lyrics|letters?|e-?mails?|messages?|poem|song|verse|caption|text|line|sentence|phrase|quote|slogan|
  story|paragraph|translate|translation|proofread|rewrite|rephrase|reads?|wrote|writes?|writing|goes|say|says|said|saying|told|reply|
  replied|repeat|fix|correct|draft|summari[sz]e|example|role|joke|card|note|sign|post|tweet|thinks|thought|thinking)\b`

const reported = regex(
  'u',
)`\b(?<!\b(?:[Nn]obody|[Nn]o one) )(?:said|says|told(?! you\b)|tells|asked|asks|wrote|writes|replied|answered|shouted|
  claimed|thinks|thought|believes|believed|insists|insisted|joked|swore|[Aa]ccording to|[Aa]s they say|[Aa]s the saying goes|(?:he|she|
  they|who|\p{Lu}\p{Ll}+) (?:goes|replies|answers|claims|jokes|swears))\b`
const unreal = regex('iu')`\b(?:imagine|imagining|suppose|supposing|supposedly|presumably|wish|hopefully|theoretically|in theory|
  perhaps|maybe|apparently|allegedly|probably|possibly|not sure|unsure|whether|hoping|fingers crossed|in another (?:life|world)|almost|
  nearly|as if|as though)\b|, I (?:think|guess|believe|assume)\b`
const conditionalBeginning = regex('iu')`^(?:and |but |so |or )?(?:if|unless|whenever|when|once|suppose|say|assuming|in case|had I|
  were I|as an? [\p{L}-]+,|as a (?:child|kid))(?!\p{L})`
const tag = regex('iu')`^(?:right|correct|no|yes|ok|okay|huh|eh|innit|or not|or what|(?:do|don't|does|doesn't|is|isn't|am|aren't|are|
  have|haven't|did|didn't|was|wasn't)(?: (?:I|it|that|we|she|he|they|not)){1,2})\s?[?!]*$`
const asks = regex('iu')`^(?:and |so |but )?(?:what|what's|which|where|where's|how|how's|who|who's|when|why|can|could|do|does|is|are|any|
  should|will|would|shall|may|is there|are there|have you|did)\b`

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
const noSpeaker = regex('iu')`^(?:correction|update|remember|reminder|note|fyi|ps|btw|also|fact|facts|info|context|background|me|intro|
  decided|agreed|decision|deadline|email|phone|address|ok|okay|so|and|hi|hello|hey|news|question|answer|warning|important|plan|yes|no)$`
const speaker = /^(\p{Lu}\p{L}{0,20})(?: \p{Lu}\p{L}{0,20})?: /u

const ownNote = /^(?:note|reminder|memo)(?: for later| to self| for you| for the future)?: /iu
const ownMail = /^(?:(?:my|our|new) )?e-?mail(?: address)?: [^\s@]{1,64}@/iu

/** Tells whether the words after a sentence, or after its colon, are somebody else's. */
export function introducesOthers({ text }: SentencePassage): boolean {
  const colon = text.search(/:(?= |$)| [–—-] |[–—]/u)
  const named = speaker.exec(text)?.[1]
  if (ownMail.test(text) || ownNote.test(text)) return false
  return (colon >= 0 && introduces.test(text.slice(0, colon))) || (named !== undefined && !noSpeaker.test(named))
}

/** Tells whether a sentence tells of something that is not so, or may not be so. */
export function isUnreal({ text, isJoke }: SentencePassage): boolean {
  return isJoke || isLaughedAt(text) || isImagined(text)
}

/** Tells whether a sentence reports somebody's words or thoughts. */
export function isHearsay({ text }: SentencePassage): boolean {
  return isReportedIn(text)
}

export function isReportedIn(text: string): boolean {
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
