import { parseArgs } from 'node:util'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults/all.ts'

export const HELP = `npm run chaos -- [--only name,name] [--rounds n] [--short] [--no-controls]

Runs every fault at full length, then its control, which the checker has to flag.

  --only         only these faults: ${FAULTS.map(({ name }) => name).join(', ')}
  --rounds       number of rounds, instead of the default of each fault
  --short        the short form, as in the tests
  --no-controls  skip the controls`

export type Options = { faults: Fault[]; isLong: boolean; rounds?: number; withControls: boolean; isHelp: boolean }

/** Throws a sentence about invalid options. */
export const readOptions = (args: string[]): Options => {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string' },
      short: { type: 'boolean', default: false },
      'no-controls': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const names = values.only?.split(',') ?? FAULTS.map(({ name }) => name)
  const faults = names.map((name) => {
    const fault = FAULTS.find((each) => each.name === name)
    if (!fault) throw new Error(`Unknown fault: ${name}.`)
    return fault
  })
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error('--rounds takes a whole number of at least 1.')
  return { faults, isLong: !values.short, rounds, withControls: !values['no-controls'], isHelp: values.help }
}
