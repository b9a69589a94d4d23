import { describe, expect, test } from 'bun:test'
import { groupCommit, withRetry } from '../src/database/group-commit.ts'

const dataError = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
const lost = () => new Error('Connection terminated unexpectedly')
const settled = (promises: Promise<unknown>[]) => Promise.allSettled(promises)
/** Time stands still, so a slow machine does not look like a slow database. */
const options = { writers: 2, maxBatch: 100, maxWaiting: 1_000, now: () => 0 }

/** A write that the test completes manually, so that it controls what arrives meanwhile. */
const gatedWrite = () => {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  const write = (rows: number[]) => {
    batches.push(rows)
    return new Promise<number[]>((resolve) => gates.push(() => resolve(rows.map((row) => row * 10))))
  }
  return { batches, gates, write }
}
const turn = () => Bun.sleep(1)

/** A clock that the test advances manually. */
const stoppedClock = () => {
  let at = 0
  return {
    now: () => at,
    advance: (milliseconds: number) => {
      at += milliseconds
    },
  }
}

describe('group commit', () => {
  test('resolves nothing before the batch has committed, and each call with its own result', async () => {
    const { gates, write } = gatedWrite()
    const group = groupCommit({ ...options, write })
    const answered: number[] = []
    const results = [1, 2, 3].map((row) => group.submit(row))
    for (const result of results) void result.then((value) => answered.push(value))
    await turn()
    expect(answered).toEqual([])
    for (const open of gates) open()
    expect(await Promise.all(results)).toEqual([10, 20, 30])
  })

  test('takes everything that arrived meanwhile as the next batch, without a timer', async () => {
    const { batches, gates, write } = gatedWrite()
    const group = groupCommit({ ...options, writers: 1, write })
    const first = group.submit(0)
    await turn()
    const rest = Array.from({ length: 50 }, (_, index) => group.submit(index + 1))
    await turn()
    expect(batches).toEqual([[0]])
    gates.shift()?.()
    await first
    await turn()
    expect(batches[1]).toHaveLength(50)
    gates.shift()?.()
    await Promise.all(rest)
  })

  test('takes smaller batches after a slow one, and full batches once it is fast again', async () => {
    const { batches, gates, write } = gatedWrite()
    const clock = stoppedClock()
    const group = groupCommit({ ...options, writers: 1, write, now: clock.now })
    const all = Array.from({ length: 400 }, (_, index) => group.submit(index))
    await turn()
    clock.advance(1_000)
    while (gates.length > 0) {
      gates.shift()?.()
      await turn()
      await turn()
    }
    await Promise.all(all)
    const sizes = batches.map((rows) => rows.length)
    expect(sizes[0]).toBe(100)
    expect(sizes[1]).toBeLessThanOrEqual(40)
    expect(sizes.lastIndexOf(100)).toBeGreaterThan(1)
    expect(batches.flat()).toHaveLength(400)
  })

  test('never runs more batches than writers, nor larger ones than allowed', async () => {
    const { batches, gates, write } = gatedWrite()
    const group = groupCommit({ ...options, maxBatch: 10, write })
    const all = settled(Array.from({ length: 35 }, (_, index) => group.submit(index)))
    await turn()
    group.submit(99)
    await turn()
    expect(gates.length).toBe(2)
    while (gates.length > 0) {
      gates.shift()?.()
      await turn()
    }
    await all
    expect(batches.every((batch) => batch.length <= 10)).toBe(true)
    expect(batches.flat()).toHaveLength(36)
  })

  test('finds a poisoned row by halving, and fails only that row', async () => {
    const committed: number[] = []
    const write = async (rows: number[]) => {
      if (rows.includes(13)) throw dataError
      committed.push(...rows)
      return rows
    }
    const group = groupCommit({ ...options, write })
    const results = await settled(Array.from({ length: 30 }, (_, index) => group.submit(index)))
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(results[13]).toMatchObject({ status: 'rejected', reason: dataError })
    expect(committed).toHaveLength(29)
  })

  test('retries once with the same rows when the connection was lost and the batch may have committed', async () => {
    const seen: number[][] = []
    const write = async (rows: number[]) => {
      seen.push(rows)
      if (seen.length === 1) throw lost()
      return rows
    }
    expect(await groupCommit({ ...options, write: withRetry(write) }).submit(7)).toBe(7)
    expect(seen).toEqual([[7], [7]])
  })

  test('fails the whole batch on a transient database error, without halving', async () => {
    let calls = 0
    const write = async (rows: number[]) => {
      if (++calls === 1) throw Object.assign(new Error('too many connections'), { code: '53300' })
      return rows
    }
    const clock = stoppedClock()
    const group = groupCommit({ ...options, write, now: clock.now })
    const results = await settled([group.submit(1), group.submit(2), group.submit(3)])
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toBe(1)
    expect(group.hasFailedRecently()).toBe(true)
    clock.advance(1)
    await group.submit(4)
    await turn()
    expect(group.hasFailedRecently()).toBe(false)
  })

  test('rejects with overloaded and Retry-After when the queue is full, and recovers afterwards', async () => {
    const { gates, write } = gatedWrite()
    const group = groupCommit({ ...options, writers: 1, maxWaiting: 5, write })
    const first = group.submit(0)
    await turn()
    const waiting = [1, 2, 3, 4, 5].map((row) => group.submit(row))
    expect(group.waiting()).toBe(5)
    await expect(group.submit(6)).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 })
    gates.shift()?.()
    await first
    await turn()
    gates.shift()?.()
    await Promise.all(waiting)
    const next = group.submit(8)
    await turn()
    gates.shift()?.()
    expect(await next).toBe(80)
  })

  test('drains: takes nothing new and completes everything it has taken', async () => {
    const { gates, write } = gatedWrite()
    const group = groupCommit({ ...options, write })
    const taken = group.submit(1)
    await turn()
    let isDrained = false
    const drained = group.drain().then(() => {
      isDrained = true
    })
    await expect(group.submit(2)).rejects.toMatchObject({ code: 'overloaded' })
    await turn()
    expect(isDrained).toBe(false)
    gates.shift()?.()
    expect(await taken).toBe(10)
    await drained
  })

  test('rejects new calls once the first in the queue has waited too long, and still serves the queue', async () => {
    const { gates, write } = gatedWrite()
    const clock = stoppedClock()
    const group = groupCommit({ ...options, writers: 1, maxDelayMs: 200, write, now: clock.now })
    const first = group.submit(0)
    await turn()
    const waiting = group.submit(1)
    clock.advance(201)
    await expect(group.submit(2)).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 })
    gates.shift()?.()
    await first
    await turn()
    expect(group.delayMs()).toBe(0)
    const newcomer = group.submit(3)
    gates.shift()?.()
    expect(await waiting).toBe(10)
    await turn()
    gates.shift()?.()
    expect(await newcomer).toBe(30)
  })

  test('rejects new calls that would wait too long at the current pace, before any call has', async () => {
    const { gates, write } = gatedWrite()
    const clock = stoppedClock()
    const group = groupCommit({ ...options, writers: 1, maxDelayMs: 1_000, write, now: clock.now })
    const first = settled(Array.from({ length: 150 }, (_, index) => group.submit(index)))
    await turn()
    // A hundred in half a second with fifty waiting: two hundred may wait for a second.
    clock.advance(500)
    gates.shift()?.()
    await turn()
    const behind = settled(Array.from({ length: 300 }, (_, index) => group.submit(index)))
    expect(group.delayMs()).toBeLessThan(1_000)
    expect(group.waiting()).toBeLessThanOrEqual(200)
    while (gates.length > 0) {
      gates.shift()?.()
      await turn()
      await turn()
    }
    const refused = (await behind).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(100)
    for (const refusal of refused) expect(refusal).toMatchObject({ reason: { code: 'overloaded' } })
    expect((await first).every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await Promise.race([group.submit(1), turn().then(() => 'taken')])).toBe('taken')
  })

  test('answers every call when the database stalls: 503, and only calls not yet started say that nothing was recorded', async () => {
    const { write } = gatedWrite()
    const { now: _, ...inRealTime } = options
    const group = groupCommit({ ...inRealTime, writers: 1, maxDelayMs: 50, timeoutMs: 150, write })
    const begun = group.submit(0)
    await turn()
    const queued = group.submit(1)
    // Awaited together: on a busy machine the second rejects before a handler for it would be attached.
    expect(await Promise.allSettled([begun, queued])).toMatchObject([
      { reason: { code: 'unavailable', status: 503, retryAfterSeconds: 2 } },
      { reason: { code: 'overloaded', status: 503 } },
    ])
    expect(group.waiting()).toBe(0)
  })
})

