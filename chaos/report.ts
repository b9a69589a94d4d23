import { cpus, loadavg, totalmem } from 'node:os'
import type { Outcome } from './fault.ts'

/** `null`: could not be played, or was not asked for. */
export type Row = { name: string; product: Outcome | null; control: { isRed: boolean; finding: string } | null }

const verdictOf = ({ product }: Row) =>
  product === null ? 'not played' : product.findings.length === 0 ? 'green' : 'RED'
const controlOf = ({ control }: Row) =>
  control === null ? '–' : control.isRed ? 'red, as it must be' : 'GREEN: the test is worth nothing'

/** The summary as Markdown, so that it can be kept as it is. */
export const table = (rows: Row[]) =>
  [
    '| fault | product | control | seen |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${verdictOf(row)} | ${controlOf(row)} | ${row.product?.figures ?? '–'} |`),
  ].join('\n')

export const machine = () =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`

/** A control that is green is as bad as a product that is red. */
export const isFine = ({ product, control }: Row) =>
  (product === null || product.findings.length === 0) && (control === null || control.isRed)
