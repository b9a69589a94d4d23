/** `npm run bench`: how many clicks a second are committed and acknowledged here, and whether all of them are there. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions } from './options.ts'
import { startProcess } from './processes.ts'
import { type Line, ratio, table } from './report.ts'
import { playRounds, type Target } from './rounds.ts'
import { type BenchedService, startBenchedService } from './service.ts'
import { sampleClickIds, storeClicks } from './stored-clicks.ts'
import { findFaults } from './verify.ts'

const options = readOptions(process.argv.slice(2))
const progress = (text: string) => console.error(`  ${text}`)
const folder = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
// Root's Postgres is another user's, and has to come through here.
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

const startFloor = async (): Promise<Target> => {
  const floor = keep(startProcess('bench/floor.ts'))
  const { port } = await floor.nextMessage<{ port: number }>()
  return {
    name: 'floor: bare JSON echo',
    port,
    pid: floor.pid,
    affs: ['partner1'],
    returning: true,
    knownClickIds: ['1_0mi0example'.padEnd(33, 'x')],
    acknowledged: null,
  }
}

type Benched = { service: BenchedService; target: Target & { acknowledged: string[] }; since: Date }

const startClicks = async (stored: number): Promise<Benched> => {
  const service = keep(await startBenchedService(join(folder, `stored-${stored}`)))
  if (stored > 0) await storeClicks(service, stored, progress)
  const name = stored > 0 ? `click, ${stored.toLocaleString('en')} stored` : 'click, many links, some return'
  const { port, pid, affs } = service
  const knownClickIds = stored > 0 ? await sampleClickIds(service) : []
  return {
    service,
    target: { name, port, pid, affs, returning: true, knownClickIds, acknowledged: [] },
    since: new Date(),
  }
}

const run = async () => {
  progress('starting the floor, the load and the service with its own Postgres')
  const floor = await startFloor()
  const load = keep(startProcess('bench/load.ts'))
  const empty = await startClicks(0)
  const benched = [empty]
  if (options.stored > 0) benched.push(await startClicks(options.stored))
  // The bare path, to compare with other measurements of it; what is acknowledged goes to the same list.
  const bare = {
    ...empty.target,
    name: 'click, one link, all new',
    affs: empty.target.affs.slice(0, 1),
    returning: false,
  }
  const targets = [floor, bare, ...benched.map(({ target }) => target)]

  const lines: Line[] = []
  for (const connections of options.connections) {
    const measured = await playRounds(load, { ...options, targets, folder, connections }, progress)
    for (const [index, { name }] of targets.entries()) lines.push({ name, connections, rounds: measured[index] ?? [] })
  }
  console.log(`\n${table(lines)}\n`)
  if (options.stored > 0) compareWithEmpty(lines)

  const faults = lines.flatMap(({ rounds }) => rounds.flatMap((round) => round.failures))
  for (const { service, target, since } of benched) {
    const found = await findFaults(service, target.acknowledged, since)
    if (found.length === 0)
      console.log(
        `${target === empty.target ? 'Empty' : 'Filled'} database: all ${target.acknowledged.length.toLocaleString('en')} acknowledged clicks are in the database, and the counters equal the events.`,
      )
    faults.push(...found)
  }
  for (const fault of faults.slice(0, 20)) console.error(`WRONG: ${fault}`)
  return faults.length === 0 ? 0 : 1
}

const compareWithEmpty = (lines: Line[]) => {
  for (const connections of options.connections) {
    const [, , empty, stored] = lines.filter((line) => line.connections === connections)
    if (empty && stored)
      console.log(
        `${connections} connections: with stored clicks ${ratio(stored, empty).toFixed(2)} of the empty table's rate.`,
      )
  }
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
  // Once we are told to stop, everything that runs ends under our hands, and that is no news.
  if (!stopped) console.error(error)
  process.exitCode = stopped ? 130 : 1
} finally {
  await stopAll()
}
