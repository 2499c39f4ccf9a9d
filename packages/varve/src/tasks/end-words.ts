/**
 * Words by which people say that something ended or never was, by language (ISO 639-1). They are in lower case. One that
 * ends in "-" stands for all words that begin with it, and "…" for up to four words.
 */
export const endWords: Readonly<Record<string, readonly string[]>> = {
  en: listed(
    'no longer, no more, not … any more, any more, anymore, any longer, stop, stops, stopp-, quit, quits, quitting, ' +
      'gave up, give up, given up, ' +
      'giving up, gave away, given away, sold, cancel-, drop, drops, dropp-, broke up, break up, broken up, breaking up, split up, ' +
      'separated, divorc-, moved, moving, switch-, swap, swapp-, traded, migrated, changed, changing, instead, rather than, ' +
      'in place of, used to, formerly, former, previously, until, was wrong, were wrong, am wrong, my mistake, made … up, ' +
      'was joking, was kidding, take … back, took … back, not true, untrue, never, left, leave, leaves, leaving, died, dead, dies, ' +
      'passed away, finish-, ended, ends, ending, is over, are over, was over, resign-, retire-, fired, laid off, sacked, expired, ' +
      'closed, shut down, lost, remove-, withdr-, abandon-, ditch-, rid of, threw … away, thrown away, replac-, renam-, deprecat-, ' +
      'called off, calling off, off the table, backed out, dropped out, fell through, dissolved, last day, graduated, done with, ' +
      'gone, forget, ignore, scrap, scrapp-, disregard',
  ),
  de: listed(
    'nicht mehr, kein- … mehr, nie, niemals, nie mehr, aufgehört, höre … auf, hör … auf, aufgegeben, gebe … auf, gekündigt, ' +
      'kündig-, verkauf-, abgesagt, storniert, getrennt, geschieden, ausgezogen, umgezogen, weggezogen, gewechselt, wechsel-, ' +
      'umgestellt, umgestiegen, geändert, stattdessen, statt, anstelle, anstatt, früher-, ehemalig-, falsch, geirrt, verlassen, ' +
      'verließ-, gestorben, verstorben, starb, tot, beendet, fertig, ersetz-, umbenannt, vorbei, verloren, entlassen, abgeschafft, ' +
      'abgelöst, abgelaufen, bis, vergiss',
  ),
  fr: listed(
    "ne … plus, n'- … plus, plus de, jamais, arrêt-, cessé-, quitt-, démission-, abandonn-, renonc-, vendu-, annul-, romp-, rompu-, " +
      'sépar-, divorc-, déménag-, chang-, remplac-, renomm-, au lieu, plutôt que, auparavant, ancien, ' +
      'ancienne, anciens, anciennes, faux, tort, mort, morte, décéd-, ' +
      'fini-, terminé-, perdu-, supprim-, résili-, retiré-, licenci-, jusqu-, oubli-',
  ),
  es: listed(
    'ya no, nunca, jamás, dejé, dejo, dejó, dejamos, dejado, abandon-, renunci-, vendí, vendió, vendimos, vendido, cancel-, ' +
      'rompí, rompió, rompimos, roto, separé, separó, separamos, separado, divorci-, mudé, mudó, mudamos, mudado, cambi-, ' +
      'en vez de, en lugar de, solía, antes, falso, equivoq-, equivoc-, murió, muert-, falleci-, terminé, terminó, terminado, ' +
      'acabé, acabó, acabado, reempla-, sustitu-, renombr-, perdí, perdió, perdido, despid-, despedid-, hasta, olvida',
  ),
}

/** Words that deny what comes after them. */
export const denyingWords: readonly string[] = listed(
  "not, no, cannot, neither, nor, without, don't, doesn't, didn't, isn't, aren't, wasn't, weren't, won't, can't, haven't, hasn't, " +
    "ain't, nicht, kein-, ohne, ne, n'-, pas, aucun-, sans, ningún, ninguna, tampoco, sin",
)

/** Phrases with such a word that deny nothing. */
export const emptyDenials: readonly string[] = listed(
  "not only, not just, not sure, no doubt, no problem, no worries, no idea, can't wait, cannot wait, don't know, don't forget, " +
    "don't worry, why not, whether or not, nicht nur, kein problem, pas seulement, pas de problème, sin duda, no solo, no sólo",
)

function listed(text: string): readonly string[] {
  return text.split(', ')
}
