import { makeClickRequests } from './click-requests.ts'

/** One in so many clicks comes from a visitor who has been here before. */
const RETURNING = 6
const CLICK_ID = '"click_id":"'

type Visitors = { affs: string[]; returning: boolean; knownClickIds: string[] }

/** Who clicks next, and which clicks were acknowledged. */
export const makeTraffic = ({ affs, returning, knownClickIds }: Visitors) => {
  const requests = makeClickRequests(affs)
  const acknowledged: string[] = []
  let turn = 0

  const anyOf = (clickIds: string[]) => clickIds[Math.floor(Math.random() * clickIds.length)]
  /** By turns somebody of this round and somebody of earlier days, whose record lies deep in the table. */
  const returningVisitor = () => (turn % (2 * RETURNING) === 0 ? anyOf(acknowledged) : null) ?? anyOf(knownClickIds)

  return {
    acknowledged,
    nextRequest: () => {
      const clickId = returning && ++turn % RETURNING === 0 ? returningVisitor() : undefined
      return clickId ? requests.ofReturningVisitor(clickId) : requests.ofNewVisitor()
    },
    acknowledge: (answer: string) => {
      const start = answer.indexOf(CLICK_ID) + CLICK_ID.length
      acknowledged.push(answer.slice(start, answer.indexOf('"', start)))
    },
  }
}
