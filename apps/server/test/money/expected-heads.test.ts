import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readExpectedHeads, WrongExpectation } from '../../src/commands/expected-heads.ts'
import { sealAll } from '../../src/money/seal.ts'
import { cleanUp, givenDataDir } from '../lifecycle/given-service.ts'
import { runCommand } from '../lifecycle/run-command.ts'
import { givenLedger, givenMoney, type Money, TEN_PERCENT } from './stories.ts'

const ledger = await givenLedger()
let money: Money
const heads: string[] = []

beforeAll(async () => {
  money = await givenMoney(ledger, TEN_PERCENT)
  const key = await money.customer()
  for (let block = 0; block < 3; block++) {
    await money.sale(key, 1_000)
    await sealAll(ledger.db, money.clock.now(), (head) => heads.push(head))
  }
})
afterEach(cleanUp)

const verify = (...words: string[]) =>
  runCommand('verify-ledger', { DATA_DIR: givenDataDir(), DATABASE_URL: ledger.databaseUrl }, ...words)

const expecting = (...expected: string[]) => verify(...expected.flatMap((head) => ['--expect', head]))

describe('npm run ledger:verify -- --expect', () => {
  test('sealing reports each head, and verifying prints the latest as program:number:hash', async () => {
    expect(heads).toHaveLength(3)
    heads.forEach((head, index) => {
      expect(head).toMatch(new RegExp(`^${money.programId}:${index + 1}:[0-9a-f]{64}$`))
    })
    const { code, stdout } = await verify()
    expect(stdout.split('\n')).toContain(heads[2] ?? '')
    expect(code).toBe(0)
  })

  test('heads that were kept elsewhere are found again, however many', async () => {
    expect(await expecting(...heads)).toMatchObject({ code: 0, stderr: '' })
  })

  test('a block with another hash is named', async () => {
    const { code, stderr } = await expecting(`${money.programId}:2:${'0'.repeat(64)}`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Block 2 of program \d+ has hash [0-9a-f]{64}, not 0{64}: the ledger was rewritten\.\n$/),
    ])
  })

  test('a tail that was cut off goes unnoticed without the head, and not with it', async () => {
    const tail = `program_id = ${money.programId}`
    await ledger.pool.query(`DELETE FROM ledger_block_lines WHERE ${tail} AND block_number = 3`)
    await ledger.pool.query(`DELETE FROM ledger_blocks WHERE ${tail} AND number = 3`)
    expect((await verify()).code).toBe(0)
    const { code, stderr } = await expecting(...heads)
    expect([code, stderr]).toEqual([
      1,
      `Block 3 of program ${money.programId} is missing: the ledger ends at block 2, so its end was cut off.\n`,
    ])
    const nowhere = await expecting(`999:1:${'0'.repeat(64)}`)
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringMatching(/^Block 1 of program 999 is missing/)])
  })

  test.each([
    ['1'],
    ['1:2'],
    ['1:2:xyz'],
    [`0:1:${'a'.repeat(64)}`],
    ['1:1:abc:d'],
  ])('what is no head (%s) is not taken for one', (word) => {
    expect(() => readExpectedHeads(['--expect', word])).toThrow(WrongExpectation)
  })

  test('what is no head is answered with how it is used', async () => {
    const { code, stdout, stderr } = await expecting('1:2:xyz')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^--expect .*npm run ledger:verify -- --expect program:number:hash/)
  })

  test('--expect without a head is answered in the same way', async () => {
    expect((await verify('--expect')).code).toBe(2)
  })
})
