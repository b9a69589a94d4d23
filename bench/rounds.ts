import { readFileSync } from 'node:fs'
import type { Played, Round } from './load/main.ts'
import type { Process } from './processes.ts'
import type { Plan } from './traffic/traffic.ts'
import { usageOf } from './usage.ts'

/**
 * The server under load: the bare echo, the bare insert, or the service on an empty database, on a filled one, or in
 * several processes.
 */
export type Place = 'floor' | 'bare' | 'empty' | 'filled' | 'workers'

/** The names of all acknowledged calls, and how many others may have been recorded. */
export type Book = { names: string[]; doubtful: number }

export type Target = {
  scenario: string
  place: Place
  port: number
  pid: number
  plan: (round: { seconds: number }) => Plan
  /** Collects the acknowledged calls; null if nothing has to be verified. */
  book: Book | null
  perSecond?: number
}
/** CPU time per request, with Postgres separate. */
export type Measured = Played & { serviceMicros: number; postgresMicros: number; rssBytes: number }
export type Line = { scenario: string; place: Place; connections: number; rounds: Measured[]; failures: string[] }

type Length = { connections: number; seconds: number }

/** One round of one target. */
export const playRound = async (
  load: Process,
  target: Target,
  { folder, ...length }: Length & { folder: string },
): Promise<Measured> => {
  const { port, pid, book, perSecond = null } = target
  const acknowledgedFile = book ? `${folder}/acknowledged` : null
  const before = usageOf(pid)
  let peakBytes = 0
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, usageOf(pid)?.rssBytes ?? 0)
  }, 1_000)
  load.send({ port, perSecond, acknowledgedFile, plan: target.plan(length), ...length } satisfies Round)
  const played = await load.nextMessage<Played>().finally(() => clearInterval(sampling))
  const after = usageOf(pid)
  if (book && acknowledgedFile) {
    const text = readFileSync(acknowledgedFile, 'utf8')
    for (const name of text ? text.split('\n') : []) book.names.push(name)
    book.doubtful += played.doubtful
  }
  const micros = (seconds: number) => (seconds * 1e6) / played.answered
  return {
    ...played,
    serviceMicros: after && before ? micros(after.serviceSeconds - before.serviceSeconds) : Number.NaN,
    postgresMicros: after && before ? micros(after.postgresSeconds - before.postgresSeconds) : Number.NaN,
    rssBytes: after ? Math.max(peakBytes, after.rssBytes) : Number.NaN,
  }
}

export type PlayContext = {
  load: Process
  folder: string
  rounds: number
  seconds: number
  progress: (text: string) => void
}

/**
 * Alternates between targets, so that other load on the machine affects all of them alike. The first round of each is a
 * discarded warm-up.
 */
export const playRounds = async (
  { load, folder, rounds, seconds, progress }: PlayContext,
  connections: number,
  targets: Target[],
) => {
  const lines = targets.map(({ scenario, place }): Line => ({ scenario, place, connections, rounds: [], failures: [] }))
  for (let round = 0; round <= rounds; round++)
    for (const [index, target] of targets.entries()) {
      const result = await playRound(load, target, {
        connections,
        seconds: round === 0 ? Math.min(2, seconds) : seconds,
        folder,
      })
      const turn = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`
      progress(
        `${connections} connections, ${turn}, ${target.scenario} (${target.place}): ${Math.round(result.perSecond)} a second`,
      )
      lines[index]?.failures.push(...result.failures)
      if (round > 0) lines[index]?.rounds.push(result)
    }
  return lines
}
