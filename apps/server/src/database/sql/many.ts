import type { Database } from '../connect.ts'
import type { Tx } from '../transaction.ts'

/**
 * Puts each row that a batch query found on its input, under a name. `position` is that of the input, from 1. Inputs for which
 * nothing was found keep nothing from an earlier query.
 */
export const putFound = <Name extends string, Found>(
  inputs: { [name in Name]?: Found | undefined }[],
  name: Name,
  rows: (Found & { position: number })[],
) => {
  for (const input of inputs) input[name] = undefined
  for (const { position, ...found } of rows) {
    const input = inputs[position - 1]
    if (input) input[name] = found as Found
  }
}

/** Runs a batch query that fills in `name` for a single item, and returns what it found. */
export const forOne =
  <Name extends string, Input extends { [name in Name]?: unknown }>(
    fillAll: (tx: Database | Tx, inputs: Input[]) => Promise<unknown>,
    name: Name,
  ) =>
  async (tx: Database | Tx, input: Omit<Input, Name>): Promise<Input[Name]> => {
    const row = { ...input } as Input
    await fillAll(tx, [row])
    return row[name]
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
