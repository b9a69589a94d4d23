import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  NotificationChoice,
  NotificationKind,
  NotificationList,
  NotificationPreviews,
  PartnerPreferences,
  SummaryFrequency,
  TeamPreferences,
} from '@tributary/contract'
import { api } from './client.ts'

/** Whose notifications: a member's or a partner's. */
export type Inbox = { audience: 'team' | 'partner'; programId: number }

const path = ({ audience, programId }: Inbox, rest = '') =>
  `/api/${audience === 'partner' ? 'portal/' : ''}programs/${programId}/notifications${rest}`
const keyOf = ({ audience, programId }: Inbox) => ['notifications', audience, programId] as const

const MINUTE_MS = 60_000

export const useNotifications = (inbox: Inbox) =>
  useQuery({
    queryKey: [...keyOf(inbox), 'list'],
    queryFn: async () => (await api.get<{ data: NotificationList }>(path(inbox))).data,
    refetchInterval: MINUTE_MS,
  })

/** Without IDs, all are marked. */
export const useMarkRead = (inbox: Inbox) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (ids?: number[]) =>
      (await api.post<{ data: NotificationList }>(path(inbox, '/read'), ids ? { ids } : {})).data,
    onSuccess: (list) => queries.setQueryData([...keyOf(inbox), 'list'], list),
  })
}

/** Only partners choose how often they get a summary. */
export type Preferences = TeamPreferences | PartnerPreferences

export const usePreferences = (inbox: Inbox) =>
  useQuery({
    queryKey: [...keyOf(inbox), 'preferences'],
    queryFn: async () => (await api.get<{ data: Preferences }>(path(inbox, '/preferences'))).data,
  })

export const useSetPreferences = (inbox: Inbox) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: { kinds: NotificationChoice[]; summary?: SummaryFrequency }) =>
      (await api.put<{ data: Preferences }>(path(inbox, '/preferences'), change)).data,
    onSuccess: (saved) => queries.setQueryData([...keyOf(inbox), 'preferences'], saved),
  })
}

export const usePreviews = (programId: number, enabled: boolean) => {
  const inbox: Inbox = { audience: 'team', programId }
  return useQuery({
    queryKey: [...keyOf(inbox), 'previews'],
    queryFn: async () => (await api.get<{ data: NotificationPreviews }>(path(inbox, '/previews'))).data,
    enabled,
  })
}

export const useSendSample = (programId: number) =>
  useMutation({
    mutationFn: async (kind: NotificationKind) =>
      (
        await api.post<{ data: { email: string; mailed: boolean } }>(path({ audience: 'team', programId }, '/test'), {
          kind,
        })
      ).data,
  })
