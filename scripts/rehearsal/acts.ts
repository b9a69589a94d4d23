/** What a person does who follows docs/guides/production.md, section by section. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findArchivedUntil, listBases } from '../../apps/server/src/database/archive/archive-folder.ts'
import { compareEverything, compareUntil } from './compare.ts'
import { guideSettings, type Node, openNode, type Settings } from './node.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { buildPackages, install, NEXT_VERSION, VERSION } from './packages.ts'
import { type FrontProxy, openProxy } from './proxy.ts'
import { openShop, type Shop } from './shop.ts'
import { run, type Stage, until } from './stage.ts'
import { openTraffic, type Traffic } from './traffic.ts'

const CALLS_PER_PHASE = 150

export type Play = {
  stage: Stage
  tarballs: { current: string; next: string }
  prefix: string
  settings: Settings
  folders: { backups: string; archive: string }
  proxy: FrontProxy
  node: Node
  shop: Shop
  traffic: Traffic
}

export const pack = (stage: Stage, packages: string | undefined) =>
  buildPackages(stage, packages ?? stage.path('packages'))

const requireText = (output: string, text: string) => {
  if (!output.includes(text)) throw new Error(`Expected “${text}” in:\n${output}`)
}

const verify = async (node: Node) => {
  const output = await node.command('verify')
  requireText(output, ' 0 differences')
  return output.trim().split('\n').at(-1) ?? ''
}

/** Compares with the books of the shop, then lets the service verify its own. */
const requireEveryCent = async ({ stage, shop, traffic, node }: Play) => {
  await traffic.finish()
  stage.print(await compareEverything(shop, traffic.book))
  stage.print(await verify(node))
}

/** Sections 1 to 4: settings, https, the service, the first account, a key for backups, a backup and an archive. */
export const setUp = async (stage: Stage, tarballs: Play['tarballs']): Promise<Play> => {
  const prefix = stage.path('opt-tributary')
  await install(prefix, tarballs.current)
  stage.print(`installed ${VERSION} with npm`)
  const proxy = await openProxy(stage)
  const key = stage.path('backup.key')
  await Bun.write(key, await run(['openssl', 'rand', '-base64', '32'], { cwd: stage.folder }))
  const folders = { backups: stage.makeFolder('backups'), archive: stage.path('archive') }
  const settings = guideSettings({
    BASE_URL: proxy.url,
    DATA_DIR: stage.path('data'),
    BACKUP_KEY_FILE: key,
    ARCHIVE_DIR: folders.archive,
  })
  const node = openNode(stage, 'one', { prefix, settings })
  await node.start()
  await proxy.serve(node.port)
  const { version } = (await (await proxy.request('/healthz')).json()) as { version: string }
  if ((await proxy.request('/metrics')).status !== 404) throw new Error('The proxy shows /metrics.')
  stage.print(`${version} answers at ${proxy.url}`)
  const findSetUpUrl = () => /"setUpUrl":"([^"]+)"/.exec(node.output())?.[1] ?? ''
  await until('the first start prints a link to set up', () => findSetUpUrl() !== '')
  const shop = await openShop(proxy, findSetUpUrl())
  stage.print('created the owner with the printed link, and a program')
  await node.command('backup', folders.backups, '--keep', '14')
  await until('the archive has a copy of the database', () => listBases(folders.archive).length > 0)
  const findings = await node.command('doctor')
  stage.print(`doctor: ${findings.trim().split('\n').at(-1)}`)
  return { stage, tarballs, prefix, settings, folders, proxy, node, shop, traffic: openTraffic(proxy, shop) }
}

/** Clicks, leads, sales and refunds through https. */
export const trade = async (play: Play) => {
  play.traffic.start()
  await play.traffic.untilAcknowledged(CALLS_PER_PHASE)
  play.stage.print(`${play.traffic.acknowledged()} calls acknowledged; repeated: ${play.traffic.takeRetries()}`)
}

