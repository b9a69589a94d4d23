import { parseArgs } from 'node:util'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults/all.ts'

export const HELP = `npm run chaos -- [--only name,name] [--rounds n] [--short] [--no-controls]

Plays every fault at its full length, then the control of each, on which the checker has to go red.

  --only         these faults alone: ${FAULTS.map(({ name }) => name).join(', ')}
  --rounds       as many rounds of each instead of its own number
  --short        as short as in the tests
  --no-controls  the product alone`

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
    if (!fault) throw new Error(`There is no fault called ${name}.`)
    return fault
  })
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error('--rounds takes a whole number of at least 1.')
  return { faults, isLong: !values.short, rounds, withControls: !values['no-controls'], isHelp: values.help }
}
