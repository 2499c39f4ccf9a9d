import type { CuePhrases, LanguagePack, SmallTalk } from '../language-pack.ts'
import { phrases, spacedWords } from '../word-lists.ts'

const cues: CuePhrases = {
  decision: phrases(`entschieden, entscheidung, beschlossen, abgemacht, einigen uns, geeinigt, vereinbart, gebucht, bestellt, gekauft,
    wir werden, ich werde, wir nehmen, ich nehme, lass uns, machen wir, unterschrieben, storniert, abgesagt, bestätigt, frist`),
  standing: phrases('immer, nie, niemals, bevorzuge, lieber, ab jetzt, allergisch'),
  time: phrases(`januar, februar, märz, mai, juni, juli, oktober, dezember, montags?, dienstags?, mittwochs?, donnerstags?, freitags?,
    samstags?, sonntags?, gestern, morgen, heute, (?:letzte|nächste)[nrs]? (?:woche|monat|jahr)`),
  firstPerson: phrases('ich, mein(?:e[nmrs]?)?, wir, unser(?:e[nmrs]?)?'),
  secondPerson: phrases('du, dein(?:e[nmrs]?)?, dir, dich, ihr, euch'),
  pointsBack: phrases('es(?! g[ia]bt?), (?:das|dies)(?= (?:ist|war|sind|waren|hat|hatte|wird|kann|geht|ging)), sie, er'),
}

const smallTalk: SmallTalk = {
  interjections: phrases(`hallo, guten (?:morgen|tag|abend), danke(?: schön)?, genau, na ja, naja, ach, super, klar, bitte, übrigens,
    servus, moin`),
  politeWords: spacedWords(`hallo guten morgen tag abend nacht danke dank vielen schön sehr gern gerne bitte tschüss bis bald später wie
    geht es dir ihnen gut und ja nein genau klar alles moin servus auf wiedersehen`),
}

/** So far: cues, small talk, abbreviations, corrections. Sentences yield no facts. */
export const german: LanguagePack = {
  language: 'de',
  cues,
  smallTalk,
  abbreviations: phrases(String.raw`Dr, Nr, ca, bzw, usw, z\.B, d\.h, u\.a`),
  remarks: { correction: /\b(?:nicht|kein(?:e[nmrs]?)? mehr|falsch)\b/iu, failure: /\bfehler\b/iu },
}
