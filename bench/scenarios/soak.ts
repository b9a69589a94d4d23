import { type PlayContext, playRound, type Target } from '../rounds.ts'
import { usageOf } from '../usage.ts'
import { type Benched, targetOf } from './benched.ts'

const CONNECTIONS = 64
const STEP_SECONDS = 10
const MEGABYTE = 2 ** 20

export type Soak = { minutes: number; perSecond: number; samplesMb: number[]; failures: string[] }

/** Clicks at an even rate for minutes, with a memory sample every ten seconds. */
export const playSoak = async (
  { load, folder, progress }: PlayContext,
  benched: Benched,
  { seconds, perSecond }: { seconds: number; perSecond: number },
): Promise<Soak> => {
  const { affs } = benched.service.program
  const target: Target = {
    ...targetOf(benched, 'soak', () => ({ kind: 'clicks', affs, returning: true, knownClickIds: [] }), 'clicks'),
    perSecond,
  }
  const samplesMb: number[] = []
  const failures: string[] = []
  for (let done = 0; done < seconds; done += STEP_SECONDS) {
    const round = await playRound(load, target, { connections: CONNECTIONS, seconds: STEP_SECONDS, folder })
    failures.push(...round.failures)
    samplesMb.push(Math.round((usageOf(target.pid)?.rssBytes ?? Number.NaN) / MEGABYTE))
    progress(`soak: ${done + STEP_SECONDS} of ${seconds} s, ${Math.round(perSecond)} a second, ${samplesMb.at(-1)} MB`)
  }
  return { minutes: seconds / 60, perSecond, samplesMb, failures }
}
