import { parseArgs } from 'node:util'
import { TRIBUTARY } from '../config/command-name.ts'
import { StartupError } from '../config/startup-error.ts'
import type { Database } from '../database/connect.ts'
import { findBlockHash, lastBlockNumber } from '../money/ledger/seal.ts'
import { findProgram } from '../programs/programs.ts'

/** A ledger head that was saved outside the database. `programId` is the ID used by the API and the dashboard. */
type ExpectedHead = { programId: number; number: number; hash: string }

const USAGE = `${TRIBUTARY} verify [--expect program:number:hash …]`
const HEAD = /^([1-9]\d{0,9}):([1-9]\d{0,9}):([0-9a-f]{64})$/i
/** Postgres rejects larger numbers in a comparison with an integer column. */
const MAX_INTEGER = 2_147_483_647

/** `--expect` was not followed by a head that this database could contain. */
export class InvalidExpectedHead extends StartupError {
  override name = 'WrongExpectation'
}

const invalidHead = (what: string) => new InvalidExpectedHead(`--expect ${what}. Usage: ${USAGE}`)

/** Parses `--expect program:number:hash`, which can be repeated. */
export const readExpectedHeads = (args: string[]): ExpectedHead[] => parse(args).map(readHead)

const readHead = (word: string): ExpectedHead => {
  const [, program, block, hash = ''] = HEAD.exec(word) ?? []
  const [programId, number] = [Number(program), Number(block)]
  if (!hash || Math.max(programId, number) > MAX_INTEGER)
    throw invalidHead(`needs a head such as 1:42:<64 hexadecimal digits>, not "${word}"`)
  return { programId, number, hash: hash.toLowerCase() }
}

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: { expect: { type: 'string', multiple: true } } }).values.expect ?? []
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/\.\s|\n/)
    if (reason.includes('--expect')) throw invalidHead('needs a head')
    throw new StartupError(`${reason}. Usage: ${USAGE}`)
  }
}

/** Runs before the verification, so that a mistyped head fails in seconds and not after an hour. */
export const refuseUnknownPrograms = async (db: Database, expected: ExpectedHead[]) => {
  for (const { programId } of expected)
    if (!(await findProgram(db, programId)))
      throw new InvalidExpectedHead(
        `--expect names program ${programId}, which is not in this database. The head is from another instance, or the program was deleted.`,
      )
}

/** Compares saved heads with the ledger. The chain alone cannot show a removed tail: what remains is still valid. */
export const compareHeads = async (db: Database, expected: ExpectedHead[]) => {
  const differences: { programId: number; difference: string }[] = []
  for (const { programId, number, hash } of expected) {
    const found = await findBlockHash(db, { programId, number })
    if (found === hash) continue
    const actual = found ? `it has hash ${found}` : await describeEnd(db, programId)
    const cause = found ? 'lines were removed or rewritten' : 'lines were removed'
    differences.push({
      programId,
      difference: `expected block ${number} with hash ${hash}, but ${actual}: ${cause} after that head was saved`,
    })
  }
  return differences
}

const describeEnd = async (db: Database, programId: number) => {
  const last = await lastBlockNumber(db, programId)
  return last ? `the ledger ends at block ${last}` : 'the ledger has no block'
}
