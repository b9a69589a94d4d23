import { useQueryClient } from '@tanstack/react-query'
import { type Result, useCall } from '../call.ts'

export type PortalView = NonNullable<Result<'get /api/portal/view'>>

/** Checked every minute, because the view can end while a page is open. */
const RECHECK_MS = 60_000

/** The partner that an owner views the portal as, or null. */
export const usePortalView = () =>
  useCall('get /api/portal/view', {}, { refetchInterval: ({ state }) => (state.data ? RECHECK_MS : false) })

/** All portal data belongs to one partner, so none of it may outlive a change of view. */
export const useForgetPortal = () => {
  const queries = useQueryClient()
  return () => queries.removeQueries({ queryKey: ['portal'] })
}
