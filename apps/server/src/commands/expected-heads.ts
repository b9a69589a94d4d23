import { parseArgs } from 'node:util'
import { StartupError } from '../config/startup-error.ts'
import type { Database } from '../database/connect.ts'
import { findBlockHash, lastBlockNumber } from '../money/seal.ts'

/** The heads of ledgers as they were when somebody wrote them down. */
type Expected = { programId: number; number: number; hash: string }

const USAGE = 'npm run ledger:verify -- --expect program:number:hash, or npm run ledger:verify'
const HEAD = /^([1-9]\d{0,9}):([1-9]\d{0,9}):([0-9a-f]{64})$/i

/** `--expect` was not followed by a head. */
export class WrongExpectation extends StartupError {
  override name = 'WrongExpectation'
}

const wrong = (what: string) => new WrongExpectation(`--expect ${what}. Use it as ${USAGE}`)

/** What follows the command's name: `--expect program:number:hash`, any number of times. */
export const readExpectedHeads = (words: string[]): Expected[] =>
  parse(words).map((word) => {
    const [, program, number, hash = ''] = HEAD.exec(word) ?? []
    if (!hash) throw wrong(`needs a head such as 1:42:<64 hexadecimal digits>, not "${word}"`)
    return { programId: Number(program), number: Number(number), hash: hash.toLowerCase() }
  })

const parse = (words: string[]) => {
  try {
    return parseArgs({ args: words, options: { expect: { type: 'string', multiple: true } } }).values.expect ?? []
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.\s|\n/)
    if (sentence.includes('--expect')) throw wrong('needs a head')
    throw new StartupError(`${sentence}. Use it as ${USAGE}`)
  }
}

/** One sentence for each head that the ledger does not have; a chain that was cut off is sound in itself. */
export const missedHeads = async (db: Database, expected: Expected[]) => {
  const missed: string[] = []
  for (const { programId, number, hash } of expected) {
    const found = await findBlockHash(db, { programId, number })
    if (found === hash) continue
    if (found) {
      missed.push(`Block ${number} of program ${programId} has hash ${found}, not ${hash}: the ledger was rewritten.`)
      continue
    }
    const last = await lastBlockNumber(db, programId)
    missed.push(
      `Block ${number} of program ${programId} is missing: the ledger ${last ? `ends at block ${last}` : 'has no block'}, so its end was cut off.`,
    )
  }
  return missed
}
