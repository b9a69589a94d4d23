import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEFAULT_ACCOUNT } from '../processor/src/index.ts'
import { startShop } from '../shop/src/start-shop.ts'
import { findPortProblem } from './check-ports.ts'
import { type SignIn, signInToDashboard } from './dashboard-api.ts'
import { readProcessorName, startDemoProcessor, webhookPathOf, webhookSecretOf } from './demo-processor.ts'
import { formatInstructions } from './instructions.ts'
import { startService } from './service.ts'
import { setUpProgram } from './set-up-program.ts'

/** Separate from real data. The demo can sign in only to an instance it created. */
const dataDir = resolve(process.env.DATA_DIR || 'data/demo')
const readPort = (name: string, defaultPort: number) => Number(process.env[name] || defaultPort)
const ports = {
  PORT: readPort('PORT', 3000),
  SHOP_PORT: readPort('SHOP_PORT', 3001),
  PROCESSOR_PORT: readPort('PROCESSOR_PORT', 3002),
}
const payments = process.env.PAYMENTS === 'server' ? 'server' : 'processor'

type Stop = () => unknown
const stops: Stop[] = []

/** Stops the shop first, so that it never runs without the service. */
const stopAll = async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
}

/** The service creates a demo account on its first start and saves the password in the data folder. */
const readSignIn = (): SignIn => {
  const file = join(dataDir, 'demo-sign-in.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  throw new Error(`${dataDir} does not contain a demo. Set DATA_DIR to a new folder.`)
}

const start = async () => {
  const name = readProcessorName(process.argv.slice(2))
  const problem = await findPortProblem(ports)
  if (problem) throw new Error(problem)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const service = startService({ port: ports.PORT, dataDir })
  stops.push(service.stop)
  if (!(await service.ready())) return null
  const signIn = readSignIn()
  const dashboard = await signInToDashboard(service.url, signIn)
  const program = await setUpProgram(dashboard, {
    dataDir,
    shopUrl: `http://localhost:${ports.SHOP_PORT}`,
    payments,
    processor: name,
    password: signIn.password,
  })
  const processor = startDemoProcessor({
    name,
    port: ports.PROCESSOR_PORT,
    webhookUrl: service.url + webhookPathOf(name, program.programId),
    secret: webhookSecretOf(name, program.webhookSecret),
  })
  stops.push(processor.stop)
  const shop = startShop({
    port: ports.SHOP_PORT,
    hostname: '127.0.0.1',
    publicUrl: null,
    tributaryUrl: service.url,
    programId: program.programId,
    apiKey: program.apiKey,
    payments,
    processor: name,
    processorUrl: processor.url,
    processorKey: DEFAULT_ACCOUNT.secretKey,
  })
  stops.push(shop.stop)
  const instructions = {
    serviceUrl: service.url,
    shopUrl: shop.url,
    processorUrl: processor.url,
    processor: name,
    payments,
    signIn,
  } as const
  console.log(formatInstructions({ ...instructions, ...program }))
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
// The channel closes when the launcher is killed.
process.on('disconnect', () => void stopOnce(0))

try {
  const service = await start()
  if (!service) await stopOnce(1)
  else void service.ended.then(() => stopOnce(1))
} catch (error) {
  console.error((error as Error).message)
  await stopOnce(1)
}
