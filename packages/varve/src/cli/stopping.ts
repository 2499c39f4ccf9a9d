/** A signal that is aborted when the process is asked to end by one of these, the first time; the second time it ends at once. */
export function stopOn(...names: readonly NodeJS.Signals[]): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  const remove = (): void => {
    for (const name of names) process.off(name, stop)
  }
  const stop = (): void => {
    remove()
    controller.abort()
  }
  for (const name of names) process.on(name, stop)
  return { signal: controller.signal, [Symbol.dispose]: remove }
}
