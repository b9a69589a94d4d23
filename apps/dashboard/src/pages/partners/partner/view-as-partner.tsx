import { useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useStartView } from '~/api/partners/partner-view.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { toast } from '~/components/overlays/toast.tsx'

/** For owners: opens the portal as this partner sees it, read-only. */
export const ViewAsPartner = ({ partnerId }: { partnerId: number }) => {
  const { program, workspace } = useProgram()
  const start = useStartView()
  const navigate = useNavigate()
  if (workspace.role !== 'owner') return null
  const open = () =>
    start.mutate(
      { programId: program.id, partnerId },
      {
        onSuccess: () => navigate({ to: '/portal/$programId', params: { programId: String(program.id) } }),
        onError: toast.failed,
      },
    )
  return (
    <Button busy={start.isPending} onClick={open}>
      <Eye aria-hidden /> View as partner
    </Button>
  )
}
