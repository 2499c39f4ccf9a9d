/** A run of messages of one session, both ends included. Lineage is a set of spans: what something was made from. */
export interface Span {
  readonly session: string
  readonly from: number
  readonly to: number
}