/** Section 6: back up, install, restart. The traffic goes on. */
export const upgrade = async (play: Play) => {
  const { stage, node, traffic } = play
  await node.command('backup', play.folders.backups, '--keep', '14')
  await install(play.prefix, play.tarballs.next)
  stage.print(`backed up, and installed ${NEXT_VERSION} next to the running ${await node.version()}`)
  await traffic.untilAcknowledged(20)
  const stoppedAt = performance.now()
  await node.stop()
  await node.start()
  const seconds = ((performance.now() - stoppedAt) / 1000).toFixed(1)
  if ((await node.version()) !== NEXT_VERSION) throw new Error(`${await node.version()} runs after the upgrade.`)
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  stage.print(`restarted as ${NEXT_VERSION} in ${seconds} s; repeated calls: ${traffic.takeRetries()}`)
  await requireEveryCent(play)
}

/** kill -9 of everything under traffic; only backups, the archive and the key remain. Section 7 brings it back. */
export const loseAndRestore = async (play: Play) => {
  const { stage, node, traffic, folders, proxy, shop } = play
  traffic.start()
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  const since = Date.now()
  await until('the archive goes on', () => (findArchivedUntil(folders.archive)?.getTime() ?? 0) > since)
  await node.kill()
  const killedAt = Date.now()
  await traffic.abandon()
  await proxy.close()
  for (const lost of [node.dataDir, play.prefix]) rmSync(lost, { recursive: true })
  const archivedUntil = findArchivedUntil(folders.archive)?.getTime() ?? 0
  stage.print(`killed everything; the archive ends ${((killedAt - archivedUntil) / 1000).toFixed(1)} s before`)

  await install(play.prefix, play.tarballs.next)
  const restored = await node.command('restore', folders.archive)
  requireText(restored, ' 0 differences')
  await node.start()
  await proxy.serve(node.port)
  await shop.signIn()
  const { again, kept, missing } = await compareUntil(shop, traffic.book, archivedUntil)
  stage.print(`restored: ${kept} sales are as acknowledged, ${missing} of the last moment are missing`)
  await traffic.resend(again)
  stage.print(`the shop sent the last ${again.size} customers again`)
  await requireEveryCent(play)
}

/** Sections 8 and 9: move to an own Postgres, add a node, and lose one of the two, all under traffic. */
export const addNode = async (play: Play) => {
  const { stage, node, traffic, folders, proxy, settings } = play
  traffic.start()
  const { ARCHIVE_DIR: _, ...shared }: Settings = { ...settings, ...(await startOwnPostgres(stage)) }
  const first = openNode(stage, 'one', { prefix: play.prefix, settings: shared })
  await node.stop()
  await node.command('backup', folders.backups, '--keep', '14')
  requireText(await first.command('restore', folders.backups), ' 0 differences')
  await first.start()
  await proxy.serve(first.port)
  await traffic.untilAcknowledged(20)
  stage.print(`moved to an own Postgres; repeated calls: ${traffic.takeRetries()}`)

  const { sessionSecret, hashKey } = JSON.parse(readFileSync(join(node.dataDir, 'secrets.json'), 'utf8'))
  const prefix = stage.path('opt-tributary-two')
  cpSync(play.prefix, prefix, { recursive: true, verbatimSymlinks: true })
  const second = openNode(stage, 'two', {
    prefix,
    settings: { ...shared, DATA_DIR: stage.path('data-two'), SESSION_SECRET: sessionSecret, HASH_KEY: hashKey },
  })
  await second.start()
  await proxy.serve(first.port, second.port)
  const before = await Promise.all([first, second].map(countRequests))
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  const after = await Promise.all([first, second].map(countRequests))
  const served = after.map((count, index) => count - (before[index] ?? 0))
  if (served.some((count) => count < CALLS_PER_PHASE / 5)) throw new Error(`The nodes served ${served} requests.`)
  stage.print(`two nodes served ${served.join(' and ')} requests; repeated calls: ${traffic.takeRetries()}`)
  await first.kill()
  await traffic.untilAcknowledged(CALLS_PER_PHASE)
  stage.print(`killed one of them; repeated calls: ${traffic.takeRetries()}`)
  await requireEveryCent({ ...play, node: second })
}

/** As Prometheus would see it. */
const countRequests = async ({ port }: Node) => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => /^tributary_requests_total\{/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
