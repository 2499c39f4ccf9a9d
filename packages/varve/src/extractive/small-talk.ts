// Interjections that may stand before what is said, with a mark after them. Yes and no are left: they can be the answer.
const interjections = [
  'wow',
  'whoa',
  'yeah',
  'yep',
  'yup',
  'yay',
  'oh',
  'ooh',
  'ah',
  'aw+',
  'hey(?: there)?',
  'hi(?: there)?',
  'hello(?: there)?',
  'thanks(?: a lot| a bunch| a ton| so much| again)?',
  'thank you(?: so much)?',
  'thx',
  'cool',
  'great',
  'nice',
  'awesome',
  'amazing',
  'sweet',
  'well',
  'sure(?: thing)?',
  'ok',
  'okay',
  'absolutely',
  'totally',
  'definitely',
  'exactly',
  'of course',
  'haha+',
  'lol',
  'congrats',
  'congratulations',
  'by the way',
  'btw',
  'anyway',
  'actually',
  'honestly',
  'on another note',
  'me too',
  'same here',
  'mm+',
  'yum',
  "that['’]s (?:great|awesome|cool|amazing)",
  'you know',
  'i mean',
  'good (?:morning|evening|afternoon|to see you)',
  'please',
  'sorry',
  'hmm+',
  'um+',
  'glad to hear it',
  'for sure',
  'no worries',
  'no problem',
  'hallo',
  'guten (?:morgen|tag|abend)',
  'danke(?: schön)?',
  'genau',
  'na ja',
  'naja',
  'ach',
  'super',
  'klar',
  'bitte',
  'übrigens',
  'servus',
  'moin',
  'bonjour',
  'salut',
  'merci(?: beaucoup)?',
  'ah bon',
  'bien sûr',
  'au fait',
  'coucou',
  'bonsoir',
  'hola',
  'gracias',
  'muchas gracias',
  'buenos días',
  'buenas(?: tardes| noches)?',
  'claro',
  'vale',
  'por cierto',
  'genial',
  'perfecto',
].join('|')
const leading = new RegExp(`^(?:${interjections})(?:\\s*[,!.…:–—]+\\s*|\\s+[-–—]+\\s*)`, 'iu')
const vocative = new RegExp(`^(?:(?:${interjections}),?\\s+)?(\\p{L}+)\\s*[,!.:–—]+\\s*`, 'iu')

/** Words of politeness alone make no statement, in the languages that are most met. */
const politeness = new Set([
  ...(
    'hi hello hey there good morning afternoon evening night day bye goodbye see you later soon thanks thank lot much so very ' +
    'again welcome cheers ok okay sure yes no yeah yep nope alright fine cool great nice awesome amazing wonderful lovely sweet ' +
    'super perfect wow oh ah well done congrats congratulations how are have been doing is it going what up new long time talk ' +
    'to take care have a luck please sorry no problem worries glad happy hear that the your know best for wish fun weekend ' +
    'sounds look looks good i am you re m s hope proud of really ya all too and got this keep chat cant wait same here totally ' +
    'agree agreed absolutely exactly right true indeed course appreciate support kind words means anytime let me us if need ' +
    'anything else help can today with any one'
  ).split(' '),
  ...(
    'hallo guten morgen tag abend nacht danke dank vielen schön sehr gern gerne bitte tschüss bis bald später wie geht es dir ' +
    'ihnen gut und ja nein genau klar alles moin servus auf wiedersehen'
  ).split(' '),
  ...(
    'bonjour bonsoir salut merci beaucoup de rien comment ça va vas tu allez vous bien et toi au revoir à bientôt oui non bonne ' +
    'journée soirée nuit accord'
  ).split(' '),
  ...(
    'hola buenos días buenas tardes noches gracias muchas nada cómo estás está qué tal bien y tú adiós hasta luego mañana pronto ' +
    'sí vale claro'
  ).split(' '),
  ...(
    'ciao buongiorno buonasera grazie prego come stai arrivederci olá oi obrigado obrigada tchau tudo bem hej hoi hallå tack ' +
    'dank dag merhaba selam teşekkürler teşekkür ederim cześć dzień dobry dziękuję привет здравствуйте спасибо пока добрый день ' +
    'как дела хорошо да нет привіт дякую γεια σου ευχαριστώ مرحبا أهلا السلام عليكم شكرا سلام नमस्ते धन्यवाद שלום תודה 안녕하세요 안녕 ' +
    '감사합니다 고마워요'
  ).split(' '),
])
const politePhrases = new RegExp(
  String.raw`^(?:你好|您好|谢谢(?:你|您)?|早上好|晚上好|晚安|再见|好的?|嗨|こんにちは|こんばんは|おはよう(?:ございます)?|ありがとう(?:ございます)?|さようなら|はい|` +
    String.raw`สวัสดี(?:ครับ|ค่ะ)?|ขอบคุณ(?:ครับ|ค่ะ)?)+[。！!，,\s]*$`,
  'u',
)
const words = /[\p{L}\p{M}]+|\p{N}+/gu

/** The sentence without what does not belong to what it says: greetings before it, and the names of those it is said to. */
export function withoutPleasantries(sentence: string, isName: (word: string) => boolean): string {
  let rest = sentence
  for (let before = ''; before !== rest;) {
    before = rest
    rest = withoutVocative(rest.replace(leading, ''), isName)
  }
  rest = rest.replace(/,?\s+(?:lol|haha+|btw|by the way)\s*[.!]*$/iu, '.')
  return rest
    .replace(/,\s*(\p{L}+)\s*([.!?…]*)$/u, (whole, name: string, end: string) => (isName(name) ? end : whole))
    .replace(/^[\s,;:.!?…–—-]+/u, '')
}

function withoutVocative(sentence: string, isName: (word: string) => boolean): string {
  const [whole, name] = vocative.exec(sentence) ?? []
  return whole !== undefined && name !== undefined && isName(name) ? sentence.slice(whole.length) : sentence
}

/** Whether a sentence holds nothing but politeness and names. */
export function isSmallTalk(sentence: string, isName: (word: string) => boolean): boolean {
  if (politePhrases.test(sentence)) return true
  for (const [word] of sentence.matchAll(words)) if (!politeness.has(word.toLowerCase()) && !isName(word)) return false
  return true
}
