import type { Program } from '@tributary/contract'
import { useChangeProgram } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Mode = Program['paymentTrackingMode']

const SOURCES: Record<Mode, string> = { processor_connect: 'Stripe', s2s: 'your server' }

/** Shows the program's source of sales and a button to switch to the viewed one. */
export const PaymentMode = ({ saved, viewed }: { saved: Mode; viewed: Mode }) => {
  const { program, may } = useProgram()
  const change = useChangeProgram(program.id)
  const save = () =>
    change.mutate(
      { paymentTrackingMode: viewed },
      { onSuccess: () => toast.done(`Saved. This program now expects sales from ${SOURCES[viewed]}.`) },
    )
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p aria-live="polite" className="text-soft">
          This program expects sales from <span className="font-medium text-ink">{SOURCES[saved]}</span>.
          {saved !== viewed && ` To use ${SOURCES[viewed]} instead, follow the steps below.`}
        </p>
        {saved !== viewed && may('program:update') && (
          <Button size="small" look="primary" busy={change.isPending} onClick={save}>
            Use sales from {SOURCES[viewed]}
          </Button>
        )}
      </div>
      <FormError error={change.error} />
    </div>
  )
}
