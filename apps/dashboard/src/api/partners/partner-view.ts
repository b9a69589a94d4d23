import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { portalView } from '@tributary/contract'
import type { z } from 'zod'
import { api } from '../client.ts'

export type PortalView = z.infer<typeof portalView>

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
