import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { portalView } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'

export type PortalView = z.infer<typeof portalView>
type Viewed = { programId: number; partnerId: number }

const path = ({ programId, partnerId }: Viewed) => `/api/programs/${programId}/partners/${partnerId}/view`

/** Checked every minute, because the view can end while a page is open. */
const RECHECK_MS = 60_000

/** The partner that an owner views the portal as, or null. */
export const usePortalView = () =>
  useQuery({
    queryKey: ['portal', 'view'],
    queryFn: async () => (await api.get<{ data: PortalView | null }>('/api/portal/view')).data,
    refetchInterval: ({ state }) => (state.data ? RECHECK_MS : false),
  })

/** All portal data belongs to one partner, so none of it may outlive a change of view. */
export const useForgetPortal = () => {
  const queries = useQueryClient()
  return () => queries.removeQueries({ queryKey: ['portal'] })
}

export const useStartView = () => {
  const onSuccess = useForgetPortal()
  return useMutation({ mutationFn: (viewed: Viewed) => api.post(path(viewed)), onSuccess })
}

export const useExitView = () => useMutation({ mutationFn: (viewed: Viewed) => api.delete(path(viewed)) })
