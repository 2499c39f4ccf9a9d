const remotes = new WeakMap<Request, string>()

/** Notes the address that a request came from. */
export function noteRemote(request: Request, address: string): void {
  remotes.set(request, address)
}

/** Gives the address that a request came from; empty where it came over no connection. */
export function remoteOf(request: Request): string {
  return remotes.get(request) ?? ''
}
