import { expect, test } from 'bun:test'
import { inTransaction, type Tx } from '../../src/database/transaction.ts'
import { publish } from '../../src/outbox/events.ts'
import { readEvents } from '../../src/outbox/read-events.ts'
import { assignSequences, type Sequenced, sequenceAll } from '../../src/outbox/sequence.ts'
import { givenLedger, givenMoney } from '../money/given-money.ts'
import { sized } from '../support/size.ts'
import { verifyProgram } from '../support/verify-program.ts'

const ledger = await givenLedger({ tampers: true })
const { db } = ledger

let programs = 1_000
const givenProgramId = () => programs++

const ping = (tx: Tx, programId: number, message: string) =>
  publish(tx, [{ programId, type: 'test.ping', at: new Date(), data: { message } }])

const messagesOf = async (programId: number) =>
  (await readEvents(db, { programId, after: null, epoch: null, limit: 1_000 })).events.map(({ sequence, data }) => ({
    sequence,
    message: (data as { message: string }).message,
  }))

/** A transaction that has written its event and waits for the test to end it. */
const openWriter = (programId: number, message: string) => {
  const written = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const done = inTransaction(db, async (tx) => {
    await ping(tx, programId, message)
    written.resolve()
    await end.promise
  }).catch((error: Error) => error)
  return { written: written.promise, commit: () => end.resolve(), fail: () => end.reject(new Error('no')), done }
}

test('an event that commits late comes after those that were numbered meanwhile, and leaves no gap', async () => {
  const programId = givenProgramId()
  const late = openWriter(programId, 'late')
  await late.written
  await inTransaction(db, (tx) => ping(tx, programId, 'early'))
  await assignSequences(db, programId, [])
  expect(await messagesOf(programId)).toEqual([{ sequence: 1, message: 'early' }])
  late.commit()
  await late.done
  await inTransaction(db, (tx) => ping(tx, programId, 'last'))
  await sequenceAll(db, [])
  expect((await messagesOf(programId)).map(({ message }) => message)).toEqual(['early', 'late', 'last'])
})

test('a change that rolls back publishes nothing and takes no sequence', async () => {
  const programId = givenProgramId()
  const failing = openWriter(programId, 'never')
  await failing.written
  failing.fail()
  expect(await failing.done).toBeInstanceOf(Error)
  await inTransaction(db, (tx) => ping(tx, programId, 'first'))
  await assignSequences(db, programId, [])
  expect(await messagesOf(programId)).toEqual([{ sequence: 1, message: 'first' }])
})

test('several sequencers and writers at once: each event once, in order of cause, fanned out exactly once', async () => {
  const programId = givenProgramId()
  const ranges: Sequenced[] = []
  const fanOut = [async (_: Tx, range: Sequenced) => ranges.push(range)]
  const rounds = sized({ short: 20, long: 200 })
  let isWriting = true
  const write = async (writer: number) => {
    for (let round = 0; round < rounds; round++)
      await inTransaction(db, (tx) => ping(tx, programId, `${writer} ${round}`))
  }
  const sequence = async () => {
    while (isWriting) await assignSequences(db, programId, fanOut)
  }
  const sequencers = [sequence(), sequence(), sequence()]
  await Promise.all([write(0), write(1), write(2), write(3)])
  isWriting = false
  await Promise.all(sequencers)
  while (!(await assignSequences(db, programId, fanOut)));
  const messages = await messagesOf(programId)
  expect(messages.map((one) => one.sequence)).toEqual(messages.map((_, index) => index + 1))
  expect(messages).toHaveLength(4 * rounds)
  // A writer's next event begins after its last one has committed.
  for (const writer of [0, 1, 2, 3]) {
    const own = messages.filter(({ message }) => message.startsWith(`${writer} `)).map(({ message }) => message)
    expect(own).toEqual(Array.from({ length: rounds }, (_, round) => `${writer} ${round}`))
  }
  const given = ranges.flatMap(({ after, upTo }) =>
    Array.from({ length: upTo - after }, (_, index) => after + index + 1),
  )
  expect(given.toSorted((a, b) => a - b)).toEqual(messages.map((one) => one.sequence))
})

test('if the fan-out fails, the events keep waiting and the next run numbers them again', async () => {
  const programId = givenProgramId()
  await inTransaction(db, (tx) => ping(tx, programId, 'one'))
  const failing = assignSequences(db, programId, [() => Promise.reject(new Error('no'))])
  await expect(failing).rejects.toThrow('no')
  expect(await messagesOf(programId)).toEqual([])
  await assignSequences(db, programId, [])
  expect(await messagesOf(programId)).toEqual([{ sequence: 1, message: 'one' }])
})

test('ledger:verify finds an event that someone removed', async () => {
  const { programId } = await givenMoney(ledger)
  for (const message of ['one', 'two', 'three']) await inTransaction(db, (tx) => ping(tx, programId, message))
  await assignSequences(db, programId, [])
  const verify = async () => (await verifyProgram(db, { programId, sealedBefore: null })).differences
  expect(await verify()).toEqual([])
  await ledger.pool.query('DELETE FROM outbox_events WHERE program_id = $1 AND sequence = 2', [programId])
  const [difference, ...others] = await verify()
  expect(difference).toContain('events are stored')
  expect(others).toEqual([])
})
