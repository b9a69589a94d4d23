import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { inTransaction } from '../../src/database/transaction.ts'
import { beginEpoch } from '../../src/outbox/epochs.ts'
import { loadSecrets } from '../../src/secrets.ts'
import { startService } from '../../src/service.ts'
import { givenDatabase } from '../lifecycle/given-postgres.ts'
import { cleanUp, givenDataDir } from '../lifecycle/given-service.ts'
import { runCommand } from '../lifecycle/run-command.ts'
import { expectRefusal, givenProgram } from '../support/given.ts'
import { asService } from '../support/postgres.ts'
import { quickPasswords } from '../support/quick-passwords.ts'
import { CONFIG, SECRETS } from '../support/service.ts'
import { givenService } from '../support/shared-service.ts'
import { bearer, eventsOf, openStream } from './given-events.ts'

const service = await givenService()
afterAll(cleanUp)

const givenShop = async () => {
  const shop = await givenProgram(service)
  const sell = (invoice_id: string) => shop.sale({ customer_key: 'x', amount: 100, invoice_id })
  return { ...shop, sell, read: readerOf(service.url, shop.key) }
}

/** Answers to a consumer of `GET /api/v1/events`. */
const readerOf =
  (url: string, key: string) =>
  async (query: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1/events${query}`, { headers: { ...bearer(key), ...headers } })
    const { status, headers: answered } = response
    // A stream that opens would not end.
    if (status === 200 && headers.accept) await response.body?.cancel()
    return { status, headers: answered, body: response.bodyUsed ? {} : JSON.parse(await response.text()) }
  }

const givenBackup = async () => {
  const dataDir = givenDataDir()
  loadSecrets(dataDir)
  const file = join(dataDir, 'backup.gz')
  const made = await runCommand('backup', { DATA_DIR: dataDir, DATABASE_URL: service.databaseUrl }, file)
  expect(made.stderr).toBe('')
  return file
}

/** The service, started on a restored backup. */
const givenRestored = async (file: string, key: string) => {
  const ownerUrl = await givenDatabase('template1')
  const restored = await runCommand('restore', { DATA_DIR: givenDataDir(), DATABASE_URL: ownerUrl }, file)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const started = await startService({
    config: CONFIG,
    secrets: SECRETS,
    databaseUrl: await asService(ownerUrl),
    ownerUrl,
    clock: service.clock.now,
    passwords: quickPasswords,
  })
  const sell = (invoice_id: string) =>
    fetch(`${started.url}/api/v1/track/sale`, {
      method: 'POST',
      headers: { ...bearer(key), 'content-type': 'application/json' },
      body: JSON.stringify({ customer_key: 'x', amount: 100, invoice_id }),
    })
  return { ...started, sell, read: readerOf(started.url, key) }
}

const sequencesOf = ({ body }: { body: { data: { sequence: number }[] } }) => body.data.map(({ sequence }) => sequence)

test('after a restore, 409 events_ahead for what the backup did not have, also once as many events exist again', async () => {
  const { key, sell, read } = await givenShop()
  await sell('in-1')
  expect((await read('?after=0')).body).toMatchObject({ data: [{ sequence: 1 }], epoch: 0 })
  const file = await givenBackup()
  await sell('in-2')
  const [lost] = (await read('?after=1')).body.data

  const restored = await givenRestored(file, key)
  await restored.sell('in-3')
  const known = await restored.read('?after=1&epoch=0')
  const { epoch } = known.body
  expect(known).toMatchObject({ status: 200, body: { data: [{ sequence: lost.sequence }] } })
  // A receiver that skips IDs it has had does not skip this event.
  expect(known.body.data[0].id).not.toBe(lost.id)
  for (const answer of [
    await restored.read('?after=2&epoch=0'),
    await restored.read('', { accept: 'text/event-stream', 'last-event-id': '2' }),
  ]) {
    expectRefusal(answer, 409, 'events_ahead')
    expect(answer.body.error.message).toContain(`after=2&epoch=${epoch}.`)
  }
  expect((await restored.read(`?after=2&epoch=${epoch}`)).body).toEqual({ data: [], has_more: false, epoch })

  const stream = await openStream({ ...service, url: restored.url }, key, '?after=1&epoch=0')
  const [{ id = '' } = {}] = await stream.events(1)
  expect(id).toBe(`2-${epoch}`)
  stream.close()
  await restored.sell('in-4')
  const resumed = await openStream({ ...service, url: restored.url }, key, '', { 'last-event-id': id })
  expect((await resumed.events(1)).map(({ event }) => event.sequence)).toEqual([3])
  resumed.close()
  await restored.stop()

  const again = await givenRestored(file, key)
  await again.sell('in-5')
  expectRefusal(await again.read(`?after=2&epoch=${epoch}`), 409, 'events_ahead')
  expect(sequencesOf(await again.read('?after=1&epoch=0'))).toEqual([2])
  await again.stop()
})

test('a consumer continues across restores as long as it has nothing that they took back', async () => {
  const { key, sell, read } = await givenShop()
  const restore = () => inTransaction(service.db, beginEpoch)
  const epochs = [0]
  for (const invoiceId of ['in-1', 'in-2', 'in-3']) {
    await sell(invoiceId)
    await eventsOf(service, key)('?after=0')
    await restore()
    epochs.push((await read('?after=0')).body.epoch)
  }
  await sell('in-4')
  expect(new Set(epochs).size).toBe(4)
  for (const [index, epoch] of epochs.entries()) {
    const last = index + 1
    expect((await read(`?after=${last}&epoch=${epoch}`)).status).toBe(200)
    const answer = await read(`?after=${last + 1}&epoch=${epoch}`)
    expectRefusal(answer, 409, 'events_ahead')
  }
  expectRefusal(await read('?after=1&epoch=7'), 409, 'events_ahead')
  // Without an epoch, only the number counts.
  expect(sequencesOf(await read('?after=3'))).toEqual([4])
  expectRefusal(await read('?after=1&epoch=x'), 400, 'invalid_request')
})
