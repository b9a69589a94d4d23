import type { Database } from '../connect.ts'
import type { Tx } from '../transaction.ts'

type QueryAll<Input, Answer> = (tx: Database | Tx, inputs: Input[]) => Promise<Answer[]>

/** Runs a batch query for a single item. */
export const forOne =
  <Input, Answer>(queryAll: QueryAll<Input, Answer>) =>
  async (tx: Database | Tx, input: Input): Promise<Answer> =>
    (await queryAll(tx, [input]))[0] as Answer

/** Places each row at the position of its input, given by `nth`. */
export const inPlace = <Row extends { nth: number }>(rows: Row[], inputs: unknown[]) => {
  const positions: (Omit<Row, 'nth'> | undefined)[] = inputs.map(() => undefined)
  for (const { nth, ...row } of rows) positions[nth - 1] = row
  return positions
}

/** Runs a batch query for some of the items; skips it if none match. The others' positions are undefined. */
export const forSome = async <Item, Answer>(
  items: Item[],
  isIncluded: (item: Item, position: number) => boolean,
  queryAll: (included: Item[]) => Promise<Answer[]>,
): Promise<(Answer | undefined)[]> => {
  const flags = items.map(isIncluded)
  const included = items.filter((_, position) => flags[position])
  const answers = included.length > 0 ? await queryAll(included) : []
  let next = 0
  return flags.map((isMatch) => (isMatch ? answers[next++] : undefined))
}

/** Groups items so that no two in a group share a name, each in the earliest possible group. */
export const inRounds = <Item>(items: Item[], nameOf: (item: Item) => string): Item[][] => {
  const rounds: Item[][] = []
  const seen = new Map<string, number>()
  for (const item of items) {
    const round = seen.get(nameOf(item)) ?? 0
    seen.set(nameOf(item), round + 1)
    rounds[round] = [...(rounds[round] ?? []), item]
  }
  return rounds
}
