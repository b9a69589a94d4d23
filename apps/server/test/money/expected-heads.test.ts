import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidExpectedHead, readExpectedHeads } from '../../src/commands/expected-heads.ts'
import { sealProgram } from '../../src/money/ledger/seal.ts'
import { cleanUp, givenDataDir, ROOT } from '../lifecycle/given-service.ts'
import { runCommand } from '../lifecycle/run-command.ts'
import { isLongRun } from '../support/size.ts'
import { givenLedger, givenMoney, onlyLine, TEN_PERCENT } from './given-money.ts'

const ledger = await givenLedger({ tampers: true })

/** One block for each of two sales and a third for their payout; `heads` as they were at the time. */
const givenThreeBlocks = async () => {
  const money = await givenMoney(ledger, TEN_PERCENT)
  const { programId } = money
  const heads: string[] = []
  const seal = () => sealProgram(ledger.db, { programId, at: money.clock.now(), onSealed: (head) => heads.push(head) })
  const key = await money.customer()
  for (let sale = 0; sale < 2; sale++) {
    await money.sale(key, 1_000)
    await seal()
  }
  await money.mark(onlyLine(await money.pay()), 'paid')
  await seal()
  /** As the database owner, who needs no permission. */
  const tamper = async (...statements: string[]) => {
    for (const statement of statements) {
      const { rowCount } = await ledger.pool.query(statement, [programId])
      expect(rowCount).toBeGreaterThan(0)
    }
  }
  return { ...money, heads, head: (number: number) => heads[number - 1] ?? '', seal, tamper }
}

/** The third block, its lines, and their payout. */
const REMOVE_THE_TAIL = [
  'DELETE FROM ledger_block_lines WHERE program_id = $1 AND block_number = 3',
  'DELETE FROM ledger_blocks WHERE program_id = $1 AND number = 3',
  'DELETE FROM ledger_lines WHERE program_id = $1 AND payout_line_id IS NOT NULL',
  'DELETE FROM payout_commissions WHERE program_id = $1',
  'DELETE FROM payout_statement_items WHERE program_id = $1',
  'DELETE FROM payout_statements WHERE program_id = $1',
  'DELETE FROM payout_statement_numbers WHERE program_id = $1',
  'DELETE FROM payout_lines WHERE program_id = $1',
  'DELETE FROM payouts WHERE program_id = $1',
]

let untouched: Awaited<ReturnType<typeof givenThreeBlocks>>
beforeAll(async () => {
  untouched = await givenThreeBlocks()
})
afterEach(cleanUp)

const verify = (...words: string[]) =>
  runCommand('verify', { DATA_DIR: givenDataDir(), DATABASE_URL: ledger.databaseUrl }, ...words)

const expecting = (...expected: string[]) => verify(...expected.flatMap((head) => ['--expect', head]))

const hashOf = (head: string) => head.split(':')[2]

/** The reported differences, which the last line and the exit code must confirm. */
const differencesIn = ({ code, stdout, stderr }: Awaited<ReturnType<typeof verify>>) => {
  const lines = stdout.trim().split('\n')
  const found = lines.filter((line) => line.includes('DIFFERENCE'))
  expect(lines.at(-1)).toEndWith(found.length === 1 ? ', 1 difference' : `, ${found.length} differences`)
  expect([code, stderr]).toEqual([found.length > 0 ? 1 : 0, ''])
  return found
}

