import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NotificationChoice, SummaryFrequency } from '@tributary/contract'
import { call, type Input, keyOf, type Result, useCall } from './call.ts'

/** Whose notifications: a member's or a partner's. */
export type Inbox = { audience: 'team' | 'partner'; programId: number }

const PATHS = {
  team: '/api/programs/{programId}/notifications',
  partner: '/api/portal/programs/{programId}/notifications',
} as const
const pathOf = ({ audience }: Inbox) => PATHS[audience]

const MINUTE_MS = 60_000

export const useNotifications = (inbox: Inbox) =>
  useCall(`get ${pathOf(inbox)}`, { programId: inbox.programId }, { refetchInterval: MINUTE_MS })

/** Without IDs, all are marked. */
export const useMarkRead = (inbox: Inbox) => {
  const queries = useQueryClient()
  const { programId } = inbox
  return useMutation({
    mutationFn: (ids?: number[]) => call(`post ${pathOf(inbox)}/read`, { programId, body: { ids } }),
    onSuccess: (list) => queries.setQueryData(keyOf(`get ${pathOf(inbox)}`, { programId }), list),
  })
}

type Read = `get ${(typeof PATHS)[Inbox['audience']]}/preferences`
type Change = Input<`put ${(typeof PATHS)[Inbox['audience']]}/preferences`>

/** Only partners choose how often they get a summary. */
export type Preferences = Result<Read>

export const usePreferences = (inbox: Inbox) =>
  useCall(`get ${pathOf(inbox)}/preferences`, { programId: inbox.programId })

export const useSetPreferences = (inbox: Inbox) => {
  const queries = useQueryClient()
  const { programId } = inbox
  return useMutation({
    // The kinds are those that this reader gets.
    mutationFn: (body: { kinds: NotificationChoice[]; summary?: SummaryFrequency }) =>
      call(`put ${pathOf(inbox)}/preferences`, { programId, body } as Change),
    onSuccess: (saved) => queries.setQueryData(keyOf(`get ${pathOf(inbox)}/preferences`, { programId }), saved),
  })
}
