import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/connect.ts'
import type { Log } from '../../log.ts'
import { type ConnectionRow, findConnectionRow } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { openSecret } from '../../sealed-secrets.ts'
import { ApiRefusal } from '../call-api.ts'
import type { Endpoints, Processor } from '../port.ts'
import type { ProcessorSettings } from '../settings.ts'

type Services = { settings: ProcessorSettings; key: Buffer; log: Log }
type Given = { webhookSecret?: string | undefined; nextWebhookSecret?: string | undefined; apiKey?: string | undefined }
type ConnectRequest = Given & { processor: Processor; program: Program; url: string }

/** An endpoint that was just created or updated at the processor. */
export type PreparedEndpoint = {
  endpointId: string
  endpointEvents: string[]
  /** Of a new endpoint; absent if it existed before. */
  webhookSecret?: string
  /** Removes a new endpoint whose connection could not be stored. */
  undo: () => Promise<void>
  /** Removes what earlier attempts left at the processor. */
  tidy: () => Promise<void>
}

/**
 * Creates the endpoint at the processor with the merchant's API key, or updates the one created before. Null if the merchant manages the
 * endpoint. Runs before anything is stored, and outside a transaction, because a processor can be slow.
 */
export const prepareEndpoint = async (
  db: Database,
  { settings, key, log }: Services,
  { processor, program, url, ...given }: ConnectRequest,
): Promise<PreparedEndpoint | null> => {
  const endpoints = processor.endpoints?.(settings)
  if (!endpoints || given.webhookSecret !== undefined || given.nextWebhookSecret !== undefined) return null
  const before = await findConnectionRow(db, { programId: program.id, processor: processor.name })
  const { eventTypes } = processor
  if (before?.endpointId) {
    const apiKey = given.apiKey ?? savedKey(key, before)
    if (!apiKey) return null
    const updated = await endpoints.update(apiKey, { id: before.endpointId, url, eventTypes }).catch(explainMissing)
    const nothing = async () => undefined
    return { endpointId: before.endpointId, endpointEvents: updated.eventTypes, undo: nothing, tidy: nothing }
  }
  const { apiKey } = given
  const isConnected = before !== undefined && before.status !== 'disconnected'
  if (isConnected || apiKey === undefined) return null
  const attempt = randomUUID()
  const removeUnused = (isUnused: (endpoint: Created) => boolean) =>
    removeCreated(endpoints, apiKey, isUnused).catch(warn(log, 'could not remove unused endpoints'))
  const created = await endpoints.create(apiKey, { url, eventTypes, attempt }).catch(async (error: unknown) => {
    // The answer may be lost although the endpoint exists. No one knows its secret.
    if (!isRefused(error)) await removeUnused((one) => one.attempt === attempt)
    throw error
  })
  const { id, secret, eventTypes: subscribed } = created
  const undo = () => endpoints.remove(apiKey, id).catch(warn(log, 'could not remove an unused endpoint'))
  const tidy = () => removeUnused((one) => one.url === url && one.id !== id)
  return { endpointId: id, endpointEvents: subscribed, webhookSecret: secret, undo, tidy }
}

type Created = Awaited<ReturnType<Endpoints['listCreated']>>[number]

/** What remains after a failure receives 400 from us, and the next successful call removes it. */
const removeCreated = async (endpoints: Endpoints, apiKey: string, isUnused: (endpoint: Created) => boolean) => {
  for (const { id } of (await endpoints.listCreated(apiKey)).filter(isUnused)) await endpoints.remove(apiKey, id)
}

const isMissing = (error: unknown) => error instanceof ApiRefusal && error.answer === 404

/** The processor says that it did nothing. */
const isRefused = (error: unknown) => error instanceof ApiRefusal && error.answer !== null && error.answer < 500

const explainMissing = (error: unknown): never => {
  throw isMissing(error)
    ? new Refusal('conflict', 'The processor no longer has the endpoint. Disconnect here and connect again.')
    : error
}

/**
 * Removes the endpoint that was created for the connection. If the processor is down, the call is refused and the connection stays; a key
 * that no longer works must not keep anyone from disconnecting.
 */
export const removeEndpoint = async (
  db: Database,
  { settings, key, log }: Services,
  { processor, programId }: { processor: Processor; programId: number },
) => {
  const before = await findConnectionRow(db, { programId, processor: processor.name })
  const apiKey = before && savedKey(key, before)
  if (!before?.endpointId || !apiKey) return
  await processor
    .endpoints?.(settings)
    .remove(apiKey, before.endpointId)
    .catch((error: unknown) => {
      if (isMissing(error)) return
      if (!(error instanceof ApiRefusal) || error.code !== 'conflict') throw error
      log.warn({ error: error.message }, 'could not remove the endpoint at the payment processor')
    })
}

const savedKey = (key: Buffer, { programId, apiKey: sealed }: ConnectionRow) =>
  sealed ? openSecret(key, { programId, sealed }) : null

const warn = (log: Log, message: string) => (error: Error) => log.warn({ error: error.message }, message)
