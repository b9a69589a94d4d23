import { type PlayContext, playRounds, type Target } from '../rounds.ts'
import { type Benched, targetOf } from './benched.ts'

/** The number of dashboard connections to the database. */
const CONNECTIONS = 8

const breakdown = (by: string) => (id: number) => `/api/tracking/breakdown/${id}?by=${by}&limit=7&period=30d`

/** The dashboard's own requests. */
const PAGES: Record<string, (programId: number) => string> = {
  'page: status': (id) => `/api/tracking/status/${id}`,
  'overview: days': (id) => `/api/tracking/performance/${id}?period=30d`,
  'overview: partners': breakdown('partner'),
  'overview: links': breakdown('link'),
  'overview: referrers': breakdown('referrer'),
  'overview: countries': breakdown('country'),
  'page: events': (id) => `/api/tracking/events/${id}?page=1&pageSize=25`,
}

/** Runs before any click, so that an empty program is empty. */
export const playPages = (context: PlayContext, floor: Target, all: Benched[]) => {
  const targets = Object.entries(PAGES).flatMap(([scenario, path]) =>
    all
      .filter(({ place }) => place !== 'workers')
      .map((benched) => {
        const { id, cookie } = benched.service.program
        return targetOf(benched, scenario, () => ({ kind: 'pages', path: path(id), cookie }), null)
      }),
  )
  return playRounds({ ...context, seconds: Math.max(1, context.seconds / 2) }, CONNECTIONS, [floor, ...targets])
}
