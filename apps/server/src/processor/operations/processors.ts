import type { ProgramProcessor } from '@tributary/contract'
import { PROGRAM_PROCESSORS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Log } from '../../log.ts'
import { runs } from '../../platform/runs.ts'
import {
  type ConnectionRow,
  changeConnection,
  listConnectionRows,
  lockConnection,
} from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { connectWithSecret, refuseMalformed } from '../connections/connect-with-secret.ts'
import { disconnect } from '../connections/disconnect.ts'
import { type PreparedEndpoint, prepareEndpoint, removeEndpoint } from '../connections/managed-endpoint.ts'
import { eventsSeen } from '../events-seen.ts'
import type { Processor } from '../port.ts'
import { findProcessor, processors } from '../processors.ts'
import type { ProcessorSettings } from '../settings.ts'

type Services = { baseUrl: string; log: Log; processor: { settings: ProcessorSettings; sealKey: Buffer } }

/** A program's connections to payment processors, with everything that their set-up pages show. */
export const programProcessors = ({ baseUrl, log, processor: { settings, sealKey } }: Services) => {
  const answerOf = async (db: Database | Tx, program: Program, processor: Processor) => {
    const rows = await listConnectionRows(db, program.id)
    return describe(db, { baseUrl, settings, program, processor, rows })
  }
  return runs(
    PROGRAM_PROCESSORS,
    {
      processor: { what: 'payment processor', find: async (_: Database, { id }: { id: string }) => findProcessor(id) },
    },
    {
      list: async ({ db, program }) => {
        const rows = await listConnectionRows(db, program.id)
        const answers: ProgramProcessor[] = []
        for (const processor of processors)
          answers.push(await describe(db, { baseUrl, settings, program, processor, rows }))
        return answers
      },

      connect: {
        ownTransactions: async ({ db, program, processor, clock, audit, body }) => {
          refuseMalformed(processor, body)
          const request = { processor, program, ...body }
          const url = endpointUrl(baseUrl, processor, program)
          const endpoint = await prepareEndpoint(db, { settings, key: sealKey, log }, { ...request, url })
          try {
            await inTransaction(db, (tx) => connect(tx, { key: sealKey, clock, audit }, { ...request, endpoint }))
          } catch (error) {
            await endpoint?.undo()
            throw error
          }
          await endpoint?.tidy()
          return answerOf(db, program, processor)
        },
      },

      disconnect: {
        ownTransactions: async ({ db, program, processor, clock, audit }) => {
          const { id: programId } = program
          await removeEndpoint(db, { settings, key: sealKey, log }, { processor, programId })
          const ended = { programId, processor: processor.name, clock, audit }
          const accountId = await inTransaction(db, (tx) => disconnect(tx, ended))
          // Already disconnected here. If the processor fails, the merchant can still remove the application there.
          if (accountId)
            await processor
              .platform?.(settings)
              .deauthorize(accountId)
              .catch((error: Error) => log.warn({ error: error.message }, 'could not deauthorize the account'))
          return answerOf(db, program, processor)
        },
      },
    },
  )
}

type Deps = Parameters<typeof connectWithSecret>[1]
type ConnectRequest = Parameters<typeof connectWithSecret>[2] & { endpoint: PreparedEndpoint | null }

const connect = async (tx: Tx, deps: Deps, { endpoint, ...request }: ConnectRequest) => {
  if (!endpoint) return connectWithSecret(tx, deps, request)
  const { webhookSecret, endpointId, endpointEvents } = endpoint
  const key = { programId: request.program.id, processor: request.processor.name }
  const before = await lockConnection(tx, key)
  const isSame = webhookSecret ? !before?.secret : before?.endpointId === endpointId
  if (!isSame) throw new Refusal('conflict', 'The connection was changed at the same time. Reload and try again.')
  await connectWithSecret(tx, deps, { ...request, ...(webhookSecret && { webhookSecret }) })
  await changeConnection(tx, key, { endpointId, endpointEvents })
}

const endpointUrl = (baseUrl: string, { name }: Processor, { id }: Program) =>
  `${baseUrl}/api/v1/processor/${name}/webhook/${id}`

type Described = {
  baseUrl: string
  settings: ProcessorSettings
  program: Program
  processor: Processor
  rows: ConnectionRow[]
}

const describe = async (
  db: Database | Tx,
  { baseUrl, settings, program, processor, rows }: Described,
): Promise<ProgramProcessor> => {
  const { name, label, setUp } = processor
  const row = rows.find((each) => each.processor === name)
  const { secret, account, apiKey, example, hasSandbox = false, ...guide } = setUp
  return {
    processor: name,
    label,
    status: (row?.status ?? 'not_connected') as ProgramProcessor['status'],
    kind: (row?.kind ?? null) as ProgramProcessor['kind'],
    accountId: row?.accountId ?? null,
    endpointUrl: endpointUrl(baseUrl, processor, program),
    managesEndpoint: Boolean(row?.endpointId),
    eventTypes: await eventTypesOf(db, { program, processor, row }),
    connectedAt: textOf(row?.connectedAt),
    secretSetAt: textOf(row?.secretSetAt),
    secretConfirmedAt: textOf(row?.secretConfirmedAt),
    hasNextSecret: Boolean(row?.nextSecret),
    hasApiKey: Boolean(row?.apiKey),
    test: row?.livemode === false,
    flagsReportedAt: textOf(row?.flagsAt),
    previousSecretValidUntil: textOf(row?.previousSecretUntil),
    chargesEnabled: row?.chargesEnabled ?? false,
    payoutsEnabled: row?.payoutsEnabled ?? false,
    detailsSubmitted: row?.detailsSubmitted ?? false,
    offersPlatform: processor.platform?.(settings).isConfigured ?? false,
    setUp: {
      ...guide,
      createsEndpoint: processor.endpoints !== undefined,
      hasSandbox,
      example: example(program.id),
      secret: fieldOf(secret),
      apiKey: apiKey ? { ...fieldOf(apiKey), permissions: apiKey.permissions } : null,
      account: account ? fieldOf(account) : null,
    },
  }
}

const textOf = (at: Date | null | undefined) => at?.toISOString() ?? null

const fieldOf = ({ label, placeholder }: { label: string; placeholder: string }) => ({ label, placeholder })

type Connected = { program: Program; processor: Processor; row: ConnectionRow | undefined }

/**
 * The subscriptions of an endpoint that was created here are known. Of others, an event that arrived since it was connected is the proof.
 */
const eventTypesOf = async (db: Database | Tx, { program, processor, row }: Connected) => {
  const isConnected = row !== undefined && row.status !== 'disconnected'
  const since = textOf(row?.secretSetAt ?? row?.connectedAt) ?? ''
  const seen = await eventsSeen(db, processor, program.workspaceId)
  return seen.map(({ type, lastReceivedAt: lastSeenAt }) => ({
    type,
    subscribed: row?.endpointEvents
      ? row.endpointEvents.includes(type)
      : isConnected && lastSeenAt !== null && lastSeenAt >= since,
    lastSeenAt,
  }))
}
