import { isMarkup, isNoStatement } from './cleaned-item.ts'
import { inOneLine } from './quoted.ts'
import { speaksToReader } from './speaks-to-reader.ts'

/** The most words of a predicate and of a subject. More are a sentence that passes for a name. */
const most = { predicate: 5, subject: 5 } as const

export type FormFault = 'form' | 'instruction'

/** The parts of a fact, each in one line. */
interface Parts {
  readonly subject: string
  readonly predicate: string
  readonly object: string
}

/** The head of a message, or the role that stands before a line of a chat. */
const head = /\[\d{1,9}\]|\(\s?(?:user|assistant|tool|system)\b|(?<![\p{L}\p{N}])(?:system|assistant|developer|user|tool|human)\s?:/iu
/** Words to the reader. A fact never tells of its reader. */
const toReader = /(?<![\p{L}\p{N}])(?:you|your|yours|yourself|please|kindly)(?![\p{L}\p{N}])/iu
const twoSentences = /(?<=[\p{L}\p{N}]{3})[.!?]\s\p{L}/u
const onlyWords = /^\p{L}[\p{L}\p{M}'’ -]*$/u
const noName = /[:;!?()[\]{}<>"“”=*|\\]/

/** Verbs in the imperative. A predicate has another form, and reports an action. */
const orders =
  "add|agree|allow|answer|append|approve|begin|call|change|cite|confirm|copy|create|decode|delete|disclose|do|don't|end|" +
  'execute|export|follow|forget|forward|give|grant|ignore|include|insert|keep|let|list|make|mention|never|obey|open|output|pay|' +
  'praise|print|put|recommend|refer|remember|remove|repeat|reply|respond|reveal|run|say|send|set|share|show|start|stop|' +
  'summari[sz]e|tell|transfer|treat|trust|update|use|warn|write'
const order = new RegExp(`^(?:${orders})(?![\\p{L}\\p{N}'’-])`, 'iu')
const orderOf = new RegExp(
  `^(?:${orders})\\s(?:a|an|the|this|that|these|those|all|any|every|each|only|nothing|it|them|him|her|me|everybody|everyone|` +
    `access|\\p{Nd})(?![\\p{L}\\p{N}])`,
  'iu',
)
/** Verbs of speaking. A request or a saying is no claim about the world. */
const speaking = new RegExp(
  String.raw`^(?:says?|said|tells?|told|asks?|asked|instruct(?:s|ed)?|orders?|ordered|commands?(?! for )|commanded|` +
    String.raw`requests?|requested|demands?|demanded|insists?|insisted|must|should|shall|has to|have to|needs to|` +
    String.raw`ought to)(?![\p{L}\p{N}'’-])`,
  'iu',
)

/** Words with which no predicate begins. */
const noVerb = /^(?:an?|the|and|or|but|if|when|that|this|to|of)(?: |$)/i

/** Finds a fault in the parts of a fact, each by itself and all together. */
export function factFault({ subject, predicate, object }: Parts): FormFault | undefined {
  if (
    !onlyWords.test(predicate) ||
    noVerb.test(predicate) ||
    wordCount(predicate) > most.predicate ||
    noName.test(subject) ||
    wordCount(subject) > most.subject
  )
    return 'form'
  if (order.test(predicate) || speaking.test(predicate)) return 'instruction'
  // "Plans to" takes a verb in that form.
  const said = / to$/i.test(predicate) ? spokenFault(object) : partFault(object)
  return (
    said ??
    partFault(subject) ??
    spokenFault(`${predicate} ${object}`.trim()) ??
    spokenFault(`${subject === '' ? 'somebody' : subject} ${predicate} ${object}`.trim())
  )
}

/** Finds a fault in one part: it must be words, without markup, a message's head, or a request to the reader. */
export function partFault(line: string): FormFault | undefined {
  return orderOf.test(line) ? 'instruction' : spokenFault(line)
}

function spokenFault(line: string): FormFault | undefined {
  if (line === '') return undefined
  return twoSentences.test(line) ? 'form' : toReader.test(line) ? 'instruction' : lineFault(line)
}

/**
 * Finds a fault in cited words. They may be several sentences, spoken to somebody, and begin with "I can't" as a
 * model's refusals do.
 */
export function quoteFault(words: string): FormFault | undefined {
  return lineFault(inOneLine(words), isMarkup)
}

function lineFault(line: string, isUnfit = isNoStatement): FormFault | undefined {
  // A redaction mark stands for a secret, and nobody said the mark.
  if (line.includes('[redacted:') || !/[\p{L}\p{N}]/u.test(line) || head.test(line) || isUnfit(line)) return 'form'
  return speaksToReader(line) ? 'instruction' : undefined
}

function wordCount(text: string): number {
  return text === '' ? 0 : text.split(/\s+/).length
}