describe('rows of a group', () => {
  const given = (writers = 3) => {
    const { batches, gates, write } = gatedWrite()
    // Rows of the same ten share a group.
    const groupOf = (row: number) => String(Math.floor(row / 10))
    return { batches, gates, group: groupCommit({ ...options, writers, write, groupOf }) }
  }

  test('are written by one writer at a time, while others write other groups', async () => {
    const { batches, gates, group } = given()
    const results = [group.submit(1)]
    await turn()
    results.push(group.submit(2), group.submit(11), group.submit(3))
    await turn()
    expect(batches).toEqual([[1], [11]])
    gates[0]?.()
    await results[0]
    await turn()
    expect(batches).toEqual([[1], [11], [2, 3]])
    for (const open of gates) open()
    expect(await Promise.all(results)).toEqual([10, 20, 110, 30])
  })

  test('are free again after a batch that failed', async () => {
    let isBroken = true
    const write = async (rows: number[]) => {
      if (isBroken) throw lost()
      return rows
    }
    const group = groupCommit({ ...options, write, groupOf: () => 'all' })
    await expect(group.submit(1)).rejects.toThrow('terminated')
    isBroken = false
    expect(await group.submit(2)).toBe(2)
  })

  test('that wait are written before the queue has drained', async () => {
    const { batches, gates, group } = given()
    const results = [group.submit(1)]
    await turn()
    results.push(group.submit(2))
    const drained = group.drain()
    gates[0]?.()
    await turn()
    gates[1]?.()
    await drained
    expect(batches).toEqual([[1], [2]])
    expect(await Promise.all(results)).toEqual([10, 20])
  })
})
