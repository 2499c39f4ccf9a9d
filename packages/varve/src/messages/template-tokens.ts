/** Names of tokens that begin or end a turn, a call or a text in the template of some model: `<bos>`, `</s>`. */
const angled = [
  's|bos|eos|unk|pad|sop|eop|eod|eoh|eoa|eosys|sys',
  String.raw`[a-z]{2,8}_token|start_of_\w{1,16}|end_of_\w{1,16}|image_soft_token`,
  String.raw`extra_id_\d{1,5}|reserved_\d{1,5}|special_\d{1,5}|unused\d{1,5}|seed:\w{1,24}`,
].join('|')

/** Names of tags in which models are given words of the system, calls of tools and thoughts. They may have attributes. */
const frames =
  String.raw`(?:antml:)?(?:system(?:[-_]\w{1,16})?|tool_(?:calls?|responses?|results?|use)|function_(?:calls?|results?)|invoke|` +
  String.raw`think(?:ing)?|function(?==)|parameter(?==))`

const isAngled = new RegExp(String.raw`^(?:\|[^|\s]{1,64}\|?|[^|\s]{1,64}\||\/?(?:${angled})|\/?${frames}(?:[\s=/].*)?)$`, 'isu')

/** Names of tokens in square brackets. Only INST may be written small: manuals say `[args]`. */
const isSquare = new RegExp(
  String.raw`^(?:\|[^|\s]{1,64}\||gMASK|\/?(?:[iI][nN][sS][tT]|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT)|` +
    String.raw`THINK|IMG|IMG_(?:END|BREAK)|CALL_ID|ARGS|(?:BEGIN_)?AUDIO|TRANSCRIBE|MODEL_SETTINGS))$`,
  'u',
)

const inAngles = /[<＜﹤](?=([^<>＜＞﹤﹥]{1,200})[>＞﹥])/gu
const inSquares = /[[［](?=([^[\]［］]{1,40})[\]］])/gu

/**
 * Takes the opening sign from tokens of chat templates, so that none is one: `‹|im_start|>`, `⟦INST]`. The signs have no
 * compatibility form that a tokenizer would turn back, are seen, and are one character as the signs in whose place they
 * stand. Zero-width characters would hide the change from the reader, and some tokenizers drop them.
 */
export function withoutTemplateTokens(text: string): string {
  const without = text
    .replace(inAngles, (opening, name: string) => (isAngled.test(bare(name)) ? '‹' : opening))
    .replace(inSquares, (opening, name: string) => (isSquare.test(bare(name)) ? '⟦' : opening))
  // A sign that was taken may make one of what stands before it: `<system <|x|>`. A name is short, so this soon ends.
  return without === text ? text : withoutTemplateTokens(without)
}

/** Gives a name in the form that a tokenizer, or a reader, takes for the same. */
function bare(name: string): string {
  return /^[ -~]*$/.test(name)
    ? name
    : name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
        .trim()
}
