import type { Dashboard } from './dashboard-api.ts'
import { type Kept, keepDemo, readKept } from './kept.ts'

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
 * The shop's program with a partner, their link, a key, a reward and a connection to the processor. What an earlier demo has made
 * is used again; the key and the secret are kept beside the database, for the service shows a key only once.
 */
export const setUpProgram = async (dashboard: Dashboard, { dataDir, shopUrl, payments }: Options) => {
  const programId = await findOrMakeProgram(dashboard)
  const api = `/api/programs/${programId}`
  await findOrMakeLink(dashboard, api, shopUrl)
  const kept = await keepOrMakeSecrets(dashboard, { api, programId, dataDir })
  await dashboard.patch(api, { paymentTrackingMode: payments === 'server' ? 's2s' : 'processor_connect' })
  if (payments === 'processor') await connectProcessor(dashboard, { api, programId, webhookSecret: kept.webhookSecret })
  return { ...kept, aff: AFF, partner: PARTNER.name }
}

const findOrMakeProgram = async (dashboard: Dashboard) => {
  const known = (await dashboard.list('/api/programs')).find(({ name }) => name === PROGRAM.name)
  if (known) return known.id
  const { id } = await dashboard.post('/api/programs', PROGRAM)
  await dashboard.put(`/api/programs/${id}/reward`, REWARD)
  return id
}

const findOrMakeLink = async (dashboard: Dashboard, api: string, shopUrl: string) => {
  const links = await dashboard.list(`${api}/links`)
  if (links.some(({ aff }) => aff === AFF)) return
  const { id: partnerId } = await dashboard.post(`${api}/partners`, PARTNER)
  await dashboard.post(`${api}/links`, { partnerId, aff: AFF, destinationUrl: `${shopUrl}/` })
}

type Place = { api: string; programId: number; dataDir: string }

const keepOrMakeSecrets = async (dashboard: Dashboard, { api, programId, dataDir }: Place): Promise<Kept> => {
  const kept = readKept(dataDir)
  const keys = await dashboard.list(`${api}/api-keys`)
  const isAlive = keys.some(({ id, revokedAt }) => !revokedAt && kept?.apiKey.startsWith(`trk_${id}_`))
  if (kept?.programId === programId && isAlive) return kept
  const { key = '' } = await dashboard.post(`${api}/api-keys`, { name: 'Quillet (npm run demo)' })
  return keepDemo(dataDir, {
    programId,
    apiKey: key,
    webhookSecret: `whsec_${crypto.randomUUID().replaceAll('-', '')}`,
  })
}

type Connection = { api: string; programId: number; webhookSecret: string }

/** The merchant's own account: all that the service needs of it is the secret that its webhooks are signed with. */
const connectProcessor = async (dashboard: Dashboard, { api, programId, webhookSecret }: Connection) => {
  const { statistics } = (await dashboard.get(`/api/tracking/status/${programId}`)) as unknown as {
    statistics: { payments: { processorConnectionStatus: string } }
  }
  const isConnected = ['pending', 'connected'].includes(statistics.payments.processorConnectionStatus)
  if (!isConnected) await dashboard.put(`${api}/processor`, { webhookSecret })
}
