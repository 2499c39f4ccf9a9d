/** Tokens of a span that is read without a model: several times the usual length of forty messages. */
const extractiveTokens = 32_000

/**
 * Tokens of a model's window that are reserved for instructions and answer, for one layer and for all layers together.
 * `margin` allows for errors of the estimate.
 */
const reservedTokens = 3_000
const reservedForAll = 8_300
const margin = 0.8
const leastSpanTokens = 500

/** Under this window a call is for one layer. */
export const wholeWindow = 16_384

/** Gives the tokens of the data in one call. */
export function spanTokens(window: number | undefined): number {
  return window === undefined
    ? extractiveTokens
    : Math.max(leastSpanTokens, Math.floor((window - (window < wholeWindow ? reservedTokens : reservedForAll)) * margin))
}
