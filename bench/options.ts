import { parseArgs } from 'node:util'

export type Options = { connections: number[]; seconds: number; rounds: number; stored: number }

const HELP = `npm run bench -- [options]

Measures POST /api/v1/track/click with durable commits, beside a bare server that echoes JSON (the floor), and checks
that every acknowledged click is in the database.

  --connections 64,512   connections that each have one request under way
  --seconds 5            length of a round
  --rounds 3             rounds of each server; the table shows medians
  --stored 0             also measure a database that holds this many clicks already, such as 5000000
  --help                 this text
`

/** What the command line asks for; says what is wrong and ends when it asks for something else. */
export const readOptions = (args: string[]): Options => {
  try {
    const { values } = parseArgs({
      args,
      options: {
        connections: { type: 'string', default: '64,512' },
        seconds: { type: 'string', default: '5' },
        rounds: { type: 'string', default: '3' },
        stored: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(HELP)
      process.exit(0)
    }
    return {
      connections: values.connections.split(',').map((text) => positive('connections', text)),
      seconds: positive('seconds', values.seconds),
      rounds: positive('rounds', values.rounds),
      stored: values.stored === '0' ? 0 : positive('stored', values.stored),
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

const positive = (name: string, text: string) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes whole numbers above 0, not "${text}".`)
  return value
}
