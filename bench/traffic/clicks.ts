import { makeClickRequests } from './click-requests.ts'
import type { Traffic } from './traffic.ts'

/** One in this many clicks comes from a returning visitor. */
const RETURNING = 6
const CLICK_ID = '"click_id":"'

export type ClickPlan = {
  kind: 'clicks'
  affs: string[]
  /** Whether some visitors return with their `click_id`. */
  returning: boolean
  /** Visitors of earlier days; some return. */
  knownClickIds: string[]
}

/** The next click, and which clicks were acknowledged. */
export const clickTraffic = ({ affs, returning, knownClickIds }: ClickPlan): Traffic => {
  const requests = makeClickRequests(affs)
  const acknowledged: string[] = []
  let turn = 0

  const anyOf = (clickIds: string[]) => clickIds[Math.floor(Math.random() * clickIds.length)]
  /** Alternates between a visitor of this round and one of earlier days, whose record is deep in the table. */
  const returningVisitor = () => (turn % (2 * RETURNING) === 0 ? anyOf(acknowledged) : null) ?? anyOf(knownClickIds)

  return {
    acknowledged,
    next: () => {
      const clickId = returning && ++turn % RETURNING === 0 ? returningVisitor() : undefined
      return { bytes: clickId ? requests.ofReturningVisitor(clickId) : requests.ofNewVisitor(), name: '' }
    },
    acknowledge: (_, answer) => {
      const start = answer.indexOf(CLICK_ID) + CLICK_ID.length
      acknowledged.push(answer.slice(start, answer.indexOf('"', start)))
    },
  }
}
