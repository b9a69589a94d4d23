import type { Played, Round } from './load.ts'
import type { Process } from './processes.ts'
import { usageOf } from './processor-time.ts'

export type Target = Pick<Round, 'port' | 'affs' | 'returning' | 'knownClickIds'> & {
  name: string
  pid: number
  /** Every `click_id` the service has answered with; null for the floor. */
  acknowledged: string[] | null
}
/** Processor time is for one request; that of Postgres stands apart. */
export type Measured = Played & { ownMicros: number; belowMicros: number; rssBytes: number }

/** One round of one target. */
export const playRound = async (
  load: Process,
  { target, folder, ...length }: { target: Target; folder: string; connections: number; seconds: number },
): Promise<Measured> => {
  const { port, pid, affs, returning, knownClickIds, acknowledged } = target
  const acknowledgedFile = acknowledged ? `${folder}/acknowledged` : null
  const before = usageOf(pid)
  load.send({ port, affs, returning, knownClickIds, acknowledgedFile, ...length } satisfies Round)
  const played = await load.nextMessage<Played>()
  const after = usageOf(pid)
  if (acknowledged && acknowledgedFile) {
    const text = await Bun.file(acknowledgedFile).text()
    for (const clickId of text ? text.split('\n') : []) acknowledged.push(clickId)
  }
  const micros = (seconds: number) => (seconds * 1e6) / played.answered
  return {
    ...played,
    ownMicros: after && before ? micros(after.ownSeconds - before.ownSeconds) : Number.NaN,
    belowMicros: after && before ? micros(after.belowSeconds - before.belowSeconds) : Number.NaN,
    rssBytes: after?.rssBytes ?? Number.NaN,
  }
}

type Plan = { targets: Target[]; folder: string; connections: number; seconds: number; rounds: number }

/**
 * By turns, so that whatever else the machine does in these minutes falls on all targets alike. Answers the rounds of
 * each target; the first round of each warms it up and is thrown away.
 */
export const playRounds = async (
  load: Process,
  { targets, rounds, ...plan }: Plan,
  progress: (text: string) => void,
) => {
  const measured = targets.map((): Measured[] => [])
  for (let round = 0; round <= rounds; round++)
    for (const [index, target] of targets.entries()) {
      const result = await playRound(load, { target, ...plan })
      const name = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`
      progress(`${plan.connections} connections, ${name}, ${target.name}: ${Math.round(result.perSecond)} a second`)
      if (round > 0 || result.failures.length > 0) measured[index]?.push(result)
    }
  return measured
}
