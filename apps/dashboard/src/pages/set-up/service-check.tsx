import { FlaskConical } from 'lucide-react'
import { useCheckService } from '~/api/tracking.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { Ago } from '~/components/format/time.tsx'

type Props = { kind: 'click' | 'lead'; checkedAt: string | null }

/** Tests only that the service responds, not the merchant's site. It does not complete the step. */
export const ServiceCheck = ({ kind, checkedAt }: Props) => {
  const { program } = useProgram()
  const check = useCheckService(program.id, kind)
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
