import { folded } from './folded.ts'

/**
 * Tells whether a line would steer a later reader. Three kinds are found anywhere, reported or not: phrases that lift
 * instructions, marks of chat templates, and orders in the second person ("you must"). A true sentence about such a
 * message is lost too, so that no sentence carries it on. Orders such as "Respond only in …" and "From now on …" are
 * found only at the begin of a line: elsewhere they are reports. "Ada shortened the system prompt" and "asked the
 * assistant to answer in French" pass.
 */
export function speaksToReader(text: string): boolean {
  const line = folded(text)
  return liftsInstructions(text) || secondPerson.test(line) || orders.test(line.replace(opening, ''))
}

/** Tells whether a line would lift a later reader's own instructions: by such a phrase, a mark of a chat template, or a role. */
export function liftsInstructions(text: string): boolean {
  const line = folded(text)
  return lifting.some((pattern) => pattern.test(line)) || marks.test(line) || mixedWord.test(text) || role.test(line)
}

/** "Ignore all previous instructions", in the languages that are tried most: a verb and its object, near each other. */
const lifting: readonly RegExp[] = [
  new RegExp(
    String.raw`\b(?:ignor(?:e|es|ed|ing)|disregard\w*|overrid\w*|overrul\w*|bypass\w*|forget\w*|forgot\w*|` +
      String.raw`supersede\w*)\b.{0,60}\b(?:instructions?|prompts?|guidelines|directives|system message|` +
      String.raw`programming|(?:previous|prior|above|earlier|all) (?:\w+ )?(?:rules?|orders?|messages?|context|` +
      String.raw`text))\b`,
  ),
  /\bignorier\w*.{0,60}\b(?:anweisung\w*|instruktion\w*|vorgaben|regeln)/,
  new RegExp(
    String.raw`\b(?:ignor\w*|oubli\w*|olvid\w*|dimentic\w*|esque[cç]\w*|desconsider\w*).{0,60}\b(?:instruc\w*|` +
      String.raw`instru[cç]\w*|istruzion\w*|consignes|indicaciones)`,
  ),
  /(?:игнорир|забуд)\p{L}*.{0,60}(?:инструкц|указани|правил)/u,
  /zignoruj.{0,60}(?:instrukcj|polece)/,
  /(?:önceki|yukarıdaki).{0,40}talimat/,
  /(?:忽略|无视|無視|忘记|忘記).{0,20}(?:指令|指示|提示|说明|規則|规则)/,
  /(?:指示|命令|プロンプト|ルール).{0,12}(?:無視|忘れ)/,
  /(?:이전|위의).{0,12}(?:지시|명령).{0,8}무시/,
  /تجاهل.{0,40}(?:تعليمات|التعليمات|الأوامر)/,
  /(?:अनदेखा|नज़रअंदाज़).{0,20}निर्देश|निर्देश.{0,20}(?:अनदेखा|नज़रअंदाज़)/,
]

const marks = new RegExp(
  String.raw`<\|?[\w/ -]{2,30}\|?>|\[\/?(?:inst|system|assistant|user)\]|<<\/?sys>>|#{2,}\s*(?:system|` +
    String.raw`instruction|response|assistant|human|user)\b|\b(?:begin|end) of (?:data|memory|conversation|` +
    String.raw`prompt|system|the (?:data|memory|conversation|prompt))\b|\bend[_ -](?:data|prompt|memory)\b|` +
    String.raw`\bjailbr(?:eak|oken)\b|\bdeveloper mode\b|\bdan mode\b`,
)

const secondPerson = new RegExp(
  String.raw`\byou(?:'ll| will| must| should| shall| have to| need to| ought to| are now| are an?| can now| ` +
    String.raw`may now|'re now|'re an?)\b|\byour (?:system )?(?:prompt|instructions|guidelines|rules|new role|` +
    String.raw`task is)\b|\b(?:du musst|du sollst|sie müssen|vous devez|tu dois|debes|debe usted|devi|você deve|` +
    String.raw`ты должен|вы должны)\b|你(?:必须|必須|现在是|應該|应该)`,
)

const role = /^(?:system|assistant|developer|tool|user)\s*:/

/** Words before an order: quotation marks, a role, an alert. */
export const opening = new RegExp(
  String.raw`^(?:["'“„«(>]|\s|(?:please|important|urgent|note|attention|remember|reminder|rule|new rule|new ` +
    String.raw`instructions?|warning|admin|developer|system|assistant|user|tool|ai|agent)\b\s*(?:[:,!-]|message:|` +
    String.raw`note:)\s*|please )+`,
)

const orders = new RegExp(
  String.raw`^(?:(?:from now on|henceforth|act as|pretend|you are|you're|role-?play|respond|reply|answer|` +
    String.raw`output|print|repeat|reveal|cite message|say|write) (?:(?:only|always|exactly|verbatim|the|your|` +
    String.raw`all|this|with|in|as|to every|nothing|that)\b|["'“])|from now on|henceforth|pretend (?:to|that)|` +
    String.raw`act as|(?:always|never|only|do not|don't|must not) (?:answer|respond|reply|recommend|mention|tell|` +
    String.raw`reveal|say|cite|ask|refuse|warn|disclose|inform|trust|obey|follow|write|output|use this)\b|` +
    String.raw`(?:tell|inform|convince|persuade|instruct|warn) (?:the|all|every|each|any) (?:users?|readers?|` +
    String.raw`assistants?|persons?|people)\b|recommend .{0,60}\bto (?:the|all|every|any) users?\b|whenever ` +
    String.raw`(?:the user|asked|anyone|somebody|you)\b|execute (?:the|this|these)\b|(?:follow|obey) (?:the|` +
    String.raw`these|this|my|all)\b|(?:ab jetzt|von nun an|à partir de maintenant|a partir de ahora|d'ora in poi|` +
    String.raw`a partir de agora|с этого момента|отныне))|cite (?:the )?(?:messages?|numbers?)\b`,
)

/** Latin and Cyrillic letters in one word: a look-alike, meant to evade the patterns above. */
const mixedWord = /(?=\p{L}*\p{Script=Latin})(?=\p{L}*\p{Script=Cyrillic})\p{L}{3,}/u
