/** Where a request came from, and the id that it got. */
export interface Arrival {
  /** The address; empty where it came over no connection. */
  readonly remote: string
  readonly requestId: string
}

const arrivals = new WeakMap<Request, Arrival>()

export function noteArrival(request: Request, arrival: Arrival): void {
  arrivals.set(request, arrival)
}

export function arrivalOf(request: Request): Arrival {
  return arrivals.get(request) ?? { remote: '', requestId: '' }
}
