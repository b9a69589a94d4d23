/** Sections 8 and 9 of the guide: another Postgres, a second node, an upgrade of one after the other. All of it under traffic. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALLS_PER_PHASE, type Play, requireEveryCent, requireText } from './acts.ts'
import { type Node, openNode, type Settings } from './node.ts'
import { install, LAST_VERSION } from './packages.ts'
import { startSeparatePostgres } from './separate-postgres.ts'

/** The node of the play moves from its embedded Postgres to another one. */
export const moveToSeparatePostgres = async (play: Play): Promise<Play> => {
  const { stage, prefix, node, traffic, folders, proxy } = play
  traffic.start()
  const { ARCHIVE_DIR: _, ...settings }: Settings = { ...play.settings, ...(await startSeparatePostgres(stage)) }
  const moved = openNode(stage, 'one', { prefix, settings })
  await node.stop()
  await node.command('backup', folders.backups, '--keep', '14')
  requireText(await moved.command('restore', folders.backups), ' 0 differences')
  await moved.start()
  await proxy.serve(moved.port)
  await traffic.untilAcknowledged(20)
  stage.print(`moved to a separate Postgres; repeated calls: ${traffic.takeRetries()}`)
  return { ...play, settings, node: moved }
}

export type Installed = { node: Node; prefix: string }

/** Starts a second node with the secrets of the first, and sees both serve. */
export const addNode = async (play: Play): Promise<Installed[]> => {
  const { stage, node: first, proxy } = play
  const { sessionSecret, hashKey } = JSON.parse(readFileSync(join(first.dataDir, 'secrets.json'), 'utf8'))
  const prefix = stage.path('opt-tributary-two')
  cpSync(play.prefix, prefix, { recursive: true, verbatimSymlinks: true })
  const secrets = { SESSION_SECRET: sessionSecret, HASH_KEY: hashKey }
  const settings = { ...play.settings, ...secrets, DATA_DIR: stage.path('data-two') }
  const second = openNode(stage, 'two', { prefix, settings })
  await second.start()
  await proxy.serve(first.port, second.port)
  await requireBothServe(play, [first, second])
  return [
    { node: first, prefix: play.prefix },
    { node: second, prefix },
  ]
}

const requireBothServe = async ({ stage, traffic }: Play, nodes: Node[]) => {
  const before = await Promise.all(nodes.map(countRequests))
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  const after = await Promise.all(nodes.map(countRequests))
  const served = after.map((count, index) => count - (before[index] ?? 0))
  if (served.some((count) => count < CALLS_PER_PHASE / 5)) throw new Error(`The nodes served ${served} requests.`)
  stage.print(`two nodes served ${served.join(' and ')} requests; repeated calls: ${traffic.takeRetries()}`)
}

/** As Prometheus would see it. */
const countRequests = async ({ port }: Node) => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^tributary_requests_total\{/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** One node after the other. The older one serves beside the newer one meanwhile. */
export const upgradeNodes = async (play: Play, installed: Installed[]) => {
  const { stage, traffic } = play
  for (const { node, prefix } of installed) {
    await install(prefix, play.tarballs.last)
    await node.stop()
    await node.start()
    if ((await node.version()) !== LAST_VERSION) throw new Error(`${await node.version()} runs after the upgrade.`)
    await traffic.untilAcknowledged(CALLS_PER_PHASE / 2)
    stage.print(`node ${node.name} runs ${LAST_VERSION}; repeated calls: ${traffic.takeRetries()}`)
  }
}

/** The other one carries on. */
export const loseNode = async (play: Play, [lost, remaining]: Installed[]) => {
  const { stage, traffic } = play
  if (!lost || !remaining) throw new Error('Two nodes are needed to lose one.')
  await lost.node.kill()
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  stage.print(`killed node ${lost.node.name}; repeated calls: ${traffic.takeRetries()}`)
  await requireEveryCent({ ...play, node: remaining.node })
}
