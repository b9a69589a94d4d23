import type { Program } from '@tributary/contract'
import { useChangeProgram } from '~/api/programs.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { FormError } from '~/components/controls/form.tsx'
import { toast } from '~/components/overlays/toast.tsx'

type Mode = Program['paymentTrackingMode']

const SOURCES: Record<Mode, string> = { processor_connect: 'your payment processor', s2s: 'your server' }

const useModeSwitch = (to: Mode) => {
  const { program, may } = useProgram()
  const change = useChangeProgram(program.id)
  // Not a callback of `mutate`, which is dropped if the card has left the screen by then.
  const save = () =>
    change.mutateAsync({ paymentTrackingMode: to }).then(
      () => toast.done(`Saved. This program now expects sales from ${SOURCES[to]}.`),
      () => undefined,
    )
  const button = (look: 'primary' | 'secondary') =>
    may('program:update') && (
      <Button size="small" look={look} busy={change.isPending} onClick={save}>
        Use sales from {SOURCES[to]}
      </Button>
    )
  return { button, error: change.error }
}

/** Shows the program's source of sales and a button to switch to the viewed one. */
export const PaymentMode = ({ saved, viewed }: { saved: Mode; viewed: Mode }) => {
  const { button, error } = useModeSwitch(viewed)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <p aria-live="polite" className="text-soft">
          This program expects sales from <span className="font-medium text-ink">{SOURCES[saved]}</span>.
          {saved !== viewed && ` To use ${SOURCES[viewed]} instead, follow the steps below.`}
        </p>
        {saved !== viewed && button('secondary')}
      </div>
      <FormError error={error} />
    </div>
  )
}

/** Shown while credited sales arrive by the other mode. */
export const SwitchMode = ({ saved, to }: { saved: Mode; to: Mode }) => {
  const { button, error } = useModeSwitch(to)
  return (
    <div className="flex flex-col gap-2 rounded-xl bg-warn-soft px-5 py-3 text-sm text-warn-ink">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 text-pretty">
          Sales from {SOURCES[to]} are credited, but this program is set to expect them from {SOURCES[saved]}.
        </p>
        {button('secondary')}
      </div>
      <FormError error={error} />
    </div>
  )
}
