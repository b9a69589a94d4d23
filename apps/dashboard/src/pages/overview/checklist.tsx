import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check, ChevronDown, CircleCheck } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useCall } from '~/api/call.ts'
import { POLL_MS } from '~/api/live.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { STEP_NAMES, STEP_TITLES, type StepName, type Steps } from '../set-up/step-card.tsx'
import { isChecklistCollapsed, keepChecklistCollapsed } from './checklist-collapsed.ts'
import { actionsFor, type ChecklistAction, summariesFor } from './checklist-items.ts'

/** The steps to a working program. Shown until all are done; the last one is confirmed once. */
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
  return isConfirming && <Complete onDismiss={() => setConfirming(false)} />
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
  const [isCollapsed, setCollapsed] = useState(() => isChecklistCollapsed(program.id))
  const listId = useId()
  const open = STEP_NAMES.filter((name) => !steps[name].done)
  const actions = actionsFor(steps)
  const summaries = summariesFor(steps)
  const toggle = () => {
    keepChecklistCollapsed(program.id, !isCollapsed)
    setCollapsed(!isCollapsed)
  }
  return (
    <Card>
      <h2>
        <button
          type="button"
          aria-expanded={!isCollapsed}
          aria-controls={listId}
          onClick={toggle}
          className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-xl px-5 py-3 text-left focus-visible:-outline-offset-2"
        >
          <span className="text-section">Get started</span>
          <span className="flex-1 font-normal text-faint text-sm tabular-nums">
            {STEP_NAMES.length - open.length} of {STEP_NAMES.length} complete
            {isCollapsed && open[0] && ` · Next: ${STEP_TITLES[open[0]]}`}
          </span>
          <ChevronDown
            aria-hidden
            className={clsx('size-4 shrink-0 text-faint transition-transform', !isCollapsed && 'rotate-180')}
          />
        </button>
      </h2>
      <ol id={listId} hidden={isCollapsed} className="border-line border-t px-5 py-2">
        {STEP_NAMES.map((name) => (
          <Item
            key={name}
            name={name}
            isDone={steps[name].done}
            isNext={name === open[0]}
            summary={summaries[name]}
            action={actions[name]}
          />
        ))}
      </ol>
    </Card>
  )
}

type ItemProps = {
  name: StepName
  isDone: boolean
  isNext: boolean
  summary: string
  action: ChecklistAction | null
}

const Item = ({ name, isDone, isNext, summary, action }: ItemProps) => (
  <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
    <span
      className={clsx(
        'grid size-5 shrink-0 place-items-center rounded-full',
        isDone ? 'bg-good-soft text-good-ink' : 'border border-line-strong',
      )}
    >
      {isDone && <Check aria-hidden className="size-3.5" />}
      <span className="sr-only">{isDone ? 'Done:' : 'To do:'}</span>
    </span>
    <span className="min-w-0 flex-1">
      <span className={clsx('block', isDone ? 'text-faint' : 'font-medium')}>{STEP_TITLES[name]}</span>
      {!isDone && <span className="block text-faint text-xs">{summary}</span>}
    </span>
    {!isDone && <Action action={action} isNext={isNext} />}
  </li>
)

const Action = ({ action, isNext }: Pick<ItemProps, 'action' | 'isNext'>) => {
  const { program, may } = useProgram()
  if (action === null) return <span className="text-faint text-xs">After your first partner</span>
  const { to, label, permission, ...target } = action
  if (!may(permission)) return null
  return (
    <Link
      to={`/programs/$programId/${to}`}
      params={{ programId: String(program.id) }}
      {...target}
      className={buttonClass({ look: isNext ? 'primary' : 'secondary', size: 'small' })}
    >
      {label}
    </Link>
  )
}
