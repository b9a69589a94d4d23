import { expect, test } from 'bun:test'
import { divide, workspacesAtLimit } from '../../src/webhooks/delivery/claim.ts'

const PLACES = 2_000

/** Workspaces with endless work in 20 lanes each, one after the other, take what they get. */
const placesTaken = (workspaces: number) => {
  let free = PLACES
  const taken = Array.from({ length: workspaces }, () => {
    const lanes = Array.from({ length: 20 }, () => ({ workspaceId: 'one' }))
    let held = 0
    for (let more = 1; more > 0; held += more, free -= more)
      more = divide(lanes, { free, heldBy: new Map([['one', held]]) }).reduce((sum, lane) => sum + lane.more, 0)
    return held
  })
  return { taken, free }
}

test('a workspace takes a quarter of the places that are left, so that the next one finds some', () => {
  const { taken, free } = placesTaken(5)
  expect(taken).toEqual([500, 375, 282, 211, 158])
  expect(free).toBe(474)
  expect(placesTaken(20).free).toBeGreaterThan(0)
})

test('a claim divides a share among its lanes, and gives nothing to a workspace that has its share', () => {
  const lanes = ['a', 'a', 'a', 'b', 'c'].map((workspaceId) => ({ workspaceId }))
  const more = (free: number, held: Record<string, number> = {}) =>
    divide(lanes, { free, heldBy: new Map(Object.entries(held)) })
      .map((lane) => `${lane.workspaceId} ${lane.more}`)
      .join(', ')
  expect(more(100)).toBe('a 8, a 8, a 8, b 20, c 20')
  const held = { a: 34, b: 32 }
  expect(more(100, held)).toBe('b 1, c 20')
  expect(workspacesAtLimit({ free: 100, heldBy: new Map(Object.entries(held)) })).toEqual(['a'])
  expect(more(5)).toBe('a 1, a 1, b 1, c 1')
})
