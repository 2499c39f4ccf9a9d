import type { CuePhrases, LanguagePack, SmallTalk } from '../language-pack.ts'
import { phrases, spacedWords } from '../word-lists.ts'

const cues: CuePhrases = {
  decision: phrases(`décidé, décidons, décision, d['’]accord pour, convenu, réservé, commandé, acheté, on va, nous allons, je vais, signé,
    annulé, confirmé, choisi`),
  standing: phrases('toujours, jamais, préfère, désormais, allergique'),
  time: phrases(`janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, lundi, mardi, mercredi,
    jeudi, vendredi, samedi, dimanche, hier, demain, aujourd['’]hui`),
  firstPerson: phrases("je, j['’]\\p{L}+, mon, ma, mes, nous, notre, nos"),
  secondPerson: phrases('tu, ton, tes, toi, vous, votre, vos'),
  pointsBack: phrases("cela, ça, c['’]\\p{L}+, il(?! y a), elle"),
}

const smallTalk: SmallTalk = {
  interjections: phrases('bonjour, salut, merci(?: beaucoup)?, ah bon, bien sûr, au fait, coucou, bonsoir'),
  politeWords: spacedWords(`bonjour bonsoir salut merci beaucoup de rien comment ça va vas tu allez vous bien et toi au revoir à bientôt
    oui non bonne journée soirée nuit accord`),
}

/** So far: cues, small talk, abbreviations, corrections. Sentences yield no facts. */
export const french: LanguagePack = {
  language: 'fr',
  cues,
  smallTalk,
  abbreviations: phrases('Dr, Mme'),
  remarks: { correction: /\b(?:ne pas|jamais)\b/iu },
}
