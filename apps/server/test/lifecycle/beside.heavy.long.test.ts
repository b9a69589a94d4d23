import { afterEach, expect, test } from 'bun:test'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OWN_VERSION } from '../../src/database/schema/own-migrations.ts'
import { givenCloneIn, mainOf } from './given-clone.ts'
import { givenDatabase } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService } from './given-service.ts'
import { CUSTOMERS_PER_PHASE, expectEveryCent, givenProgramOn, givenShoppers } from './given-shoppers.ts'

afterEach(cleanUp)

/** What an expanding migration does: columns with a default, an index and a table, which older code does not know. */
const NEXT_RELEASE = `
  ALTER TABLE sales ADD COLUMN channel text NOT NULL DEFAULT 'web';
  ALTER TABLE customers ADD COLUMN notes integer NOT NULL DEFAULT 0;
  ALTER TABLE ledger_lines ADD COLUMN remark text;
  CREATE INDEX sales_by_channel ON sales (program_id, channel);
  CREATE TABLE sale_remarks (program_id integer NOT NULL, sale_id bigint NOT NULL, PRIMARY KEY (program_id, sale_id));
`

test('a version beside a newer one loses no sale and no cent, from before its migration until it stops', async () => {
  const DATABASE_URL = await givenDatabase()
  const [first, second] = [givenDataDir(), givenDataDir()]
  const env = { DATABASE_URL, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const old = await givenService({ env: { ...env, DATA_DIR: first } })
  cpSync(join(first, 'secrets.json'), join(second, 'secrets.json'))
  const program = await givenProgramOn(DATABASE_URL)
  const shoppers = givenShoppers([old], program)
  await shoppers.runPhase()

  const clone = givenCloneIn(givenDataDir())
  writeFileSync(join(clone, `apps/server/migrations/9998-next.beside-${OWN_VERSION}.sql`), NEXT_RELEASE)
  const next = await shoppers.runWhile(
    givenService({ command: mainOf(clone), cwd: clone, env: { ...env, DATA_DIR: second } }),
  )
  shoppers.nodes.push(next)
  await shoppers.runPhase()

  const ending = shoppers.runPhase()
  shoppers.nodes.shift()
  old.kill('SIGTERM')
  expect(await old.ended()).toMatchObject({ code: 0, complaints: expect.not.stringContaining('9998') })
  await ending
  await shoppers.runPhase()

  for (const node of [old, next]) expect(shoppers.served.get(node)).toBeGreaterThan(CUSTOMERS_PER_PHASE)
  await expectEveryCent(program, shoppers)
})
