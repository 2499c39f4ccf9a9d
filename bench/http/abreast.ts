/** Does work on every item, so many at once. */
export async function abreast<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) await work(item, at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
