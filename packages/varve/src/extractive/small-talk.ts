import { languagePacks } from './languages.ts'
import { regex, spacedWords as wordsOf } from './word-lists.ts'

const interjections = languagePacks.flatMap(({ smallTalk }) => smallTalk.interjections).join('|')
const afterthoughts = languagePacks.flatMap(({ smallTalk }) => smallTalk.afterthoughts ?? []).join('|')
const leading = new RegExp(`^(?:${interjections})(?:\\s*[,!.…:–—]+\\s*|\\s+[-–—]+\\s*)`, 'iu')
const vocative = new RegExp(`^(?:(?:${interjections}),?\\s+)?(\\p{L}+)\\s*[,!.:–—]+\\s*`, 'iu')

const trailing = new RegExp(`,?\\s+(?:${afterthoughts})\\s*[.!]*$`, 'iu')

/** Greetings and thanks in languages that have no pack. */
const greetings = wordsOf(`ciao buongiorno buonasera grazie prego come stai arrivederci olá oi obrigado obrigada tchau tudo bem hej hoi
  hallå tack dank dag merhaba selam teşekkürler teşekkür ederim cześć dzień dobry dziękuję привет здравствуйте спасибо пока добрый день
  как дела хорошо да нет привіт дякую γεια σου ευχαριστώ مرحبا أهلا السلام عليكم شكرا سلام नमस्ते धन्यवाद שלום תודה 안녕하세요 안녕 감사합니다 고마워요`)
const politeness = new Set([...languagePacks.flatMap(({ smallTalk }) => smallTalk.politeWords), ...greetings])
const politePhrases = regex('u')`^(?:你好|您好|谢谢(?:你|您)?|早上好|晚上好|晚安|再见|好的?|嗨|
  こんにちは|こんばんは|おはよう(?:ございます)?|ありがとう(?:ございます)?|さようなら|はい|
  สวัสดี(?:ครับ|ค่ะ)?|ขอบคุณ(?:ครับ|ค่ะ)?)+[。！!，,\s]*$`
const words = /[\p{L}\p{M}]+|\p{N}+/gu

/** Returns the sentence without greetings before it and without the names of the listeners. */
export function withoutPleasantries(sentence: string, isName: (word: string) => boolean): string {
  let rest = sentence
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replace(leading, '').replace(vocative, (whole, name: string) => (isName(name) ? '' : whole))
  }
  rest = rest.replace(trailing, '.')
  rest = rest.replace(/,\s*(\p{L}+)\s*([.!?…]*)$/u, (whole, name: string, end: string) => (isName(name) ? end : whole))
  return rest.replace(/^[\s,;:.!?…–—-]+/u, '')
}

/** Tells whether a sentence holds nothing but polite words and names. */
export function isSmallTalk(sentence: string, isName: (word: string) => boolean): boolean {
  return politePhrases.test(sentence) || sentence.matchAll(words).every(([word]) => politeness.has(word.toLowerCase()) || isName(word))
}
