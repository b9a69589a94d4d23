import { ExternalLink } from 'lucide-react'
import { useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'

/** Redirects to the processor to authorize the operator's platform. The browser returns to the setup page. */
export const PlatformConnect = ({ label }: { label: string }) => {
  const { program } = useProgram()
  const connect = useChange(
    'post /api/programs/{programId}/processor/connect',
    { programId: program.id },
    { changes: [] },
  )
  const open = () => connect.mutate({}, { onSuccess: ({ url }) => location.assign(url) })
  return (
    <div className="flex flex-col gap-2">
      <Button look="primary" className="w-fit" busy={connect.isPending} onClick={open}>
        <ExternalLink aria-hidden /> Connect with {label}
      </Button>
      <FormError error={connect.error} />
    </div>
  )
}
