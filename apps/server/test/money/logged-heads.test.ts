import { afterAll, afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { cleanUp, givenDataDir, givenService, until } from '../lifecycle/given-service.ts'
import { runCommand } from '../lifecycle/run-command.ts'
import { givenPayingProgram, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { givenLedger, givenMoney, TEN_PERCENT } from './given-money.ts'

const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 }

/** The heads in the JSON log lines, as a log shipper finds them. */
const headsIn = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => line.includes('"ledger sealed"'))
    .map((line) => JSON.parse(line).head)

let written = ''
const stdout = spyOn(process.stdout, 'write').mockImplementation((text) => {
  written += text
  return true
})
/** The service's minutely jobs, which run only when a test calls them. */
const minutely: (() => void)[] = []
const start = setInterval
const timers = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, milliseconds: number) => {
  if (milliseconds !== 60_000) return start(work, milliseconds)
  minutely.push(work)
  return start(() => {}, milliseconds)
}) as typeof setInterval)
const service = await startTestService({ logLevel: 'info' })
timers.mockRestore()
const ledger = await givenLedger()

afterAll(() => stdout.mockRestore())

beforeEach(() => {
  written = ''
})
afterEach(cleanUp)

/** The heads of a program's blocks in the database. */
const headsOf = async (programId: number) => {
  const { rows } = await service.pool.query(
    "SELECT program_id || ':' || number || ':' || encode(hash, 'hex') AS head FROM ledger_blocks WHERE program_id = $1 ORDER BY number",
    [programId],
  )
  return rows.map(({ head }) => head as string)
}

test('the service logs the head of each block that it seals every minute, once', async () => {
  const program = await givenPayingProgram(service, REWARD)
  for (const number of [1, 2]) {
    await givenSale(program, 1_000)
    for (const work of minutely) work()
    await until(() => headsIn(written).length >= number)
  }
  const heads = await headsOf(program.id)
  expect(heads).toHaveLength(2)
  expect(headsIn(written)).toEqual(heads)
})

test('the service logs the head of the block that it seals before a payout', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await givenSale(program, 1_000)
  await program.pay()
  const heads = await headsOf(program.id)
  expect(heads).toHaveLength(1)
  expect(headsIn(written)).toEqual(heads)
})

test('the service logs the head that it seals on start, in the format that ledger:verify prints and accepts', async () => {
  const money = await givenMoney(ledger, TEN_PERCENT)
  await money.sale(await money.customer(), 1_000)
  const env = { DATA_DIR: givenDataDir(), DATABASE_URL: ledger.databaseUrl }
  const [head = '', ...others] = headsIn((await givenService({ env })).stdout())
  expect(others).toEqual([])
  const { code, stdout } = await runCommand('verify', env, '--expect', head)
  expect(code).toBe(0)
  expect(stdout.split('\n')).toContain(head)
})
