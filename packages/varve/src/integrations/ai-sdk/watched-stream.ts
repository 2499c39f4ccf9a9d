/** How an answer ended: `whole`, `stopped` by the host, or `cut` by the provider. */
export type AnswerEnd = 'whole' | 'stopped' | 'cut'

/**
 * Passes a stream on piece by piece, and tells what came and how it ended, once. A piece is passed on when it is asked for, after
 * `seen` was told of it: nothing is read ahead.
 */
export function watchedStream(
  stream: ReadableStream,
  signal: AbortSignal | undefined,
  { seen, ended }: { seen: (piece: unknown) => Promise<unknown> | undefined; ended: (how: AnswerEnd) => void },
): ReadableStream {
  const reader = stream.getReader()
  let isEnded = false
  const end = (how: AnswerEnd): void => {
    if (isEnded) return
    isEnded = true
    signal?.removeEventListener('abort', stopped)
    ended(how)
  }
  // The host may leave the stream without a word, and a provider may go on after it was told to stop.
  const stopped = (): void => end('stopped')
  signal?.addEventListener('abort', stopped, { once: true })
  if (signal?.aborted === true) stopped()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            end('whole')
            controller.close()
            return
          }
          if (!isEnded) await seen(value)
          controller.enqueue(value)
        } catch (error) {
          end('cut')
          controller.error(error)
        }
      },
      async cancel(reason) {
        end('stopped')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
