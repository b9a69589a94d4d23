import { CHANGE_HEADINGS, changeRows, compare, readBaseline } from './baseline.ts'
import { chartOf } from './chart.ts'
import { type Results, resultsText, writeText } from './results.ts'
import { HEADINGS, markdownTable, rowsOf, textTable } from './table.ts'

const TARGET_HEADINGS = ['target', 'goal', 'measured', '']

const targetRows = ({ targets }: Results) =>
  targets.map(({ target, wanted, measured, reached }) => [target, wanted, measured, reached ? 'met' : 'missed'])

/** One line about the machine and the run. */
export const conditionsOf = ({ at, machine, run }: Results) =>
  [
    `${at.slice(0, 10)}, ${machine.processors} × ${machine.model}, ${machine.memoryGb} GB, Bun ${machine.bun}`,
    `${run.rounds} rounds of ${run.seconds} s, load generator${run.client === 'socket' ? '' : ` (${run.client})`} on the same machine${run.cold ? ', cold cache' : ''}`,
    `load average ${run.loadBefore.join(', ')} before and ${run.loadAfter.join(', ')} after`,
  ].join('; ')

/** Writes the table, the targets and the changes since the baseline to the terminal and to files. */
export const writeReport = (
  results: Results,
  { out, baseline, saveBaseline }: { out: string; baseline: string; saveBaseline: boolean },
) => {
  const before = readBaseline(baseline, results)
  const changes = before ? compare(before.figures, results.figures) : []
  console.log(`\n${textTable(HEADINGS, rowsOf(results.figures))}\n`)
  console.log(`${textTable(TARGET_HEADINGS, targetRows(results))}\n`)
  if (before) console.log(`Compared with the baseline of ${before.at.slice(0, 10)}, as shares of each run’s floor:`)
  if (before) console.log(`${textTable(CHANGE_HEADINGS, changeRows(changes))}\n`)
  console.log(`${conditionsOf(results)}\n`)

  const markdown = [
    conditionsOf(results),
    markdownTable(HEADINGS, rowsOf(results.figures)),
    markdownTable(TARGET_HEADINGS, targetRows(results)),
    results.proofs.join('\n\n'),
  ].join('\n\n')
  writeText(`${out}/results.json`, resultsText(results))
  writeText(`${out}/results.md`, `${markdown}\n`)
  writeText(`${out}/chart.svg`, chartOf(results.figures, conditionsOf(results)))
  if (saveBaseline) writeText(baseline, resultsText(results))
}
