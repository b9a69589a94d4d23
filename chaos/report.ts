import { cpus, loadavg, totalmem } from 'node:os'
import type { Outcome } from './fault.ts'

/** `null`: could not run, or was not requested. */
export type Row = { name: string; product: Outcome | null; control: { isRed: boolean; finding: string } | null }

const verdictOf = ({ product }: Row) => (product === null ? 'skipped' : product.findings.length === 0 ? 'pass' : 'FAIL')
const controlOf = ({ control }: Row) =>
  control === null ? '–' : control.isRed ? 'fails, as expected' : 'PASSES: the test proves nothing'

/** The summary as Markdown, so that it can be published as is. */
export const table = (rows: Row[]) =>
  [
    '| Fault | Product | Control | Observed |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${verdictOf(row)} | ${controlOf(row)} | ${row.product?.figures ?? '–'} |`),
  ].join('\n')

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`

/** A green control is as bad as a red product. */
export const isFine = ({ product, control }: Row) =>
  (product === null || product.findings.length === 0) && (control === null || control.isRed)
