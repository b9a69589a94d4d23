import type { Database } from '../connect.ts'
import type { Tx } from '../transaction.ts'

type AskAll<Asked, Answer> = (tx: Database | Tx, asked: Asked[]) => Promise<Answer[]>

/** A question that is put for many in one statement, asked for one. */
export const forOne =
  <Asked, Answer>(askAll: AskAll<Asked, Answer>) =>
  async (tx: Database | Tx, asked: Asked): Promise<Answer> =>
    (await askAll(tx, [asked]))[0] as Answer

/** Rows that say which question they answer, each at its place. */
export const inPlace = <Row extends { nth: number }>(rows: Row[], asked: unknown[]) => {
  const places: (Omit<Row, 'nth'> | undefined)[] = asked.map(() => undefined)
  for (const { nth, ...row } of rows) places[nth - 1] = row
  return places
}

/** Asks for some of many, in one statement, or not at all where it is for none. Undefined at the places of the others. */
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

/** Groups in which no two have the same name, each as early as possible: within a group, none depends on another. */
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
