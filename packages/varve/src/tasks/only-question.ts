/** A speaker before the words, as the extractive writer puts it: `Ada asked: Which port is it?` */
const speaker = /^[^:?？؟"“]{1,80}: /u
const sentences = /[^.!?…。！？؟]*(?:[.!?…。！？؟]+["'”’)\]]*|$)/gu
const asks = /[?？؟]["'”’)\]]*$/u

/** A question that is reported: "Ada asked which port the service uses." */
const reported = new RegExp(
  String.raw`^(?:[^,.;:]{1,60} )?(?:asks?|asked|wonders?|wondered|wants? to know|wanted to know|inquired?) ` +
    String.raw`(?:\S+ ){0,3}?(?:whether|if|what|which|how|who|whose|where|when|why)\b`,
  'iu',
)

/**
 * Tells whether a line is only a question. To the other members of a project a question is no news: a shared bank keeps
 * lines that state something.
 */
export function isOnlyQuestion(text: string): boolean {
  const said = text.replace(speaker, '')
  const all = (said.match(sentences) ?? []).map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  return all.length > 0 && all.every((sentence) => asks.test(sentence) || reported.test(sentence))
}
