/**
 * `npm run bench`: how fast the service is compared to a bare echo, and whether everything it acknowledged is stored.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { catchUp, untilQuiet } from './fill/fill.ts'
import { readIntoMemory } from './fill/read-into-memory.ts'
import { PARTS, type Part, readOptions } from './options.ts'
import { startProcess } from './processes.ts'
import { startBareInsert, startFloor } from './references.ts'
import { figuresOf } from './report/figures.ts'
import { median } from './report/percentiles.ts'
import { describeMachine, loadNow } from './report/results.ts'
import { judge } from './report/targets.ts'
import { writeReport } from './report/write-report.ts'
import type { Line, PlayContext, Target } from './rounds.ts'
import { type Benched, fillBenched, startBenched } from './scenarios/benched.ts'
import { playClicks } from './scenarios/clicks.ts'
import { playDeliveries } from './scenarios/deliveries.ts'
import { playMoney } from './scenarios/money.ts'
import { playPages } from './scenarios/pages.ts'
import { playSoak } from './scenarios/soak.ts'
import { verifyBenched } from './verify/verify.ts'

const options = readOptions(process.argv.slice(2))
const startedAt = performance.now()
const progress = (text: string) =>
  console.error(`  ${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)
const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
// Root runs Postgres as another user, which must be able to traverse this folder.
chmodSync(folder, 0o711)
const running: { stop(): Promise<void> }[] = []

let stopped: Promise<void> | null = null
const stopAll = () => {
  stopped ??= (async () => {
    for (const one of running.reverse()) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  })()
  return stopped
}
const keep = <T extends { stop(): Promise<void> }>(started: T) => {
  running.push(started)
  return started
}

const start = async (starting: Omit<Parameters<typeof startBenched>[0], 'processor'>) => {
  const benched = await startBenched({ ...starting, processor: options.processor })
  keep(benched.service)
  return benched
}

/** One service on an empty database, one with several processes, and one with months of traffic. */
const startAll = async () => {
  progress('starting the service with its own Postgres')
  const all: Benched[] = [await start({ place: 'empty', dataDir: join(folder, 'empty') })]
  if (options.filled) {
    const kept = options.data ? resolve(options.data) : null
    if (kept) mkdirSync(kept, { recursive: true, mode: 0o711 })
    const filled = await start({ place: 'filled', dataDir: join(kept ?? folder, 'filled'), keep: kept !== null })
    if (filled.service.isNew) await fillBenched(filled, options.filled, progress)
    else {
      // The roll-up of an earlier run must not be part of this measurement.
      await untilQuiet({ ...filled.service, progress })
      await catchUp({ ...filled.service, progress })
    }
    filled.since = new Date()
    all.push(filled)
  }
  if (options.workers > 1)
    all.push(await start({ place: 'workers', dataDir: join(folder, 'workers'), workers: options.workers }))
  return all
}

const playPart = async (part: Part, context: PlayContext, floor: Target, all: Benched[]) => {
  if (part === 'pages') return playPages(context, floor, all)
  if (part !== 'clicks') return playMoney(context, part, floor, all)
  const { target: bare } = keep(await startBareInsert(join(folder, 'bare')))
  return playClicks(context, { floor, bare }, all)
}

const playAll = async (context: PlayContext, floor: Target, all: Benched[]) => {
  const lines: Line[] = []
  const filled = all.find(({ place }) => place === 'filled')
  for (const part of PARTS.filter((one) => options.parts.includes(one))) {
    if (filled && !options.cold) await readIntoMemory(filled.service.home, progress)
    lines.push(...(await playPart(part, context, floor, all)))
  }
  return lines
}

/** A quarter of the highest click rate on the empty database: neither idle nor at its limit. */
const soakRate = (lines: Line[]) => {
  const clicks = lines.filter(({ scenario, place }) => scenario.startsWith('click:') && place === 'empty')
  const rates = clicks.map(({ rounds }) => median(rounds.map(({ perSecond }) => perSecond)))
  return rates.length > 0 ? Math.max(...rates) / 4 : 1_000
}

/** `fetch` allows 256 requests in flight by default. */
const ENOUGH_CONNECTIONS = { BUN_CONFIG_MAX_HTTP_REQUESTS: '1024' }

const run = async () => {
  const loadBefore = loadNow()
  const floor = keep(await startFloor())
  const load = keep(startProcess('bench/load/main.ts', { BENCH_CLIENT: options.client, ...ENOUGH_CONNECTIONS }))
  const all = await startAll()
  const context = { load, folder, rounds: options.rounds, seconds: options.seconds, progress }
  const lines = await playAll(context, floor.target, all)
  const [empty] = all
  const soaking = { seconds: options.soakSeconds, perSecond: soakRate(lines) }
  const soak = options.soakSeconds > 0 && empty ? await playSoak(context, empty, soaking) : null
  const deliveries = options.deliveries > 0 && empty ? await playDeliveries(context, empty, options.deliveries) : null

  const faults = [...lines, ...(soak ? [soak] : []), ...(deliveries ? [deliveries] : [])].flatMap(
    ({ failures }) => failures,
  )
  const proofs: string[] = []
  for (const benched of all) {
    const verified = await verifyBenched(benched, progress)
    faults.push(...verified.faults)
    if (verified.faults.length === 0) proofs.push(verified.sentence)
  }
  const figures = figuresOf(lines)
  const { seconds, rounds, workers, filled, cold, client } = options
  writeReport(
    {
      at: new Date().toISOString(),
      machine: describeMachine(),
      figures,
      targets: judge(figures, { soak, deliveries }),
      soak,
      deliveries,
      proofs,
      faults,
      run: { seconds, rounds, workers, filled, cold, client, loadBefore, loadAfter: loadNow() },
    },
    options,
  )
  for (const proof of proofs) console.log(proof)
  for (const fault of faults.slice(0, 20)) console.error(`WRONG: ${fault}`)
  return faults.length === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, async () => {
    progress('stopping')
    await stopAll()
    process.exit(130)
  })

try {
  process.exitCode = await run()
} catch (error) {
  // After a signal everything we started ends, so its errors are expected.
  if (!stopped) console.error(error)
  process.exitCode = stopped ? 130 : 1
} finally {
  await stopAll()
}
