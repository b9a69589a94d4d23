/** What a person with one machine does who follows docs/guides/production.md, section by section. */
import { rmSync } from 'node:fs'
import { findArchivedUntil, listBases } from '../../apps/server/src/database/archive/archive-folder.ts'
import { listArchives } from '../../apps/server/src/database/archive/choose-archive.ts'
import { compareEverything, compareUntil } from './compare.ts'
import { guideSettings, type Node, openNode, type Settings } from './node.ts'
import { buildPackages, install, NEXT_VERSION, VERSION } from './packages.ts'
import { type FrontProxy, openProxy } from './proxy.ts'
import { openShop, type Shop } from './shop.ts'
import { run, type Stage, until, workersOf } from './stage.ts'
import { openTraffic, type Traffic } from './traffic.ts'

export const CALLS_PER_PHASE = 150

export type Play = {
  stage: Stage
  tarballs: ReturnType<typeof buildPackages>
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

export const requireText = (output: string, text: string) => {
  if (!output.includes(text)) throw new Error(`Expected “${text}” in:\n${output}`)
}

const verify = async (node: Node) => {
  const output = await node.command('verify')
  requireText(output, ' 0 differences')
  return output.trim().split('\n').at(-1) ?? ''
}

/** Compares with the books of the shop, then lets the service verify its own. */
export const requireEveryCent = async ({ stage, shop, traffic, node }: Play) => {
  await traffic.finish()
  stage.print(await compareEverything(shop, traffic.book))
  stage.print(await verify(node))
  requireNoErrors(node)
}

const requireNoErrors = (node: Node) => {
  const errors = node.errors()
  if (errors.length > 0) throw new Error(`The log of ${node.name} has errors:\n${errors.slice(0, 5).join('\n')}`)
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
    WORKERS: String(workersOf(process.env)),
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
  const tried = openNode(stage, 'try', { prefix, settings: { ...settings, DATA_DIR: stage.path('try') } })
  requireText(await tried.command('restore', folders.backups), ' 0 differences')
  stage.print('backed up, and restored the backup into an empty folder to try it')
  await until(
    'the archive has a copy of the database',
    () => listArchives(folders.archive).flatMap(listBases).length > 0,
  )
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
  requireNoErrors(node)
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
  const [archive = ''] = listArchives(folders.archive)
  await until('the archive goes on', () => (findArchivedUntil(archive)?.getTime() ?? 0) > since)
  await node.kill()
  const killedAt = Date.now()
  await traffic.abandon()
  await proxy.close()
  for (const lost of [node.dataDir, play.prefix]) rmSync(lost, { recursive: true })
  const archivedUntil = findArchivedUntil(archive)?.getTime() ?? 0
  stage.print(`killed everything; the archive ends ${((killedAt - archivedUntil) / 1000).toFixed(1)} s before`)

  await install(play.prefix, play.tarballs.next)
  const restored = await node.command('restore', folders.archive)
  requireText(restored, ' 0 differences')
  await node.start()
  await proxy.serve(node.port)
  await shop.signIn()
  const { again, kept, missing } = await compareUntil(shop, traffic.book, archivedUntil)
  stage.print(`restored: ${kept} sales are as acknowledged; missing from the last moment: ${missing}`)
  await traffic.resend(again)
  stage.print(`the shop sent the last ${again.size} customers again`)
  await requireEveryCent(play)
}
