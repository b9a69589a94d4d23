import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEFAULT_ACCOUNT, startProcessor } from '../processor/src/index.ts'
import { startShop } from '../shop/src/start-shop.ts'
import { type SignIn, signInToDashboard } from './dashboard-api.ts'
import { sentenceAboutTakenPort } from './free-ports.ts'
import { startService } from './service.ts'
import { setUpProgram } from './set-up-program.ts'
import { walkOf } from './walk.ts'

/** A demo is no place for anybody's real data, and it knows how to sign in only where it has made the account itself. */
const dataDir = resolve(process.env.DATA_DIR || 'data/demo')
const portOf = (name: string, usual: number) => Number(process.env[name] || usual)
const ports = {
  PORT: portOf('PORT', 3000),
  SHOP_PORT: portOf('SHOP_PORT', 3001),
  PROCESSOR_PORT: portOf('PROCESSOR_PORT', 3002),
}
const payments = process.env.PAYMENTS === 'server' ? 'server' : 'processor'

type Stop = () => unknown
const stops: Stop[] = []

/** The shop first, so that nobody buys from a shop that cannot tell anybody. */
const stopAll = async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
}

/** The service makes an account for its demo on the first start of a data folder, and keeps the password beside it. */
const readSignIn = (): SignIn => {
  const file = join(dataDir, 'demo-sign-in.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  throw new Error(
    `There is no demo in ${dataDir}, but something else. Set DATA_DIR to a folder that does not exist yet.`,
  )
}

const start = async () => {
  const problem = await sentenceAboutTakenPort(ports)
  if (problem) throw new Error(problem)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const service = startService({ port: ports.PORT, dataDir })
  stops.push(service.stop)
  if (!(await service.ready())) return null
  const processor = startProcessor({ port: ports.PROCESSOR_PORT })
  stops.push(processor.stop)
  const signIn = readSignIn()
  const dashboard = await signInToDashboard(service.url, signIn)
  const program = await setUpProgram(dashboard, { dataDir, shopUrl: `http://localhost:${ports.SHOP_PORT}`, payments })
  processor.addEndpoint({
    url: `${service.url}/api/v1/processor/webhook/${program.programId}`,
    secret: program.webhookSecret,
  })
  const shop = startShop({
    port: ports.SHOP_PORT,
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
  console.error((error as Error).message)
  await stopOnce(1)
}
