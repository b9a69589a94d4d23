import type { Dashboard } from './dashboard-api.ts'
import { type DemoState, readState, saveState } from './demo-state.ts'

const PROGRAM = { name: 'Quillet partners', currency: 'USD' }
const PARTNER = { name: 'Ines Weber', email: 'ines@example.com', status: 'approved' }
const AFF = 'ines'
const REWARD = {
  lead: null,
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 14,
  minimumPayoutCents: 0,
}

type Options = { dataDir: string; shopUrl: string; payments: 'processor' | 'server' }

/**
 * Creates the shop's program with a partner, link, key, reward and processor connection, or reuses those of an earlier demo. The key
 * and secret are saved next to the database, because the service shows a key only once.
 */
export const setUpProgram = async (dashboard: Dashboard, { dataDir, shopUrl, payments }: Options) => {
  const programId = await findOrCreateProgram(dashboard)
  const api = `/api/programs/${programId}`
  await findOrCreateLink(dashboard, api, shopUrl)
  const state = await findOrCreateSecrets(dashboard, { api, programId, dataDir })
  await dashboard.patch(api, { paymentTrackingMode: payments === 'server' ? 's2s' : 'processor_connect' })
  if (payments === 'processor')
    await connectProcessor(dashboard, { api, programId, webhookSecret: state.webhookSecret })
  return { ...state, aff: AFF, partner: PARTNER.name }
}

const findOrCreateProgram = async (dashboard: Dashboard) => {
  const existing = (await dashboard.list('/api/programs')).find(({ name }) => name === PROGRAM.name)
  if (existing) return existing.id
  const { id } = await dashboard.post('/api/programs', PROGRAM)
  await dashboard.put(`/api/programs/${id}/reward`, REWARD)
  return id
}

const findOrCreateLink = async (dashboard: Dashboard, api: string, shopUrl: string) => {
  const links = await dashboard.list(`${api}/links`)
  if (links.some(({ aff }) => aff === AFF)) return
  const { id: partnerId } = await dashboard.post(`${api}/partners`, { ...PARTNER, createLink: false })
  await dashboard.post(`${api}/links`, { partnerId, aff: AFF, destinationUrl: `${shopUrl}/` })
}

type ProgramPaths = { api: string; programId: number; dataDir: string }

const findOrCreateSecrets = async (
  dashboard: Dashboard,
  { api, programId, dataDir }: ProgramPaths,
): Promise<DemoState> => {
  const state = readState(dataDir)
  const keys = await dashboard.list(`${api}/api-keys`)
  const isActive = keys.some(({ id, revokedAt }) => !revokedAt && state?.apiKey.startsWith(`trk_${id}_`))
  if (state?.programId === programId && isActive) return state
  const { key = '' } = await dashboard.post(`${api}/api-keys`, { name: 'Quillet (npm run demo)' })
  return saveState(dataDir, {
    programId,
    apiKey: key,
    webhookSecret: `whsec_${crypto.randomUUID().replaceAll('-', '')}`,
  })
}

type Connection = { api: string; programId: number; webhookSecret: string }

/** The service needs only the signing secret of the merchant's account. */
const connectProcessor = async (dashboard: Dashboard, { api, programId, webhookSecret }: Connection) => {
  const { statistics } = (await dashboard.get(`/api/tracking/status/${programId}`)) as unknown as {
    statistics: { payments: { processorConnectionStatus: string } }
  }
  const isConnected = ['pending', 'connected'].includes(statistics.payments.processorConnectionStatus)
  if (!isConnected) await dashboard.put(`${api}/processor`, { webhookSecret })
}
