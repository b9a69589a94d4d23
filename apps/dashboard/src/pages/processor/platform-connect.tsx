import { ExternalLink } from 'lucide-react'
import { useConnectPlatform } from '~/api/processor.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'

/** Redirects to Stripe to authorize the operator's platform. */
export const PlatformConnect = () => {
  const { program } = useProgram()
  const connect = useConnectPlatform(program.id)
  return (
    <div className="flex flex-col gap-2">
      <Button look="primary" className="w-fit" busy={connect.isPending} onClick={() => connect.mutate()}>
        <ExternalLink aria-hidden /> Connect with Stripe
      </Button>
      <FormError error={connect.error} />
    </div>
  )
}
