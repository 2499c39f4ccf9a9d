/** Makes an abort signal for these signals of the process. The first one aborts it; the second one ends the process at once. */
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
