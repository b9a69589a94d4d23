import type pg from 'pg'
import { copyIn } from '../../apps/server/src/database/backup/copy.ts'

const ROWS_A_PIECE = 1_000

export type Cell = string | number | null

/** One row in COPY's text format: the generated values contain no tabs, newlines or unescaped backslashes. */
export const rowOf = (cells: Cell[]) => `${cells.map((cell) => cell ?? '\\N').join('\t')}\n`

export const bytea = (bytes: Uint8Array) => `\\\\x${Buffer.from(bytes).toString('hex')}`

/** Copies rows into a table, generating them while the server takes the previous ones. */
export const copyRows = async (client: pg.Client, target: string, rows: Iterable<string>) => {
  const pieces = async function* () {
    let piece: string[] = []
    for (const row of rows) {
      piece.push(row)
      if (piece.length < ROWS_A_PIECE) continue
      yield Buffer.from(piece.join(''))
      piece = []
    }
    if (piece.length > 0) yield Buffer.from(piece.join(''))
  }
  await copyIn(client, target, pieces())
}
