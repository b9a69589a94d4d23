/** `npm run rehearse`: plays docs/guides/production.md on this machine, from the installation to a second node. */
import { parseArgs } from 'node:util'
import { loseAndRestore, pack, setUp, trade, upgrade } from './acts.ts'
import { LAST_VERSION, NEXT_VERSION, VERSION } from './packages.ts'
import { NAME } from './proxy.ts'
import { addNode, loseNode, moveToSeparatePostgres, upgradeNodes } from './several-nodes.ts'
import { openStage } from './stage.ts'

const HELP = `npm run rehearse -- [--packages FOLDER]

Plays the production guide with real processes: installs ${VERSION} from its package, serves it over https, sends traffic,
upgrades to ${NEXT_VERSION} (this version with one more migration), kills everything, deletes the data, restores it from the
archive, moves to another Postgres, adds a second node, upgrades both to ${LAST_VERSION} and kills one. Every acknowledged sale
and the partner's balance are compared to the cent, and the ledger is verified.

Uses a temporary folder and loopback addresses only, needs npm and openssl, and takes a few minutes.

  --packages FOLDER   build the packages there, or use those of an earlier rehearsal
  WORKERS=2           processes per node: 1, 2, 4, 8 or 16`

const startedAt = performance.now()
const clock = () => `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`
const print = (line: string) => console.log(`${clock()}    ${line}`)
const begin = (title: string) => console.log(`${clock()}  ${title}`)

const rehearse = async (packages: string | undefined) => {
  const stage = openStage(print)
  const close = () => stage.close()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => close().finally(() => process.exit(130)))
  try {
    begin(`1. Package ${VERSION}, ${NEXT_VERSION} and ${LAST_VERSION}`)
    const tarballs = pack(stage, packages)
    begin(`2. Follow the guide to https, with ${NAME}`)
    const play = await setUp(stage, tarballs)
    begin('3. Clicks, leads, sales and refunds')
    await trade(play)
    begin(`4. Upgrade to ${NEXT_VERSION} under traffic`)
    await upgrade(play)
    begin('5. Lose the machine, and restore to the last second')
    await loseAndRestore(play)
    begin('6. Add a second node')
    const moved = await moveToSeparatePostgres(play)
    const nodes = await addNode(moved)
    begin(`7. Upgrade both to ${LAST_VERSION}, one after the other, and lose one`)
    await upgradeNodes(moved, nodes)
    await loseNode(moved, nodes)
    begin('The rehearsal passed.')
  } finally {
    await close()
  }
}

const options = { packages: { type: 'string' }, help: { type: 'boolean', default: false } } as const
try {
  const { values } = parseArgs({ args: process.argv.slice(2), options })
  if (values.help) console.log(HELP)
  else await rehearse(values.packages)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
process.exit()
