import { ExternalLink } from 'lucide-react'
import { useConnectPlatform } from '~/api/processor.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'

/** Leads to Stripe, where the merchant allows the operator's platform to read. Shown where there is such a platform. */
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
