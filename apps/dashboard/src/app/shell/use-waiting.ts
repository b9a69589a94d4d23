import type { Waiting } from '@tributary/contract'
import { useCall } from '~/api/call.ts'
import { formatNumber } from '~/components/format/format.ts'
import type { Destination } from '../navigation.ts'
import { useProgram } from '../program-context.ts'

/** What needs a person on a page: how many, and for what. */
export type WaitingHere = { shown: string; what: string }

const counted = (count: number, what: string, isMore = false): WaitingHere | null =>
  count > 0 ? { shown: `${formatNumber(count)}${isMore ? '+' : ''}`, what } : null

type Address = Destination['to']

const WAITING: { [To in Address]?: (waiting: Waiting) => WaitingHere | null } = {
  '/programs/$programId/partners': ({ applications }) => counted(applications ?? 0, 'pending approval'),
  '/programs/$programId/partners/applications': ({ applications }) => counted(applications ?? 0, 'pending approval'),
  '/programs/$programId/commissions': ({ reviews }) => counted(reviews?.count ?? 0, 'to review', reviews?.isMore),
  '/programs/$programId/payouts': ({ payouts }) => {
    const [draft, open] = [payouts?.draft ? 1 : 0, payouts?.open ?? 0]
    return counted(draft + open, open === 0 ? 'draft to review' : draft ? 'to review or pay' : 'to pay')
  },
  '/programs/$programId/settings': ({ webhooks, processors }) =>
    counted((webhooks ?? 0) + (processors ?? 0), 'to repair'),
  '/programs/$programId/settings/webhooks': ({ webhooks }) => counted(webhooks ?? 0, 'failing'),
  '/programs/$programId/settings/payment-processors': ({ processors }) => counted(processors ?? 0, 'to reconnect'),
}

/** The badges of the menu, of tabs and of the settings. One request for all of them. */
export const useWaiting = () => {
  const { program } = useProgram()
  const { data } = useCall('get /api/programs/{programId}/waiting', { programId: program.id })
  const at = (to: Address) => (data && WAITING[to]?.(data)) ?? null
  return {
    at,
    /** Names a link with a badge. */
    labelFor: ({ to, label }: Pick<Destination, 'to' | 'label'>) => {
      const waiting = at(to)
      return waiting ? { 'aria-label': `${label}, ${waiting.shown} ${waiting.what}` } : {}
    },
  }
}
