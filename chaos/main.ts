/** `npm run chaos`: real faults on real processes, and whether anything acknowledged was lost. */
import type { Fault, Outcome } from './fault.ts'
import { playControl, playProduct } from './fault.ts'
import { closeAll, makeTemplate } from './instance/stage.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { isFine, machine, type Row, table } from './report.ts'

const progress = (line: string) => console.error(`  ${line}`)

/** A fault that could not finish is red: something did not recover. */
const outcomeOf = (playing: Promise<Outcome>) =>
  playing.catch((error: Error): Outcome => ({ findings: [error.message], figures: '–' }))

const printOutcome = (who: string, { findings, figures }: Outcome) => {
  progress(`${who}: ${findings.length === 0 ? 'nothing found' : 'FOUND'}; ${figures}`)
  for (const finding of findings) progress(`  ${finding}`)
}

const playBoth = async (fault: Fault, { isLong, rounds, withControls }: Options, template: Template): Promise<Row> => {
  const { name, promise, control } = fault
  console.error(`${name}: ${promise}`)
  const impossible = fault.impossible?.()
  if (impossible) {
    progress(impossible)
    return { name, product: null, control: null }
  }
  const product = await outcomeOf(playProduct(fault, { template, isLong, rounds, log: progress }))
  printOutcome('product', product)
  if (!withControls) return { name, product, control: null }
  const found = await outcomeOf(playControl(fault, { template }))
  printOutcome(`control, which ${control.wrong}`, found)
  const finding = found.findings.find((each) => control.finds.test(each))
  return { name, product, control: { isRed: finding !== undefined, finding: finding ?? '' } }
}

type Template = Awaited<ReturnType<typeof makeTemplate>>

const run = async (options: Options) => {
  progress(machine())
  const template = await makeTemplate()
  const rows: Row[] = []
  try {
    for (const fault of options.faults) rows.push(await playBoth(fault, options, template))
  } finally {
    template.remove()
  }
  console.log(`\n${machine()}\n\n${table(rows)}`)
  return rows.every(isFine)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, async () => {
    progress('stopping')
    await closeAll()
    process.exit(130)
  })

try {
  const options = readOptions(process.argv.slice(2))
  if (options.isHelp) console.log(HELP)
  process.exitCode = options.isHelp || (await run(options)) ? 0 : 1
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
process.exit()
