import type { ProcessorConnection } from '@tributary/contract'
import { PROCESSOR_CONNECTION } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { inTransaction, type Tx } from '../../database/transaction.ts'
import type { Log } from '../../log.ts'
import { runs } from '../../platform/runs.ts'
import { findConnectionRow } from '../../programs/processor-connections.ts'
import { connectOwnAccount } from '../connections/connect-own-account.ts'
import { disconnect } from '../connections/disconnect.ts'
import { removeEndpoint } from '../connections/managed-endpoint.ts'
import { makeState } from '../connections/oauth-state.ts'
import { unnamedProcessor } from '../processors.ts'
import type { ProcessorSettings } from '../settings.ts'

type Services = {
  baseUrl: string
  log: Log
  processor: { settings: ProcessorSettings; sealKey: Buffer; stateKey: Buffer }
}

const processor = unnamedProcessor.name

/** The connection of the processor that routes without a name mean, with the merchant's signing secret or through the platform. */
export const processorConnection = ({ baseUrl, log, processor: { settings, sealKey, stateKey } }: Services) => {
  const platform = unnamedProcessor.platform?.(settings)
  return runs(
    PROCESSOR_CONNECTION,
    {},
    {
      get: ({ db, program }) => answerOf(db, program.id, baseUrl),

      connect: async ({ tx, program, clock, audit, body }) => {
        await connectOwnAccount(tx, { key: sealKey, clock, audit }, { processor, program, ...body })
        return answerOf(tx, program.id, baseUrl)
      },

      disconnect: {
        ownTransactions: async ({ db, program: { id: programId }, clock, audit }) => {
          await removeEndpoint(db, { settings, key: sealKey, log }, { processor: unnamedProcessor, programId })
          const accountId = await inTransaction(db, (tx) => disconnect(tx, { programId, processor, clock, audit }))
          // Already disconnected here. If the processor fails, the merchant can still remove the application there.
          if (accountId)
            await platform
              ?.deauthorize(accountId)
              .catch((error: Error) => log.warn({ error: error.message }, 'could not deauthorize the account'))
          return answerOf(db, programId, baseUrl)
        },
      },

      startConnecting: {
        ownTransactions: async ({ program, actor: { sessionId }, clock }) => {
          const state = makeState(stateKey, { programId: program.id, sessionId }, clock())
          if (!platform) throw new Error(`${unnamedProcessor.label} has no platform accounts`)
          return { url: platform.authorizeAddress({ state, redirectUri: `${baseUrl}/api/processor/callback` }) }
        },
      },
    },
  )
}

const answerOf = async (db: Database | Tx, programId: number, baseUrl: string) => {
  const row = await findConnectionRow(db, { programId, processor })
  return {
    status: (row?.status ?? 'not_connected') as ProcessorConnection['status'],
    kind: (row?.kind ?? null) as ProcessorConnection['kind'],
    accountId: row?.accountId ?? null,
    chargesEnabled: row?.chargesEnabled ?? false,
    payoutsEnabled: row?.payoutsEnabled ?? false,
    detailsSubmitted: row?.detailsSubmitted ?? false,
    connectedAt: row?.connectedAt ?? null,
    webhookUrl: `${baseUrl}/api/v1/processor/webhook/${programId}`,
    secretSetAt: row?.secretSetAt ?? null,
    secretConfirmedAt: row?.secretConfirmedAt ?? null,
    previousSecretValidUntil: row?.previousSecretUntil ?? null,
  }
}
