/** Longer than any phrase of time, in UTF-16 code units. */
const longest = 200

/** Words around a time that do not change it, in all languages that are read. */
const unsaid = new Set(
  [
    'a an the of on onward onwards in within at by since from until till til up to through during around about roughly ' +
      'approximately circa ca sometime some time back just only already exactly ever over again early mid late very or so and ' +
      'starting beginning as day date almost nearly more than earlier later',
    'im am an ab um bis seit zum zur den dem der die das etwa ungefähr circa schon erst anfang mitte ende von vom',
    'le la les l en au aux du de des depuis partir jusqu jusque jusqu’à à dès vers environ début mi fin',
    'el los las del desde hasta a partir hacia alrededor principios mediados finales',
    'il lo gli i dal dalla da nel nella fino verso circa dell della dello inizio metà',
    'o os em no na nos nas do da dos das até por volta início meados fim',
    'het de op sinds vanaf tot rond omstreeks begin half eind',
    'с со в во на до по к около примерно г год года году начале середине конце',
    'з із зі у від до рік року році початку середині кінці',
    'i på sedan från till kring omkring cirka den',
    'に から まで は の 頃 ごろ 从 從 在 到 自 于 於 的 以来 以來',
  ].flatMap((words) => words.split(' ')),
)

/** Words that tell no time: vague ones, repetitions, durations, and times beside another time. */
const untold = new RegExp(
  String.raw`^for (?!the )|\b(?:recent(?:ly)?|lately|while ago|long ago|soon|some ?day|one day|back then|other ` +
    String.raw`day|once|before|after|(?:earlier|later)(?! (?:this|today|in))|eventually|ages|when|if|not|never|` +
    String.raw`nor|every|each|daily|weekly|monthly|yearly|usually|always|often|sometimes|mondays|tuesdays|` +
    String.raw`wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays|few|several|many|some (?:days|` +
    String.raw`weeks|months|years)|ein paar|einige|quelques|unos|unas|algunos|algunas|alguns|algumas|alcuni|` +
    String.raw`alcune|qualche|enkele|några)\b|(?<!\p{L})(?:несколько|кілька|каждый|каждую|кожен|jeden|jede|jedes|` +
    String.raw`chaque|cada|ogni|elke|varje)(?!\p{L})|[数幾几每毎]`,
  'u',
)

/** Phrases with "before" or "after" that do tell a day; no others do. */
const aroundToday = /\bthe day (?:before yesterday|after tomorrow)\b/

/** 3/4 and 3.4.2026 are days of March in one country and of April in another. */
const twoWays = /(?<![\d/.:-])(\d{1,2})([/.-])(\d{1,2})(?:\2\d{2,4})?(?![\d:])/

/** Normalises a phrase: one form, lower case, single blanks, no quotation marks. Undefined for a phrase that tells no time. */
export function readablePhrase(phrase: string): string | undefined {
  if (phrase.length > longest) return undefined
  const text = phrase
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[“”"«»()!?]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.,;:]+$/, '')
    .replace(/\b(?:a )?fortnight\b/, 'two weeks')
  return text === '' || (untold.test(text) && !aroundToday.test(text)) ? undefined : text
}

/** Tells whether a phrase holds a date in figures that two countries read as different days. */
export function isReadTwoWays(text: string): boolean {
  const [, first, , second] = twoWays.exec(text) ?? []
  return first !== undefined && first !== second && Number(first) <= 12 && Number(second) <= 12
}

/** Tells whether only words around a time are left. Any other word would say another time. */
export function isUnsaid(rest: string): boolean {
  return (rest.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => unsaid.has(word))
}

const parts = new RegExp(
  String.raw`\b(?:(?:the )?(?:very )?(?:beginning|start|middle|end|first half|second half|first week|morning|` +
    String.raw`afternoon|evening|night) of|early|mid|late)\b[ -]?`,
  'g',
)

/** Removes the words around a time: "since the end of March" is about March. */
export function core(text: string): string {
  const words = text
    .replace(/\b(?:end|beginning|start|middle) of the (?=(?:week|month|year)\b)/g, 'this ')
    .replace(parts, '')
    .split(' ')
  let [first, last] = [0, words.length]
  while (first < last && unsaid.has(words[first] ?? '')) first += 1
  while (first < last && unsaid.has(words[last - 1] ?? '')) last -= 1
  return words.slice(first, last).join(' ')
}
