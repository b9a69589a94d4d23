/** Runs the work for each item in turn. One that fails does not stop the others; the first error is thrown at the end. */
export const runEach = async <Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>) => {
  const errors: unknown[] = []
  for (const item of items) await work(item).catch((error) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}
