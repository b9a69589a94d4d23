import { useNavigate } from '@tanstack/react-router'
import { useChange } from '~/api/call.ts'
import { useForgetPortal } from '~/api/partners/partner-view.ts'
import { useProgram } from '~/app/program-context.ts'
import { toast } from '~/components/overlays/toast.tsx'

/** For owners: opens the portal as this partner sees it, read-only. */
export const useViewAsPartner = (partnerId: number) => {
  const { program } = useProgram()
  const programId = program.id
  const path = '/api/programs/{programId}/partners/{partnerId}/view'
  const start = useChange(`post ${path}`, { programId, partnerId }, { changes: [] })
  const forget = useForgetPortal()
  const navigate = useNavigate()
  const open = () =>
    start.mutate(
      {},
      {
        onSuccess: () => {
          forget()
          return navigate({ to: '/portal/$programId', params: { programId: String(programId) } })
        },
        onError: toast.failed,
      },
    )
  return { open, isPending: start.isPending }
}
