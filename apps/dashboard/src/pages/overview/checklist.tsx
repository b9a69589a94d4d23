import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCall } from '~/api/call.ts'
import { POLL_MS } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { SwitchMode } from '../set-up/payment-mode.tsx'
import { ProgressLine } from '../set-up/progress.tsx'
import { openSteps, STEP_TITLES, type Steps } from '../set-up/steps.ts'

/** Leads to the setup until all steps are done, and then says so once. */
export const Checklist = () => {
  const { program } = useProgram()
  const { data } = useCall(
    'get /api/programs/{programId}/set-up',
    { programId: program.id },
    { refetchInterval: ({ state }) => (state.data?.done ? false : POLL_MS) },
  )
  const [isConfirming, setConfirming] = useState(false)
  const isOpen = data?.done === false
  useEffect(() => {
    if (isOpen) setConfirming(true)
  }, [isOpen])
  if (!data) return null
  if (!data.done) return <OpenChecklist steps={data.steps} />
  const { mode, switchTo } = data.steps.payments
  return (
    <>
      {isConfirming && <Complete onDismiss={() => setConfirming(false)} />}
      {switchTo && <SwitchMode saved={mode} to={switchTo} />}
    </>
  )
}

const Complete = ({ onDismiss }: { onDismiss: () => void }) => (
  <Card className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
    <p aria-live="polite" className="flex items-center gap-2 text-sm">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-good-ink" />
      <span>
        <span className="font-medium">Setup complete.</span>{' '}
        <span className="text-soft">Clicks, leads and sales arrive, and a partner has a link to share.</span>
      </span>
    </p>
    <Button size="small" onClick={onDismiss}>
      Dismiss
    </Button>
  </Card>
)

const OpenChecklist = ({ steps }: { steps: Steps }) => {
  const { program } = useProgram()
  const [next] = openSteps(steps)
  return (
    <Card className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-section">Get started</h2>
          {next && <p className="text-faint text-sm">Next: {STEP_TITLES[next]}</p>}
        </div>
        <Link
          to="/programs/$programId/set-up"
          params={{ programId: String(program.id) }}
          className={buttonClass({ look: 'primary' })}
        >
          Continue setup
        </Link>
      </div>
      <ProgressLine steps={steps} />
    </Card>
  )
}
