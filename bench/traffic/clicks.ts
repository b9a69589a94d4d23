import { makeClickRequests } from './click-requests.ts'
import type { Traffic } from './traffic.ts'

/** One in so many clicks comes from a visitor who has been here before. */
const RETURNING = 6
const CLICK_ID = '"click_id":"'

export type ClickPlan = {
  kind: 'clicks'
  affs: string[]
  /** Whether some visitors come back with the `click_id` they have. */
  returning: boolean
  /** Visitors of earlier days, some of whom come back. */
  knownClickIds: string[]
}

/** Who clicks next, and which clicks were acknowledged. */
export const clickTraffic = ({ affs, returning, knownClickIds }: ClickPlan): Traffic => {
  const requests = makeClickRequests(affs)
  const acknowledged: string[] = []
  let turn = 0

  const anyOf = (clickIds: string[]) => clickIds[Math.floor(Math.random() * clickIds.length)]
  /** By turns somebody of this round and somebody of earlier days, whose record lies deep in the table. */
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
