import { PRODUCT } from './instance/instance.ts'
import { openStage, type Stage, type Template } from './instance/stage.ts'

export type Play = {
  stage: Stage
  /** The product, or the control. */
  entry: string
  rounds: number
  isLong: boolean
  log: (line: string) => void
}

/** No findings is green. `figures` are the observations for the table. */
export type Outcome = { findings: string[]; figures: string }

export type Fault = {
  name: string
  /** The fault and the expected behavior, for the table. */
  promise: string
  rounds: { long: number; short: number }
  control: {
    /** The same service with one wrong part. */
    entry: string
    wrong: string
    /** What the checker must find: going red for another reason proves nothing. */
    finds: RegExp
  }
  /** Why it cannot run here, in one sentence. */
  impossible?: () => string | null
  play(play: Play): Promise<Outcome>
}

type Options = { template: Template; isLong: boolean; rounds?: number; log?: (line: string) => void }

const playOn = async (fault: Fault, entry: string, { template, isLong, rounds, log = () => {} }: Options) => {
  const stage = openStage(template)
  try {
    return await fault.play({ stage, entry, isLong, rounds: rounds ?? fault.rounds[isLong ? 'long' : 'short'], log })
  } finally {
    await stage.close()
  }
}

export const playProduct = (fault: Fault, options: Options) => playOn(fault, PRODUCT, options)

/** The short form: a wrong control fails immediately. */
export const playControl = (fault: Fault, options: Omit<Options, 'isLong'>) =>
  playOn(fault, fault.control.entry, { ...options, isLong: false })
