import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEFAULT_ACCOUNT, startProcessor } from '../processor/src/index.ts'
import { startShop } from '../shop/src/start-shop.ts'
import { type SignIn, signInToDashboard } from './dashboard-api.ts'
import { startService } from './service.ts'
import { setUpProgram } from './set-up-program.ts'
import { walkOf } from './walk.ts'

/** A demo is no place for anybody's real data, and it knows how to sign in only where it has made the account itself. */
const dataDir = resolve(process.env.DATA_DIR || 'data/demo')
const portOf = (name: string, usual: number) => Number(process.env[name] || usual)
const payments = process.env.PAYMENTS === 'server' ? 'server' : 'processor'

type Stop = () => unknown
const stops: Stop[] = []

/** The shop first, so that nobody buys from a shop that cannot tell anybody. */
const stopAll = async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
}

const readSignIn = (): SignIn => JSON.parse(readFileSync(join(dataDir, 'demo-sign-in.json'), 'utf8'))

const start = async () => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const service = await startService({ port: portOf('PORT', 3000), dataDir })
  if (!service) return null // it has said why
  stops.push(service.stop)
  const processor = startProcessor({ port: portOf('PROCESSOR_PORT', 3002) })
  stops.push(processor.stop)
  const shopPort = portOf('SHOP_PORT', 3001)
  const signIn = readSignIn()
  const dashboard = await signInToDashboard(service.url, signIn)
  const program = await setUpProgram(dashboard, { dataDir, shopUrl: `http://localhost:${shopPort}`, payments })
  processor.addEndpoint({
    url: `${service.url}/api/v1/processor/webhook/${program.programId}`,
    secret: program.webhookSecret,
  })
  const shop = startShop({
    port: shopPort,
    hostname: '127.0.0.1',
    publicUrl: null,
    tributaryUrl: service.url,
    programId: program.programId,
    apiKey: program.apiKey,
    payments,
    processorUrl: processor.url,
    processorKey: DEFAULT_ACCOUNT.secretKey,
  })
  stops.push(shop.stop)
  const walk = { serviceUrl: service.url, shopUrl: shop.url, processorUrl: processor.url, payments, signIn } as const
  console.log(walkOf({ ...walk, ...program }))
  return service
}

let isStopping = false
const stopOnce = async (exitCode: number) => {
  if (isStopping) return
  isStopping = true
  await stopAll()
  process.exit(exitCode)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopOnce(0))
// The launcher's end of this channel closes when the launcher is killed outright.
process.on('disconnect', () => void stopOnce(0))

try {
  const service = await start()
  if (!service) await stopOnce(1)
  else void service.ended.then(() => stopOnce(1))
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  console.error(code === 'EADDRINUSE' ? `${message} Set PORT, SHOP_PORT or PROCESSOR_PORT to a free one.` : message)
  await stopOnce(1)
}
