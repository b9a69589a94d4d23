import type { Database } from '../connect.ts'
import type { Tx } from '../transaction.ts'

type AskAll<Asked, Answer> = (tx: Database | Tx, asked: Asked[]) => Promise<Answer[]>

/** Runs a batch query for a single item. */
export const forOne =
  <Asked, Answer>(askAll: AskAll<Asked, Answer>) =>
  async (tx: Database | Tx, asked: Asked): Promise<Answer> =>
    (await askAll(tx, [asked]))[0] as Answer

/** Places each row at the position of its input, given by `nth`. */
export const inPlace = <Row extends { nth: number }>(rows: Row[], asked: unknown[]) => {
  const places: (Omit<Row, 'nth'> | undefined)[] = asked.map(() => undefined)
  for (const { nth, ...row } of rows) places[nth - 1] = row
  return places
}

/** Runs a batch query for some of the items; skips it if none match. The others' positions are undefined. */
export const forSome = async <Item, Answer>(
  items: Item[],
  isAsked: (item: Item, place: number) => boolean,
  askAll: (some: Item[]) => Promise<Answer[]>,
): Promise<(Answer | undefined)[]> => {
  const asked = items.map(isAsked)
  const some = items.filter((_, place) => asked[place])
  const answers = some.length > 0 ? await askAll(some) : []
  let next = 0
  return asked.map((is) => (is ? answers[next++] : undefined))
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