describe('tributary verify', () => {
  test('prints the latest block of each program as program:number:hash', async () => {
    const { programId, heads } = untouched
    expect(heads.map((head) => head.replace(/[0-9a-f]{64}$/, 'hash'))).toEqual(
      [1, 2, 3].map((number) => `${programId}:${number}:hash`),
    )
    const other = await givenThreeBlocks()
    const { stdout } = await verify()
    const printed = stdout.split('\n').filter((line) => /^\d+:\d+:[0-9a-f]+$/.test(line))
    expect(printed).toEqual([untouched.head(3), other.head(3)])
  })

  test('accepts every head that was noted before, of any program, also in capitals', async () => {
    const other = await givenThreeBlocks()
    expect(differencesIn(await expecting(...untouched.heads, ...other.heads))).toEqual([])
    expect(differencesIn(await expecting(untouched.head(2).toUpperCase()))).toEqual([])
  })

  test('finds a removed tail only if the head is expected', async () => {
    const money = await givenThreeBlocks()
    await money.tamper(...REMOVE_THE_TAIL)
    // The paid amount is payable again, and nothing in the database contradicts it.
    expect(await money.balance()).toMatchObject({ payableCents: 200, paidCents: 0 })
    expect(differencesIn(await verify())).toEqual([])
    expect(differencesIn(await expecting(money.head(1), money.head(2)))).toEqual([])

    expect(differencesIn(await expecting(...money.heads))).toEqual([
      `program ${money.programId}: DIFFERENCE: expected block 3 with hash ${hashOf(money.head(3))}, but the ledger ends at block 2: lines were removed after that head was saved`,
    ])
  })

  test('finds a rewritten and resealed block only if its head is expected', async () => {
    const money = await givenThreeBlocks()
    await money.tamper(
      `UPDATE ledger_lines SET created_at = created_at - interval '1 hour' WHERE program_id = $1 AND id IN (
        SELECT line_id FROM ledger_block_lines WHERE program_id = $1 AND block_number = 2)`,
      'DELETE FROM ledger_block_lines WHERE program_id = $1 AND block_number >= 2',
      'DELETE FROM ledger_blocks WHERE program_id = $1 AND number >= 2',
    )
    await money.seal()
    expect(differencesIn(await verify())).toEqual([])

    const [, noted, , sealedAgain] = money.heads
    expect(differencesIn(await expecting(money.head(1), noted ?? ''))).toEqual([
      `program ${money.programId}: DIFFERENCE: expected block 2 with hash ${hashOf(noted ?? '')}, but it has hash ${hashOf(sealedAgain ?? '')}: lines were removed or rewritten after that head was saved`,
    ])
  })

  test('finds that a program has lost all its blocks', async () => {
    const { programId } = await givenMoney(ledger, TEN_PERCENT)
    expect(differencesIn(await expecting(`${programId}:1:${'a'.repeat(64)}`))).toEqual([
      `program ${programId}: DIFFERENCE: expected block 1 with hash ${'a'.repeat(64)}, but the ledger has no block: lines were removed after that head was saved`,
    ])
  })
})

describe('--expect rejects', () => {
  test.each([
    ['1'],
    ['1:2'],
    ['1:2:xyz'],
    ['1:1:abc:d'],
    [`0:1:${'a'.repeat(64)}`],
    [`1:0:${'a'.repeat(64)}`],
    [`1:2147483648:${'a'.repeat(64)}`],
    [`9999999999:1:${'a'.repeat(64)}`],
    [`1:1:${'a'.repeat(63)}`],
    [` 1:1:${'a'.repeat(64)}`],
  ])('an invalid head: %s', (word) => {
    expect(() => readExpectedHeads(['--expect', word])).toThrow(InvalidExpectedHead)
  })

  test('an invalid head in one sentence, with the usage, before it verifies anything', async () => {
    const { code, stdout, stderr } = await expecting(untouched.head(3), '1:2:xyz')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^--expect .*"1:2:xyz".*npm run tributary -- verify \[--expect program:number:hash.*\n$/)
  })

  test('a missing value in the same way', async () => {
    expect(await verify('--expect')).toMatchObject({ code: 2, stdout: '' })
  })

  test('a program that is not in the database, before it verifies anything', async () => {
    expect(await expecting(untouched.head(3), `2147483647:1:${'a'.repeat(64)}`)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        '--expect names program 2147483647, which is not in this database. The head is from another instance, or the program was deleted.\n',
    })
  })
})

test.skipIf(!isLongRun)(
  'the guide’s script saves heads, accepts them the next night, and keeps them when one is missing',
  async () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/money.md'), 'utf8')
    const [, script = ''] = /```bash\n(.*?)```/s.exec(guide) ?? []
    expect(script).toContain('npm run -s ledger:verify -- ')
    const money = await givenThreeBlocks()
    const [folder, DATA_DIR] = [givenDataDir(), givenDataDir()]
    // Replaces npm, which would install first: arguments after `npm run -s ledger:verify --` go to the command.
    const npm = join(folder, 'npm')
    const file = join(ROOT, 'apps/server/src/commands/cli.ts')
    await Bun.write(npm, `#!/bin/sh\nshift 4\nexec "${process.execPath}" "${file}" verify "$@"\n`)
    chmodSync(npm, 0o755)
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, DATA_DIR, DATABASE_URL: ledger.databaseUrl }
    const night = async () => {
      const code = await Bun.spawn(['sh', '-c', script], { cwd: folder, env, stdout: 'ignore' }).exited
      return { code, heads: readFileSync(join(folder, 'heads.txt'), 'utf8').trim().split('\n') }
    }

    const first = await night()
    expect(first).toEqual({ code: 0, heads: expect.arrayContaining([untouched.head(3), money.head(3)]) })
    expect(await night()).toEqual(first)
    await money.tamper(...REMOVE_THE_TAIL)
    expect(await night()).toEqual({ ...first, code: 1 })
  },
)
