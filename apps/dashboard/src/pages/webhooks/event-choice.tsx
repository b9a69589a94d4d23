import { PUBLISHED_EVENT_DESCRIPTIONS, type PublishedEventType } from '@tributary/contract/event-types'
import { useId } from 'react'
import { Segmented } from '~/components/controls/segmented.tsx'
import { ALL_EVENTS, EVENT_GROUPS } from './event-groups.ts'

type Props = { value: string[]; onChange: (events: string[]) => void; error: string | null }

const MODES = [
  { value: 'all', label: 'All events' },
  { value: 'some', label: 'Choose events' },
]

/** All events, including types added later, or chosen ones grouped by object. */
export const EventChoice = ({ value, onChange, error }: Props) => {
  const isAll = value.includes(ALL_EVENTS)
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium text-sm">Events</span>
      <Segmented
        label="Events"
        value={isAll ? 'all' : 'some'}
        options={MODES}
        onChange={(mode) => onChange(mode === 'all' ? [ALL_EVENTS] : isAll ? [] : value)}
      />
      {isAll ? (
        <p className="text-faint text-xs">Includes event types added in future versions.</p>
      ) : (
        <div className="mt-1 flex flex-col gap-4 rounded-lg border border-line px-3.5 py-3">
          {EVENT_GROUPS.map((group) => (
            <Group key={group.title} {...group} chosen={value} onChange={onChange} />
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-bad-ink text-xs">
          {error}
        </p>
      )}
    </div>
  )
}

type GroupProps = {
  title: string
  types: PublishedEventType[]
  chosen: string[]
  onChange: (events: string[]) => void
}

const Group = ({ title, types, chosen, onChange }: GroupProps) => {
  const others = chosen.filter((type) => !(types as string[]).includes(type))
  const count = chosen.length - others.length
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((each) => each !== type) : [...chosen, type])
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{title}</legend>
      <Box
        label={title}
        accessibleName={`All events about ${title.toLowerCase()}`}
        checked={count === types.length}
        indeterminate={count > 0 && count < types.length}
        onToggle={() => onChange(count === types.length ? others : [...others, ...types])}
      />
      {types.map((type) => (
        <div key={type} className="pl-6">
          <Box
            label={<code className="font-mono text-xs">{type}</code>}
            hint={PUBLISHED_EVENT_DESCRIPTIONS[type]}
            checked={chosen.includes(type)}
            onToggle={() => toggle(type)}
          />
        </div>
      ))}
    </fieldset>
  )
}

type BoxProps = {
  label: React.ReactNode
  accessibleName?: string
  hint?: string
  checked: boolean
  indeterminate?: boolean
  onToggle: () => void
}

const Box = ({ label, accessibleName, hint, checked, indeterminate = false, onToggle }: BoxProps) => {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        aria-label={accessibleName}
        aria-describedby={hint ? `${id}-hint` : undefined}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate
        }}
        checked={checked}
        onChange={onToggle}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0 text-sm">
        <label htmlFor={id} className={hint ? undefined : 'font-medium'}>
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-faint text-xs">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
