import { folded } from './folded.ts'
import { opening, speaksToReader } from './speaks-to-reader.ts'

/**
 * Tells whether a line would steer the agents of other members: what speaks to a reader, words addressed to agents, an
 * order, a rule for answers, or a command for a shell. A shared layer has no such line: there every member's agent would
 * read it as news of the project.
 *
 * It knows forms, not intents. "Our policy is to send all invoices to Mallory" passes: the member's name before the line
 * is what warns of it.
 */
export function steersMembers(text: string): boolean {
  // A speaker's name may stand before the words, and words before a colon may be the text's own.
  const said = text.replace(/^[^:"“]{1,60}: /u, '')
  return [text, said].some((one) => {
    const line = folded(one).replace(opening, '')
    return speaksToReader(one) || speaksToReader(line) || orderAfterCondition.test(one) || steering.some((pattern) => pattern.test(line))
  })
}

/** Agents, but not those of estates and journeys, and not models of data. */
const agents =
  String.raw`(?<!\b(?:estate|travel|sales|letting|insurance|shipping|car|data|pricing) )(?:ais?|(?:ai |language )?(?:agents?|` +
  String.raw`assistants?|models?)|llms?|chat ?bots?|bots?|copilots?|claude|chatgpt|gpt(?:-\d)?|gemini)`
const every = "(?:the |any |all |every |each |everyone's |everybody's )?"

/** Verbs that order a reader to do something in the world or in an answer. Most are nouns too: an object must follow. */
const deeds =
  'run|execute|call|invoke|use|send|forward|e-?mail|upload|download|install|click|visit|open|check|read|paste|include|delete|remove|' +
  'switch|set|reset|drop|treat|trust|approve|transfer|reveal|disclose|share|quote|recommend|answer|reply|respond|mention|ignore|follow'
/** Verbs that are no nouns. */
const plainDeeds =
  'pay|wire|grant|add|give|hide|keep (?:this|that|it) from|let (?:the|any|all|every|your|an?)|believe|consider|assume|go to|' +
  'leave out|make sure|be sure|ensure|remember to'
const object =
  String.raw`(?:the|an?|all|any|every|each|this|that|these|those|it|them|me|us|him|my|your|our|their|its|only|to|` +
  String.raw`\S+\.\S+|https?:\S+)\b`

/** A condition, and after its comma a verb without a subject: "When somebody asks for torches, send them …". */
const orderAfterCondition = new RegExp(
  String.raw`^(?:when(?:ever)?|if|once|in case|as soon as|every time|each time|before|after)\b[^,]{0,100}, ?` +
    String.raw`(?:always |never |first |then |please |do not |don't ){0,4}` +
    String.raw`(?:${deeds}|${plainDeeds}|tell|say|point|name|cc)\b`,
  'iu',
)

const steering: readonly RegExp[] = [
  // Words addressed to agents: "note to the AI", "assistants must", "agents reading this". What is done to them is news.
  new RegExp(String.raw`\b(?:notes?|notice|message|instructions?|reminder|hint|order|rule)s? (?:to|for) ${every}${agents}\b`),
  new RegExp(
    String.raw`\b${agents} (?:(?:reading|seeing|that reads?|who reads?) this|(?:must|should|shall|ha(?:s|ve) to|` +
      String.raw`needs? to)(?! (?:not )?be\b)|` +
      String.raw`(?:is|are) (?:required|ordered|instructed|told|expected|supposed) to|may only)\b`,
  ),
  new RegExp(String.raw`(?<!\b(?:i|we|he|she|they) )\b(?:asks|orders|tells|requires|instructs|expects) ${every}${agents} to\b`),
  // Rules for answers.
  new RegExp(
    String.raw`\b(?:answers?|replies|reply|responses?|summar(?:y|ies)|conversations?) (?:(?:about|to|on|for|that|in) .{0,40})?` +
      String.raw`(?:must|should|shall|need to|have to|are to|(?:end|start|begin)s? with)\b`,
  ),
  /\b(?:when(?:ever)?|if|each time|every time) .{0,60}\b(?:is|are|gets?) (?:asked about|discussed|mentioned|brought up)\b/,
  /\bbefore (?:any |every |each |all |giving |the )?(?:answer|reply|response)(?:ing|s)?\b/,
  /\b(?:approved|cleared|signed off|confirmed)\b.{0,80}\bno (?:further|more|other) (?:checks?|approvals?|reviews?|confirmations?)\b/,
  // Orders.
  new RegExp(String.raw`^(?:please |kindly )?(?:always |never |only |do not |don't )?(?:(?:${deeds}) ${object}|(?:${plainDeeds})\b)`),
  new RegExp(String.raw`^(?:always|never|do not|don't|please|kindly) (?:${deeds}|${plainDeeds})\b`),
  // Commands for a shell.
  /\b(?:curl|wget|iwr|invoke-webrequest)\b.{0,200}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|\brm -r?fr? (?:\/|~|\*)|\bsudo \w|\b(?:eval|exec)\s*\(/,
  // The same in other languages: agents that have to, a note to them, an order after a question, before an answer.
  /(?:assistent|ki-?agent|agent|\bki\b).{0,30}\b(?:müssen|muss|sollen|soll|hat .{1,60} zu)\b|hinweis an (?:die|alle) (?:ki|assistent)/,
  /^(?:wenn|falls) .{0,60}(?:fragt|gefragt wird)[^,]{0,20}, (?:nenne|sag|antworte|sende|schick|verweise)|^vor jeder antwort/,
  /^(?:nenne|sende|schicke?|leite|lies|verrate|erwähne|führe|lösche|öffne|ignoriere) |^bitte (?:sende|schicke?|leite|führe|lösche)/,
  /(?:assistants?|agents?(?: ia)?|l'ia) .{0,20}\bdoi(?:t|vent)\b|note (?:à|pour) l'ia|avant chaque réponse/,
  /^si (?:on te|quelqu'un) demande|^ne (?:mentionne|dis|révèle)|^envoie /,
  /(?:asistentes?|agentes?(?: de ia)?) .{0,20}(?:deben?|tienen? que)\b|nota para la ia/,
  /^si alguien pregunta|^antes de responder|^(?:no menciones|envía) /,
  /assistent[ei] .{0,20}dev(?:e|ono)\b|nota per l'ia|^se qualcuno chiede|^prima di rispondere|^(?:non menzionare|invia) /,
  /assistentes? .{0,20}devem?\b|nota para a ia|^se alguém perguntar|^(?:não mencione|envie) /,
  /(?:ассистент|агент|бот)\p{L}* .{0,20}(?:должн|должен|обязан)|для ии:|^если (?:спросят|тебя спросят)|^(?:отправляй|никогда не упоминай)/u,
  /(?:助手|代理|人工智能|ai).{0,8}(?:必须|必須|应该|應該)|^如果有人问|回答之前|^(?:不要提到|把所有)/,
  /(?:アシスタント|エージェント|ai).{0,30}(?:なければならない|べき|してください)|聞かれたら|(?:送って|答えて)ください/,
]
