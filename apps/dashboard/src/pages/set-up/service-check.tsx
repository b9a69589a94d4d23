import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CHECK_HEADER } from '@tributary/contract/names'
import { FlaskConical } from 'lucide-react'
import { api } from '~/api/client.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { Ago } from '~/components/format/time.tsx'

const BODIES = {
  // Not a valid link name, so the test click can never count for a real link.
  click: () => ({
    affiliate_url: `${location.origin}/?aff=~test`,
    page_url: location.href,
    page_title: document.title,
  }),
  lead: () => ({ customer_key: 'test-customer' }),
}

type Props = { kind: 'click' | 'lead'; checkedAt: string | null }

/** Sends the call a merchant's page or server would send, in test mode. Tests only that the service responds, not the merchant's site. It does not complete the step. */
export const ServiceCheck = ({ kind, checkedAt }: Props) => {
  const { program } = useProgram()
  const queries = useQueryClient()
  const body = () => ({ ...BODIES[kind](), additional_data: { test_mode: true, program_id: program.id } })
  const check = useMutation({
    mutationFn: () => api.post(`/api/v1/track/${kind}`, body(), { [CHECK_HEADER]: 'dashboard' }),
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t pt-3">
        <p aria-live="polite" className="min-w-0 flex-1 basis-56 text-pretty text-faint text-xs">
          {checkedAt && (
            <>
              Service check succeeded <Ago at={checkedAt} />.{' '}
            </>
          )}
          A check sends a test event from this dashboard. It doesn’t complete the step.
        </p>
        <Button size="small" busy={check.isPending} onClick={() => check.mutate()}>
          <FlaskConical aria-hidden /> Check service
        </Button>
      </div>
      <FormError error={check.error} />
    </>
  )
}
