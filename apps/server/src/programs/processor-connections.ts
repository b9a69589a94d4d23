import type { Database } from '../database/connect.ts'

const NOT_CONNECTED = {
  status: 'not_connected',
  accountId: null,
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: false,
  connectedAt: null,
}

export const findProcessorConnection = async (db: Database, programId: number) =>
  (await db
    .selectFrom('processorConnections')
    .select(['status', 'accountId', 'chargesEnabled', 'payoutsEnabled', 'detailsSubmitted', 'connectedAt'])
    .where('programId', '=', programId)
    .executeTakeFirst()) ?? NOT_CONNECTED
