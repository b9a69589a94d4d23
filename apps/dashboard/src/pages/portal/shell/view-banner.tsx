import { useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useChange } from '~/api/call.ts'
import { type PortalView, useForgetPortal, usePortalView } from '~/api/partners/partner-view.ts'
import { Button } from '~/components/controls/button.tsx'
import { formatZonedClock } from '~/components/format/time-zone.ts'

/** Tells an owner that they see a partner's portal, and takes them back. */
export const ViewBanner = ({ view }: { view: PortalView }) => {
  const { programId, partnerId, partnerName, endsAt } = view
  const path = '/api/programs/{programId}/partners/{partnerId}/view'
  const leave = useLeaveView()
  const done = () => leave(view)
  const options = { changes: [], onSuccess: done, onError: done }
  const exit = useChange(`delete ${path}`, { programId, partnerId }, options)
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1.5 bg-ink px-4 py-2 text-canvas text-sm print:hidden"
    >
      <p className="flex min-w-0 items-start gap-2">
        <Eye aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="wrap-anywhere min-w-0">
          You’re viewing the portal as <strong className="font-semibold">{partnerName}</strong> (read-only). This view
          ends at {formatZonedClock(endsAt)}.
        </span>
      </p>
      <Button size="small" busy={exit.isPending} onClick={() => exit.mutate({})}>
        Exit
      </Button>
    </div>
  )
}

const useLeaveView = () => {
  const navigate = useNavigate()
  const forget = useForgetPortal()
  return async ({ programId, partnerId }: PortalView) => {
    const params = { programId: String(programId), partnerId: String(partnerId) }
    await navigate({ to: '/programs/$programId/partners/$partnerId', params })
    forget()
  }
}

/** Returns to the dashboard when the view ends while the portal is open. */
export const useLeaveEndedView = () => {
  const { data: view } = usePortalView()
  const leave = useLeaveView()
  const last = useRef<PortalView | null>(null)
  useEffect(() => {
    if (view === null && last.current) void leave(last.current)
    last.current = view ?? null
  }, [view, leave])
}
