import { afterEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { givenPostgres } from './given-postgres.ts'
import { cleanUp, givenDataDir, givenService } from './given-service.ts'
import { childrenOf } from './processes.ts'

afterEach(cleanUp)

test('with DATABASE_URL the service uses that server and starts none', async () => {
  const { url } = await givenPostgres()
  const dataDir = givenDataDir()
  const service = await givenService({ env: { DATA_DIR: dataDir, DATABASE_URL: url } })
  expect(childrenOf(service.pid)).toEqual([])
  expect(readdirSync(dataDir).sort()).toEqual(['instance.lock', 'secrets.json'])
  service.kill('SIGTERM')
  expect((await service.ended()).code).toBe(0)
})
