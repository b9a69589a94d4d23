import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeInstance, type Given, PRODUCT } from './instance.ts'
import { openShop, type Shop } from './shop.ts'

export type Template = { folder: string; shop: Shop; remove(): void }

export const makeFolder = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-chaos-')))
  chmodSync(folder, 0o711) // root runs Postgres as another user, which must be able to traverse this folder
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Cleanups to run on a signal: services and their databases must not stay behind. */
const underWay = new Set<() => unknown>()

export const closeAll = async () => {
  for (const close of underWay) await close()
}

/** A service with a shop, created once and stopped; every fault starts with a copy of it. */
export const makeTemplate = async (prepare = async (_dataDir: string) => {}): Promise<Template> => {
  const { folder, remove } = makeFolder()
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  await prepare(dataDir)
  const instance = describeInstance({ dataDir, entry: PRODUCT }, {} as Shop)
  underWay.add(remove).add(instance.stop)
  try {
    await instance.start()
    return { folder: dataDir, shop: await openShop(instance.port), remove }
  } finally {
    await instance.stop()
    underWay.delete(instance.stop)
  }
}

/** The environment of one fault: its folder, its processes, and their cleanup in every case. */
export const openStage = (template: Template) => {
  const { folder, remove } = makeFolder()
  const endings: (() => unknown)[] = []
  let made = 0
  const close = async () => {
    for (const end of endings.reverse()) await end()
    remove()
    underWay.delete(close)
  }
  underWay.add(close)
  return {
    folder,
    shop: template.shop,
    afterwards: (end: () => unknown) => void endings.push(end),
    copyTemplate: (to = join(folder, `data-${++made}`)) => {
      const copied = spawnSync('cp', ['-a', template.folder, to])
      if (copied.status !== 0) throw new Error(`the template cannot be copied: ${copied.stderr}`)
      return to
    },
    start: async (given: Given) => {
      const instance = describeInstance(given, template.shop)
      endings.push(instance.stop)
      await instance.start()
      return instance
    },
    close,
  }
}

export type Stage = ReturnType<typeof openStage>
