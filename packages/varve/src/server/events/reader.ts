/** Whoever reads a stream of events, as its key allows. */
export interface EventReader {
  readonly project: string
  /** Only this user's memory; `~` is the anonymous user. Left out: all of the project. */
  readonly user?: string | undefined
  /** True to add the words of messages where `mayReadWords` allows it. */
  readonly withContent: boolean
  /** True to add what only this process tells: recalls, contexts, warnings. */
  readonly isAdmin: boolean
  /** Tells whether the words of a user's memory may be given; undefined is the project's own memory. */
  mayReadWords(user: string | undefined): boolean
}

/** Returns the place that a reader asks to go on from: the header of a reader that comes back, or else the query. */
export function placeAsked(request: Request): string | undefined {
  const place = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('lastEventId')
  return place === null || place === '' ? undefined : place
}
