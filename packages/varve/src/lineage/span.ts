/** A run of messages of one session, both ends included. Lineage is a set of spans: the sources of a derived item. */
export interface Span {
  readonly session: string
  readonly from: number
  readonly to: number
}
