import type { CuePhrases, LanguagePack, SmallTalk } from '../language-pack.ts'
import { phrases, spacedWords } from '../word-lists.ts'

const cues: CuePhrases = {
  decision: phrases(`decidido, decidimos, decidí, decisión, acordamos, acordado, quedamos en, reservado, reservé, reservamos, compré,
    compramos, pedido, vamos a, voy a, firmado, firmamos, cancelado, confirmado, elegimos`),
  standing: phrases('siempre, nunca, prefiero, a partir de ahora, alérgic[oa]'),
  time: phrases(`enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, lunes, martes,
    miércoles, jueves, viernes, sábado, domingo, ayer, mañana, hoy`),
  firstPerson: phrases('yo, mi, mis, nosotros, nuestr[oa]s?'),
  secondPerson: phrases('tus?, usted, ustedes'),
  pointsBack: phrases('eso, esto, ese'),
}

const smallTalk: SmallTalk = {
  interjections: phrases(`hola, gracias, muchas gracias, buenos días, buenas(?: tardes| noches)?, claro, vale, por cierto, genial,
    perfecto`),
  politeWords: spacedWords(`hola buenos días buenas tardes noches gracias muchas nada cómo estás está qué tal bien y tú adiós hasta luego
    mañana pronto sí vale claro`),
}

/** So far: cues, small talk, abbreviations, corrections. Sentences yield no facts. */
export const spanish: LanguagePack = {
  language: 'es',
  cues,
  smallTalk,
  abbreviations: phrases(String.raw`Dr, Sra, p\.ej`),
  remarks: { correction: /\bnunca\b/iu },
}
